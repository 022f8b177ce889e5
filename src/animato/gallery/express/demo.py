"""The demo of express: a lamp that looks on in changing moods, tracking, and errors of the facing solvers."""

from __future__ import annotations

from pathlib import Path

from animato.formats.files import write_whole
from animato.gallery.express.acts import animation_underneath, changing_moods
from animato.gallery.express.error_charts import draw_histograms, draw_normals
from animato.gallery.express.facing_strip import draw_facing_strip
from animato.gallery.express.page import STORY, express_page
from animato.gallery.express.runs import ANIMATO, DLS, ERIK, MEASURES, sample_errors, track_a_circle
from animato.outcome import Progress, announcer
from animato.report.express import draw_courses
from animato.report.kit import package_text
from animato.view import save_png

SKELETONS, COMPARED = "ABCDEFG", "CG"
TRACKED = ("skeleton_g", "skeleton_c")


def make_express_demo(
    folder: str | Path,
    *,
    samples: int = 400,
    seconds: float = 30.0,
    progress: Progress | None = None,
) -> list[str]:
    """Fills a folder with `express.html`, which needs nothing else, and its pictures as files of their own.

    Args:
        folder: Where the files go.
        samples: Of each skeleton's sweep.
        seconds: How long a target is tracked [s].
        progress: Told what is being worked on.

    Returns:
        Sentences for the person who waits.
    """
    say = announcer(progress)
    place = Path(folder)
    say("a lamp looks on in changing moods")
    acts = changing_moods(), animation_underneath()
    errors = {}
    for letter in SKELETONS:
        say(f"solving {samples} samples of skeleton {letter}")
        solvers = (ANIMATO, ERIK, DLS) if letter in COMPARED else (ANIMATO, ERIK)
        errors[letter] = sample_errors(letter, samples, solvers)
    say("tracking a circling target")
    runs = [track_a_circle(name, seconds) for name in TRACKED]
    say("drawing")
    style = package_text("charts.css")
    charts = {
        "story": draw_courses([acts[0].course], style, "The lamp in changing moods", player=STORY),
        "histograms": draw_histograms(errors, style),
        "normals": draw_normals({letter: errors[letter] for letter in COMPARED}, style),
        "tracking": draw_courses([run.course for run in runs], style, "Tracking a circling target"),
    }
    for name, chart in charts.items():
        if name == "story":  # it belongs to its player
            continue
        write_whole(place / f"{name}.svg", chart + "\n")
    picture = draw_facing_strip()
    strip = save_png(place / "facing.png", picture)
    page = write_whole(place / "express.html", express_page(acts, errors, runs, charts, picture))
    means = ", ".join(f"{solver} {one[MEASURES[0]].mean():.4f}" for solver, one in errors["C"].items())
    return [
        f"Mean combined error on skeleton C over {samples} samples: {means}",
        f"The page: {page}",
        f"Four postures that face the same places: {strip}",
        f"Tracking: {place / 'tracking.svg'}",
    ]
