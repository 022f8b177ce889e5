"""The moments at which a motion is farthest off, with all motions in one picture each."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np

from animato.character import Character
from animato.report.bending.figures import Figure
from animato.report.kit import Markup, data_address, element
from animato.view import Ghost, render_overlays
from animato.view.raster import Colour

COLOURS: dict[str, Colour] = {"target": (0.0, 0.62, 0.45), "before": (0.84, 0.37, 0.0), "after": (0.0, 0.45, 0.7)}
_OPACITIES = {"target": 0.7, "before": 0.7, "after": 0.7}


def telling_moments(times: np.ndarray, off: np.ndarray, count: int = 4) -> list[float]:
    """The highest peaks of a curve that are well apart [s], in the order of time.

    Args:
        times: [s], [time].
        off: How far something is off, [time].
        count: How many at the most.
    """
    apart = 0.08 * (times[-1] - times[0])
    free = np.ones(len(times), dtype=bool)
    chosen: list[float] = []
    while len(chosen) < count and free.any():
        at = int(np.argmax(np.where(free, off, -1.0)))
        chosen.append(float(times[at]))
        free &= np.abs(times - times[at]) > apart
    return sorted(chosen)


def overlay_cards(
    character: Character,
    solid: Figure,
    ghosts: Sequence[Figure],
    moments: Sequence[float],
    captions: Sequence[str],
    *,
    width: int = 620,
    height: int = 500,
) -> Markup:
    """Pictures with their captions; a click takes the page's player to their moments.

    Args:
        character: Who moves.
        solid: Drawn in its own colours.
        ghosts: Drawn translucent, in the colours of their kinds.
        moments: [s].
        captions: One a moment.
        width: Of each picture [pixels].
        height: Of each picture [pixels].
    """
    images = render_figures(character, solid, ghosts, moments, width, height)
    cards = [
        element(
            "figure",
            picture_element(image, caption),
            element("figcaption", caption),
            class_="pose",
            data_time=f"{moment:.4f}",
        )
        for image, caption, moment in zip(images, captions, moments, strict=True)
    ]
    return element("div", *cards, class_="cards")


def render_figures(
    character: Character, solid: Figure, ghosts: Sequence[Figure], moments: Sequence[float], width: int, height: int
) -> list[np.ndarray]:
    """Pictures of moments [s], one figure solid and the others translucent, each sRGB bytes [height, width, 3]."""
    seen = [Ghost(one.performance, COLOURS[one.kind], _OPACITIES[one.kind]) for one in ghosts]
    return render_overlays(character, solid.performance, seen, moments, width=width, height=height)


def picture_element(image: np.ndarray, description: str) -> Markup:
    """A picture inside the page, in few bytes."""
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(image).save(stream, "WEBP", quality=82, method=4)
    style = "width:100%;display:block;border-radius:8px"
    return element("img", src=data_address(stream.getvalue(), "image/webp"), alt=description, style=style)
