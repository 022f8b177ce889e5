"""Shows: clips, sound and light together, led by cues and clocks, inside the robot's limits whatever comes."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.shows.conducting import Conductor
    from animato.stage.shows.file import Show, load_show, show_from_text
    from animato.stage.shows.performing import ShowPerformance, compose, perform
    from animato.stage.shows.rehearsing import Rehearsal, rehearse
    from animato.stage.shows.score import Score, build_score

__all__ = [
    "Conductor",
    "Rehearsal",
    "Score",
    "Show",
    "ShowPerformance",
    "build_score",
    "compose",
    "load_show",
    "perform",
    "rehearse",
    "show_from_text",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.stage.shows.conducting": ("Conductor",),
        "animato.stage.shows.file": ("Show", "load_show", "show_from_text"),
        "animato.stage.shows.performing": ("ShowPerformance", "compose", "perform"),
        "animato.stage.shows.rehearsing": ("Rehearsal", "rehearse"),
        "animato.stage.shows.score": ("Score", "build_score"),
    },
    rooms=("clocks", "conducting", "file", "ports", "score", "sound"),
)
