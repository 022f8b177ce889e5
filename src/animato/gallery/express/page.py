"""The demo of express as one page that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from animato.gallery.express.acts import Act
from animato.gallery.express.runs import DLS, MEASURES, Errors, Tracking
from animato.report.kit import (
    PLAYER_STYLE,
    Markup,
    element,
    film_player,
    photograph,
    player_script,
    section,
    whole_page,
)

STORY, ANIMATED = "story", "animated"
"""Identifiers of the players."""

SHORT = ("combined", "orientation", "weighted posture")
"""Of MEASURES, for the heads of columns."""


def express_page(
    acts: tuple[Act, Act],
    errors: Mapping[str, Mapping[str, Errors]],
    runs: list[Tracking],
    charts: Mapping[str, Markup],
    strip: np.ndarray,
) -> str:
    """The whole page as HTML.

    Args:
        acts: What the lamp performs: in changing moods, and with an animation underneath.
        errors: By letter of the skeleton and by solver.
        runs: What the tracking chart shows.
        charts: SVG by name: "story", "histograms", "normals" and "tracking".
        strip: The picture of postures that face the same places, sRGB bytes, [row, column, 3].
    """
    samples = len(next(iter(next(iter(errors.values())).values()))[MEASURES[0]])
    moods, animated = acts
    body = element(
        "main",
        element("p", "animato express", class_="eyebrow"),
        element("h1", "Hold a posture while facing anything"),
        section(
            "It looks on while its mood changes",
            _MOODS,
            film_player(moods.film, STORY, "A lamp that follows a point with its light in changing postures"),
            charts["story"],
        ),
        section(
            "An animation underneath",
            _ANIMATED,
            film_player(animated.film, ANIMATED, "A lamp that plays an animation and keeps facing one place"),
        ),
        section(
            "Four postures, two places", _STRIP, photograph(strip, "A lamp in four postures that faces two places")
        ),
        section("Tracking a circling target", _tracking_words(runs), charts["tracking"]),
        section("Solvers side by side", _NORMALS, charts["normals"], _table(errors)),
        section("Errors on the seven test skeletons", _HISTOGRAMS.format(samples=samples), charts["histograms"]),
        player_script(),
    )
    return whole_page("animato express: the demo", body, styles=(PLAYER_STYLE,))


_MOODS = (
    "The lamp follows a wandering point with its light. Meanwhile it is told to hold another posture: it goes there, "
    "and its light stays on the point. Orange: where it looks. Purple: the point. Translucent: the posture that is "
    "held. A click on the curves shows that moment."
)
_ANIMATED = (
    "A keyframed clip in which the lamp looks left, looks right and nods goes on underneath; what it does to the body "
    "is kept, and the light stays where it is told to."
)
_STRIP = "The same lamp, the same two places, four moods: what is faced does not decide how it feels."
_NORMALS = (
    "Normal distributions with the mean and standard deviation of each solver's errors on the same samples, each "
    "curve scaled to its own peak. Further left and narrower is better. ERIK is the method of Ribeiro and Paiva "
    "(2019); DLS400 is damped least squares with 400 iterations."
)
_HISTOGRAMS = (
    "{samples} samples of each skeleton's sweep of postures and targets, drawn by a fixed seed. Share of samples in "
    "each bin; errors beyond the right edge count in the last bin. In the titles: means of animato / ERIK."
)


def _tracking_words(runs: list[Tracking]) -> str:
    largest = [float(np.degrees(np.abs(np.diff(run.positions, axis=0)).max())) for run in runs]
    steps = " and ".join(f"{step:.1f}° for {run.character}" for step, run in zip(largest, runs, strict=True))
    return (
        "A target circles the character at 25 degrees a second, 50 frames a second, as the motion filter performs it. "
        "Dashed lines: a change to another branch of solutions begins. Shaded: it is under way. The speed limit allows "
        f"a joint {np.degrees(runs[0].largest_step):.1f}° between two frames; the largest step was {steps}. Where no "
        "branch goes on, the joints leap to another one and do not face the target meanwhile."
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
