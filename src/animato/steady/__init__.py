"""The same motion without the wobble: motor profiles of characters with parts that bend."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.steady.baselines import Shaper, shaped, shaper, slowed
    from animato.steady.judging import compared, modes_at_start, sensitivity, validated
    from animato.steady.materials import MaterialFit, Oscillation, fit_material, oscillation_from_motion
    from animato.steady.optimization import Solution, solve
    from animato.steady.options import Emphasis, Options, Tracked
    from animato.steady.problem import Problem, Scenario, Variation, build

__all__ = [
    "Emphasis",
    "MaterialFit",
    "Options",
    "Oscillation",
    "Problem",
    "Scenario",
    "Shaper",
    "Solution",
    "Tracked",
    "Variation",
    "build",
    "compared",
    "fit_material",
    "modes_at_start",
    "oscillation_from_motion",
    "sensitivity",
    "shaped",
    "shaper",
    "slowed",
    "solve",
    "validated",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.steady.options": ("Emphasis", "Options", "Tracked"),
        "animato.steady.problem": ("Problem", "Scenario", "Variation", "build"),
        "animato.steady.optimization": ("Solution", "solve"),
        "animato.steady.baselines": ("Shaper", "shaped", "shaper", "slowed"),
        "animato.steady.materials": ("MaterialFit", "Oscillation", "fit_material", "oscillation_from_motion"),
        "animato.steady.judging": ("compared", "modes_at_start", "sensitivity", "validated"),
    },
    rooms=("options", "profiles", "problem", "optimization", "baselines", "judging", "published", "materials"),
)
