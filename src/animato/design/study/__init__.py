"""Around a design: choices, editing by handles, tolerances."""

from animato.design.study.choices import Candidate, ChoiceResult, alternatives_from, candidates, solve_choices
from animato.design.study.editing import PointTrajectory, run_design
from animato.design.study.handles import Handle, as_handle, handled, motion_now
from animato.design.study.settling import Settled, Spring, settle
from animato.design.study.tolerances import ToleranceReport, design_tolerances

__all__ = [
    "Candidate",
    "ChoiceResult",
    "Handle",
    "PointTrajectory",
    "Settled",
    "Spring",
    "ToleranceReport",
    "alternatives_from",
    "as_handle",
    "candidates",
    "design_tolerances",
    "handled",
    "motion_now",
    "run_design",
    "settle",
    "solve_choices",
]
