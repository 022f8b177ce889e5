"""The same motion without the wobble: motor profiles of characters with parts that bend."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.steady.baselines import Shaper, shaped, shaper, slowed
    from animato.steady.judging import compared, modes_at_start, sensitivity, validated
    from animato.steady.options import Emphasis, Options, Tracked
    from animato.steady.problem import Problem, Scenario, Variation, build
    from animato.steady.solution import Solution
    from animato.steady.steadying import solve

__all__ = [
    "Emphasis",
    "Options",
    "Problem",
    "Scenario",
    "Shaper",
    "Solution",
    "Tracked",
    "Variation",
    "build",
    "compared",
    "modes_at_start",
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
        "animato.steady.solution": ("Solution",),
        "animato.steady.steadying": ("solve",),
        "animato.steady.baselines": ("Shaper", "shaped", "shaper", "slowed"),
        "animato.steady.judging": ("compared", "modes_at_start", "sensitivity", "validated"),
    },
    rooms=("options", "profiles", "problem", "optimization", "baselines", "judging", "published", "materials"),
)
