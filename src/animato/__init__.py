"""animato: an artist's motion becomes motion that a physical robot character can perform.

    import animato as an

    pico = an.load_character("pico")
    result = an.check(pico, an.load_clip("pico_hello", pico))
    print(result)
    result.save_page("report.html")

Verbs are modules of one shape: `an.trace.Options`, `an.trace.build`, `an.trace.solve`, `an.trace.Problem` and
`an.trace.Solution`, and so for `fix`, `express`, `design`, `steady`, `mimic`; what is live has a `Loop`. They are
imported when used.
"""

from typing import TYPE_CHECKING

from animato.lazy import lazily
from animato.version import __version__

if TYPE_CHECKING:
    from animato import (
        algebra,
        batch,
        character,
        design,
        express,
        findings,
        fix,
        formats,
        gallery,
        kernels,
        loading,
        mechanics,
        mimic,
        motion,
        report,
        solvers,
        spatial,
        stage,
        steady,
        studio,
        trace,
        view,
    )
    from animato.character import Character
    from animato.errors import AnimatoError
    from animato.findings import CheckResult, check
    from animato.fix.joining import join
    from animato.formats import load_character, load_motion, shipped_characters, shipped_clips
    from animato.loading import load_clip, save, simulate
    from animato.mechanics.limits import LimitUsage
    from animato.mechanics.simulation import Simulation, SimulationOptions
    from animato.motion import CapturedMotion, Clip, MarkerMotion, Posture, Stroke
    from animato.outcome import Iteration, Outcome, Progress, Status
    from animato.report.playing import show
    from animato.trace.sketch import Sketch, load_strokes

__all__ = [
    "AnimatoError",
    "CapturedMotion",
    "Character",
    "CheckResult",
    "Clip",
    "Iteration",
    "LimitUsage",
    "MarkerMotion",
    "Outcome",
    "Posture",
    "Progress",
    "Simulation",
    "SimulationOptions",
    "Sketch",
    "Status",
    "Stroke",
    "__version__",
    "algebra",
    "batch",
    "character",
    "check",
    "design",
    "express",
    "findings",
    "fix",
    "formats",
    "gallery",
    "join",
    "kernels",
    "load_character",
    "load_clip",
    "load_motion",
    "load_strokes",
    "loading",
    "mechanics",
    "mimic",
    "motion",
    "report",
    "save",
    "shipped_characters",
    "shipped_clips",
    "show",
    "simulate",
    "solvers",
    "spatial",
    "stage",
    "steady",
    "studio",
    "trace",
    "view",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.character": ("Character",),
        "animato.errors": ("AnimatoError",),
        "animato.findings": ("CheckResult", "check"),
        "animato.fix.joining": ("join",),
        "animato.formats": ("load_character", "load_motion", "shipped_characters", "shipped_clips"),
        "animato.loading": ("load_clip", "save", "simulate"),
        "animato.mechanics.limits": ("LimitUsage",),
        "animato.mechanics.simulation": ("Simulation", "SimulationOptions"),
        "animato.motion": ("CapturedMotion", "Clip", "MarkerMotion", "Posture", "Stroke"),
        "animato.outcome": ("Iteration", "Outcome", "Progress", "Status"),
        "animato.report.playing": ("show",),
        "animato.trace.sketch": ("Sketch", "load_strokes"),
    },
    rooms=(
        "algebra",
        "batch",
        "character",
        "design",
        "express",
        "findings",
        "fix",
        "formats",
        "gallery",
        "kernels",
        "loading",
        "mechanics",
        "mimic",
        "motion",
        "report",
        "solvers",
        "spatial",
        "stage",
        "steady",
        "studio",
        "trace",
        "view",
    ),
)
