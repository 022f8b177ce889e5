"""The path of a point in a film, and lines that stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character import Character
from animato.motion import Clip
from animato.report.kit.film.numbers import Reel, short
from animato.report.kit.film.thing import at_moments, some_of
from animato.view.raster import Colour
from animato.view.scene import point_path

WARM: Colour = (0.91, 0.36, 0.16)
COOL: Colour = (0.27, 0.30, 0.93)
"""Colours of what the robot does and of what was asked for, readable on light and on dark."""


@dataclass(frozen=True, eq=False)
class Trail:
    """A line along which a point goes.

    Attributes:
        times: [s], [time].
        places: [m], NaN where it is broken, [time, 3].
        colour: sRGB.
        growing: Whether it ends where the point is; the whole path otherwise.
        dashed: Whether it is a reference beside another one.
        lasting_s: How long what is growing is seen [s]; to the end where not given.
        layer: Words of its switch.
        shown: Whether it is shown at first.
    """

    times: np.ndarray
    places: np.ndarray
    colour: Colour = WARM
    growing: bool = True
    dashed: bool = False
    lasting_s: float | None = None
    layer: str = "trails"
    shown: bool = True

    def data(self, reel: Reel) -> dict[str, Any]:
        """For the script."""
        places = at_moments(reel, self.times, self.places)
        return {
            "kind": "trail",
            "points": reel.points(places[:, None]),
            "colour": short(self.colour),
            "growing": self.growing,
            "dashed": self.dashed,
            "lasting": self.lasting_s,
        }

    def cloud(self) -> np.ndarray:
        """Points that must be seen [m], [point, 3]."""
        return some_of(self.places)


@dataclass(frozen=True, eq=False)
class Line:
    """A line that is there all the time, such as what was drawn; corners of it stay, however fast they are passed.

    Attributes:
        places: [m], NaN between pieces that are not joined, [place, 3].
        colour: sRGB.
        dashed: Whether it is a reference beside another one.
        layer: Words of its switch.
        shown: Whether it is shown at first.
    """

    places: np.ndarray
    colour: Colour = COOL
    dashed: bool = False
    layer: str = "lines"
    shown: bool = True

    def data(self, reel: Reel) -> dict[str, Any]:
        """For the script."""
        line = reel.line(self.places)
        return {"kind": "line", "line": line, "colour": short(self.colour), "dashed": self.dashed}

    def cloud(self) -> np.ndarray:
        """Points that must be seen [m], [point, 3]."""
        return some_of(self.places)


def trail_of(
    character: Character,
    clip: Clip,
    name: str,
    *,
    colour: Colour = WARM,
    dashed: bool = False,
    lasting_s: float | None = None,
    shown: bool = True,
) -> Trail:
    """The path of an end-point, marker or body.

    Args:
        character: Who moves.
        clip: How.
        name: Of the point.
        colour: sRGB.
        dashed: Whether it is a reference beside another one.
        lasting_s: How long it is seen [s]; to the end where not given.
        shown: Whether it is shown at first.
    """
    path = point_path(character, clip, name)
    return Trail(*path, colour=colour, dashed=dashed, lasting_s=lasting_s, shown=shown)
