"""Puts a flat stroke into the world: onto a plane, moved, scaled, turned, mirrored."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

import numpy as np

from animato.errors import MotionError, OptionError
from animato.motion import Stroke

_AXES = {
    f"{sign}{axis}": (-1.0 if sign == "-" else 1.0) * np.eye(3)[index]
    for index, axis in enumerate("xyz")
    for sign in ("", "-")
}
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?"
_TEXT = re.compile(
    rf"(?P<u>-?[xyz])(?P<v>-?[xyz])(?:\s+at\s+(?P<at>{_NUMBER}(?:\s*,\s*{_NUMBER}){{2}}))?"
    rf"(?:\s+scale\s+(?P<scale>{_NUMBER}))?(?:\s+turn\s+(?P<turn>{_NUMBER}))?(?P<mirror>\s+mirror)?"
)
_HELP = (
    "A plane is two axes of the world, those to the right and up of the drawing, and what shall happen to it: "
    "'xz at 0.5,0,0.6 scale 2 turn 30 mirror'."
)


@dataclass(frozen=True, eq=False)
class Plane:
    """A drawing board in the world, and how a drawing comes onto it.

    A point (x, y) of the drawing goes to origin + scale * (x' u + y' v), with (x', y') turned and, if wanted,
    mirrored first.

    Attributes:
        origin: Where the drawing's origin goes, or its middle where `centred` [m].
        u: The way that is right in the drawing, a unit vector.
        v: The way that is up in the drawing, a unit vector at a right angle to u.
        scale: Metres in the world for each in the drawing.
        turn: Counter-clockwise, as seen in the drawing [rad].
        mirror: Whether y goes down in the drawing, as on a screen.
        centred: Whether `origin` is for the middle of the drawing's box, not for its own origin.
    """

    origin: np.ndarray
    u: np.ndarray
    v: np.ndarray
    scale: float = 1.0
    turn: float = 0.0
    mirror: bool = False
    centred: bool = False

    def __post_init__(self) -> None:
        for name in ("origin", "u", "v"):
            vector = np.array(getattr(self, name), dtype=np.float64)
            if vector.shape != (3,) or not np.all(np.isfinite(vector)):
                raise OptionError(f"'{name}' of a plane is 3 finite numbers, given {getattr(self, name)}.")
            object.__setattr__(self, name, vector)
        lengths = np.linalg.norm(self.u), np.linalg.norm(self.v)
        if abs(lengths[0] - 1.0) > 1e-9 or abs(lengths[1] - 1.0) > 1e-9 or abs(self.u @ self.v) > 1e-9:
            raise OptionError("u and v of a plane are unit vectors at a right angle.")
        if not (math.isfinite(self.scale) and self.scale > 0.0):
            raise OptionError(f"The scale of a plane is a number above 0, given {self.scale}.")
        if not math.isfinite(self.turn):
            raise OptionError(f"The turn of a plane is a finite angle, given {self.turn}.")

    @property
    def normal(self) -> np.ndarray:
        """The way out of the drawing, towards who looks at it."""
        return np.cross(self.u, self.v)

    def to_world(self, flat: np.ndarray) -> np.ndarray:
        """Points [m] of a drawing, shape [point, 2], in the world, shape [point, 3]."""
        middle = 0.5 * (flat.min(axis=0) + flat.max(axis=0)) if self.centred else np.zeros(2)
        x, y = (flat - middle).T
        y = -y if self.mirror else y
        c, s = math.cos(self.turn), math.sin(self.turn)
        return self.origin + self.scale * (np.outer(c * x - s * y, self.u) + np.outer(s * x + c * y, self.v))

    def fixed(self, flat: np.ndarray) -> Plane:
        """The same board for parts of a drawing: where it is `centred`, with the middle of all of it as its middle.

        Args:
            flat: All points [m] of the drawing, shape [point, 2].
        """
        if not self.centred:
            return self
        middle = 0.5 * (flat.min(axis=0) + flat.max(axis=0))
        shift = replace(self, origin=np.zeros(3), centred=False).to_world(middle[None])[0]
        return replace(self, origin=self.origin - shift, centred=False)

    def resized(self, origin: np.ndarray, scale: float) -> Plane:
        """The same board elsewhere, with the middle of the drawing at `origin` [m] and another scale."""
        return replace(self, origin=origin, scale=scale, centred=True)


def parse_plane(text: str) -> Plane:
    """A plane as a person writes it.

    Args:
        text: Two axes, then in this order, each if wanted: `at x,y,z`, where the middle of the drawing goes [m]
            (without it coordinates are taken as they are), `scale` with a factor, `turn` with degrees, `mirror`.

    Raises:
        OptionError: It cannot be read.
    """
    match = _TEXT.fullmatch(" ".join(text.split()))
    if match is None:
        raise OptionError(f"'{text}' is not a plane. {_HELP}")
    if match["u"][-1] == match["v"][-1]:
        raise OptionError(f"The axes of '{text}' are the same; a plane needs two. {_HELP}")
    at = match["at"]
    return Plane(
        origin=np.zeros(3) if at is None else np.array([float(part) for part in at.split(",")]),
        u=_AXES[match["u"]],
        v=_AXES[match["v"]],
        scale=float(match["scale"] or 1.0),
        turn=math.radians(float(match["turn"] or 0.0)),
        mirror=match["mirror"] is not None,
        centred=at is not None,
    )


def placed(stroke: Stroke, plane: Plane) -> Stroke:
    """A flat stroke in the world; its times and pressure stay.

    Raises:
        MotionError: The stroke is in space already.
    """
    if stroke.points.shape[1] != 2:
        raise MotionError("Only a flat stroke can be put onto a plane; this one is in space already.")
    return Stroke(plane.to_world(stroke.points), stroke.times, stroke.pressure, stroke.source)
