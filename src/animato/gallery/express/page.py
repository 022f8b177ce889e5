"""The demo of express as one page that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from animato.gallery.express.runs import DLS, MEASURES, Errors, Tracking
from animato.report.kit import Markup, data_address, element, whole_page

SHORT = ("combined", "orientation", "weighted posture")
"""Of MEASURES, for the heads of columns."""


def express_page(
    errors: Mapping[str, Mapping[str, Errors]],
    runs: list[Tracking],
    charts: Mapping[str, Markup],
    strip_png: bytes,
) -> str:
    """The whole page as HTML.

    Args:
        errors: By letter of the skeleton and by solver.
        runs: What the tracking chart shows.
        charts: SVG by name: "histograms", "normals" and "tracking".
        strip_png: The picture of a posture that faces all around.
    """
    samples = len(next(iter(next(iter(errors.values())).values()))[MEASURES[0]])
    image = element(
        "img", src=data_address(strip_png, "image/png"), alt="Skeleton C faces eight azimuths", style="width:100%"
    )
    body = element(
        "main",
        element("p", "animato express", class_="eyebrow"),
        element("h1", "Hold a posture while facing anything"),
        _section("One posture, eight azimuths", _STRIP, image),
        _section("Tracking a circling target", _tracking_words(runs), charts["tracking"]),
        _section("Solvers side by side", _NORMALS, charts["normals"], _table(errors)),
        _section("Errors on the seven test skeletons", _HISTOGRAMS.format(samples=samples), charts["histograms"]),
    )
    return whole_page("animato express: the demo", body)


_STRIP = (
    "Skeleton C (five joints) holds its curious posture and faces along the horizon; 0° faces the viewer. The "
    "chain may also bend the other way: the measure of the posture does not tell a bend from its mirror image."
)
_NORMALS = (
    "Normal distributions with the mean and standard deviation of each solver's errors on the same samples, each "
    "curve scaled to its own peak. Further left and narrower is better. ERIK is the method of Ribeiro and Paiva "
    "(2019); DLS400 is damped least squares with 400 iterations."
)
_HISTOGRAMS = (
    "{samples} samples of each skeleton's sweep of postures and targets, drawn by a fixed seed. Share of samples in "
    "each bin; errors beyond the right edge count in the last bin. In the titles: means of animato / ERIK."
)


def _section(title: str, words: str, *content: Markup) -> Markup:
    return element(
        "section",
        element("h2", title),
        element("p", words, class_="lead"),
        *(element("div", one, class_="card", style="margin-bottom:16px") for one in content),
    )


def _tracking_words(runs: list[Tracking]) -> str:
    largest = [float(np.degrees(np.abs(np.diff(run.positions, axis=0)).max())) for run in runs]
    steps = " and ".join(f"{step:.1f}° for {run.character}" for step, run in zip(largest, runs, strict=True))
    return (
        "A target circles the character at 25 degrees a second, 50 frames a second. Dashed lines: a "
        "change to another branch of solutions is decided. Shaded: it is under way. The tracker's speed limit allows a "
        f"joint {np.degrees(runs[0].largest_step):.1f}° between two frames; the largest step was {steps}. "
        "A leap crosses joint space at that limit and does not face the target meanwhile."
    )


def _table(errors: Mapping[str, Mapping[str, Errors]]) -> Markup:
    """Mean and deviation by solver, of the skeletons on which all of them ran."""
    heads = ("skeleton", "solver", *SHORT)
    rows = [
        element(
            "tr",
            element("td", letter),
            element("th", solver, scope="row"),
            *(element("td", f"{one[measure].mean():.5f} ± {one[measure].std():.5f}") for measure in MEASURES),
        )
        for letter, by_solver in errors.items()
        if DLS in by_solver
        for solver, one in by_solver.items()
    ]
    top = element("tr", *(element("th", head, scope="col", style="padding:8px 14px 8px 10px") for head in heads))
    table = element("table", element("thead", top), element("tbody", *rows), class_="joints")
    return element("div", table, class_="scroll")
