"""A person in a film: landmarks and the bones between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.report.kit.film.numbers import Reel, short
from animato.report.kit.film.thing import at_moments, some_of
from animato.view.raster import Colour, palette

_MOST_FRAMES = 600
_CENTRE: Colour = (0.55, 0.57, 0.62)


@dataclass(frozen=True, eq=False)
class StickFigure:
    """Landmarks that move, joined by bones.

    Attributes:
        times: [s], [time].
        places: Of landmarks [m], [time, landmark, 3].
        bones: Pairs of landmarks, each with its side: "left", "right" or "".
        markers: Whether landmarks are drawn as dots.
        edges: Pairs of landmarks that a mesh joins, [edge, 2]; none where not given.
        present: When each edge is there, [time, edge]; always where not given.
        thickness: Of bones [m].
        through: Whether it is seen through what is in front of it.
        colour: Of everything (sRGB); by sides where not given.
        shift: Where it stands beside its own place [m].
        layer: Words of its switch.
        shown: Whether it is shown at first.
    """

    times: np.ndarray
    places: np.ndarray
    bones: tuple[tuple[int, int, str], ...] = ()
    markers: bool = True
    edges: np.ndarray | None = None
    present: np.ndarray | None = None
    thickness: float = 0.012
    through: bool = False
    colour: Colour | None = None
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    layer: str = ""
    shown: bool = True

    def data(self, reel: Reel) -> dict[str, Any]:
        """For the script."""
        places = at_moments(reel, self.times, self.places) + np.array(self.shift)
        sides = {"left": palette.LEFT, "right": palette.RIGHT, "": _CENTRE}
        return {
            "kind": "sticks",
            "points": reel.points(places),
            "bones": [[a, b, *short(self.colour or sides[side])] for a, b, side in self.bones],
            "dots": short(self.colour or _CENTRE) if self.markers else None,
            "thickness": self.thickness,
            "through": self.through,
            "ink": None if self.colour is None else short(self.colour),
            "edges": [] if self.edges is None else self.edges.tolist(),
            "present": None if self.present is None else self._presence(reel),
        }

    def cloud(self) -> np.ndarray:
        """Points that must be seen [m], [point, 3]."""
        return some_of(self.places + np.array(self.shift))

    def cloud_along(self, times: np.ndarray, gone: np.ndarray) -> np.ndarray:
        """The same where it is seen by who goes along with it [m], [point, 3].

        Args:
            times: [s], rising, [time].
            gone: By how much the viewer has gone by then [m], [time, 3].
        """
        away = np.column_stack([np.interp(self.times, times, column) for column in gone.T])
        return some_of(self.places - away[:, None] + np.array(self.shift))

    def _presence(self, reel: Reel) -> dict[str, Any]:
        """When edges are there: bits of evenly spaced frames."""
        assert self.present is not None
        count = min(_MOST_FRAMES, len(reel.times))
        times = np.linspace(reel.times[0], reel.times[-1], count)
        near = np.clip(np.searchsorted(self.times, times), 0, len(self.times) - 1)
        bits = np.packbits(self.present[near].astype(bool), axis=1, bitorder="little")
        return {"count": count, "bits": reel.packer.whole(bits)}
