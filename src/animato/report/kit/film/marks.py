"""Balls, arrows and pins in a film."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.report.kit.film.numbers import Reel, short
from animato.report.kit.film.thing import at_moments, some_of
from animato.report.kit.film.trail import WARM
from animato.view.raster import Colour


@dataclass(frozen=True, eq=False)
class Ball:
    """A point that is marked, such as a target.

    Attributes:
        times: [s], [time]; one for a point that stays.
        places: [m], NaN where there is none, [time, 3].
        colour: sRGB.
        radius: [m].
        layer: Words of its switch.
        shown: Whether it is shown at first.
    """

    times: np.ndarray
    places: np.ndarray
    colour: Colour = WARM
    radius: float = 0.01
    layer: str = "targets"
    shown: bool = True

    def data(self, reel: Reel) -> dict[str, Any]:
        """For the script."""
        places = at_moments(reel, self.times, self.places)
        return {
            "kind": "ball",
            "points": reel.points(places[:, None]),
            "colour": short(self.colour),
            "radius": self.radius,
        }

    def cloud(self) -> np.ndarray:
        """Points that must be seen [m], [point, 3]."""
        return some_of(self.places)


@dataclass(frozen=True, eq=False)
class Arrow:
    """From one point to another, such as a force.

    Attributes:
        times: [s], [time].
        tails: Where it begins [m], NaN where there is none, [time, 3].
        heads: Where it ends [m], [time, 3].
        colour: sRGB.
        layer: Words of its switch.
        shown: Whether it is shown at first.
    """

    times: np.ndarray
    tails: np.ndarray
    heads: np.ndarray
    colour: Colour = WARM
    layer: str = "arrows"
    shown: bool = True

    def data(self, reel: Reel) -> dict[str, Any]:
        """For the script."""
        both = at_moments(reel, self.times, np.stack([self.tails, self.heads], axis=1))
        return {"kind": "arrow", "points": reel.points(both), "colour": short(self.colour)}

    def cloud(self) -> np.ndarray:
        """Points that must be seen [m], [point, 3]."""
        return some_of(np.stack([self.tails, self.heads]))


@dataclass(frozen=True)
class Pin:
    """A short line that is fixed to a body, with a dot in its middle, such as the axis of a joint.

    Attributes:
        body: Number of the body in its figure.
        start: On the body [m], [3].
        end: On the body [m], [3]; where it is the start there is a dot alone.
        colour: sRGB.
    """

    body: int
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    colour: Colour = WARM


@dataclass(frozen=True, eq=False)
class Pins:
    """Pins of one figure; they go where its bodies go, and are seen through what is in front of them.

    Attributes:
        pins: All of them.
        figure: Number of the figure in its film.
        dashed: Whether they are a reference beside others.
        layer: Words of their switch.
        shown: Whether they are shown at first.
    """

    pins: tuple[Pin, ...]
    figure: int = 0
    dashed: bool = False
    layer: str = "joints"
    shown: bool = True

    def data(self, reel: Reel) -> dict[str, Any]:
        """For the script."""
        rows = [[one.body, *short(one.start), *short(one.end), *short(one.colour)] for one in self.pins]
        return {"kind": "pins", "pins": rows, "figure": self.figure, "dashed": self.dashed, "through": True}

    def cloud(self) -> np.ndarray:
        """They are where the figure is, [0, 3]."""
        return np.zeros((0, 3))
