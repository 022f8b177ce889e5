"""Sets the lengths, places and axes of joints so that the character can do the animation."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.design.freeing import Freedom, baked, freed
    from animato.design.optimization import (
        ControlChange,
        DesignIteration,
        DesignPoint,
        Met,
        Performance,
        Solution,
        TargetNearness,
        TargetsMet,
        TrackingErrors,
        loop_inverse_kinematics,
        required,
        sequential_inverse_kinematics,
        solve,
    )
    from animato.design.options import DesignWeights, Options
    from animato.design.problem import Problem, TargetMotion, build, load_targets
    from animato.design.study import (
        Handle,
        PointTrajectory,
        alternatives_from,
        candidates,
        design_tolerances,
        handled,
        motion_now,
        run_design,
        solve_choices,
    )
    from animato.design.terms import (
        ClearanceRows,
        MustHold,
        SingularFloor,
        SoftRows,
        SoftValues,
        TrackingTarget,
        clearances,
        colliding_pairs,
    )

__all__ = [
    "ClearanceRows",
    "ControlChange",
    "DesignIteration",
    "DesignPoint",
    "DesignWeights",
    "Freedom",
    "Handle",
    "Met",
    "MustHold",
    "Options",
    "Performance",
    "PointTrajectory",
    "Problem",
    "SingularFloor",
    "SoftRows",
    "SoftValues",
    "Solution",
    "TargetMotion",
    "TargetNearness",
    "TargetsMet",
    "TrackingErrors",
    "TrackingTarget",
    "alternatives_from",
    "baked",
    "build",
    "candidates",
    "clearances",
    "colliding_pairs",
    "design_tolerances",
    "freed",
    "handled",
    "load_targets",
    "loop_inverse_kinematics",
    "motion_now",
    "required",
    "run_design",
    "sequential_inverse_kinematics",
    "solve",
    "solve_choices",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.design.options": ("Options", "DesignWeights"),
        "animato.design.freeing": ("Freedom", "baked", "freed"),
        "animato.design.problem": ("build", "Problem", "TargetMotion", "load_targets"),
        "animato.design.optimization": (
            "solve",
            "Solution",
            "ControlChange",
            "DesignIteration",
            "DesignPoint",
            "Met",
            "Performance",
            "TargetNearness",
            "TargetsMet",
            "TrackingErrors",
            "loop_inverse_kinematics",
            "required",
            "sequential_inverse_kinematics",
        ),
        "animato.design.terms": (
            "ClearanceRows",
            "MustHold",
            "SingularFloor",
            "SoftRows",
            "SoftValues",
            "TrackingTarget",
            "clearances",
            "colliding_pairs",
        ),
        "animato.design.study": (
            "Handle",
            "PointTrajectory",
            "alternatives_from",
            "candidates",
            "design_tolerances",
            "handled",
            "motion_now",
            "run_design",
            "solve_choices",
        ),
    },
    rooms=("options", "problem", "terms", "optimization", "study", "freeing"),
)
