"""The part of the page that shows soles that were guessed, so that a wrong guess is seen."""

from __future__ import annotations

import numpy as np

from animato.character.structure import rest_poses
from animato.findings import CheckResult
from animato.report.kit import Axes, Markup, element, path

WIDTH, HEIGHT = 560, 240
PLOT = (64.0, 16.0, 482.0, 190.0)
"""Left, top, width and height of the plot [pixels]."""


def sole_section(result: CheckResult) -> Markup:
    """The outlines of the soles at rest, from above."""
    guess = result.sole_guess
    assert guess is not None  # for the type checker: the page asks for it only then
    poses = rest_poses(result.character)
    outlines = [np.asarray(poses[sole.body].apply(np.array(sole.corners)))[:, :2] for sole in guess.soles]
    axes = _same_scale(np.concatenate(outlines))
    labels = [
        element(
            "text",
            sole.body,
            x=f"{float(axes.x(outline[:, 0].mean())):.1f}",
            y=f"{float(axes.y(outline[:, 1].mean())):.1f}",
            text_anchor="middle",
        )
        for sole, outline in zip(guess.soles, outlines, strict=True)
    ]
    title = f"Soles of {result.character.name} from above: {guess.reason}"
    picture = element(
        "svg",
        element("title", title),
        axes.frame(across_unit=" m", up_ticks=4),
        axes.inside(
            *(element("path", class_="band", d=path(axes.x(one[:, 0]), axes.y(one[:, 1])) + "Z") for one in outlines)
        ),
        *labels,
        class_="curve",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
    )
    words = "Seen from above at rest, forward to the right, in metres. If these are not its soles, name them."
    return element(
        "section",
        element("h2", "Soles", id="soles"),
        element("p", f"{result.character.name} states no soles. Taken for soles: {guess.reason}.", class_="lead"),
        element("div", element("figure", picture, element("figcaption", words), class_="card"), class_="cards"),
    )


def _same_scale(points: np.ndarray) -> Axes:
    """Axes in which a metre is as long across as up, with all points in them."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, (_, _, width, height) = 0.5 * (low + high), PLOT
    scale = 1.2 * max(float((high[0] - low[0]) / width), float((high[1] - low[1]) / height), 1e-4)
    across, up = 0.5 * scale * width, 0.5 * scale * height
    return Axes(*PLOT, (middle[0] - across, middle[0] + across), (middle[1] - up, middle[1] + up))
