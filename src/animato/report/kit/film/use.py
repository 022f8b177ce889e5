"""How much of its limits each body's joints use over time: what a figure is coloured by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character import Character
from animato.mechanics.limits import LimitUsage
from animato.report.kit.film.numbers import Reel, short
from animato.report.kit.strip import ALL_KINDS, build_heat_strip, colour_indices, strip_palette

_COLUMNS = 600


@dataclass(frozen=True, eq=False)
class Use:
    """Largest share of any limit of the joints that carry each body.

    Attributes:
        edges: Where spans of time begin and end [s], [span + 1].
        shares: 1 is the limit itself, NaN where there is none, [span, body].
        axes: Name of each axis, the body it moves and where it is on that body [m].
    """

    edges: np.ndarray
    shares: np.ndarray
    axes: tuple[tuple[str, int, tuple[float, float, float]], ...] = ()

    def data(self, reel: Reel) -> dict[str, Any]:
        """For the script: colours of the heat strip by span and body."""
        return {
            "span": [round(float(self.edges[0]), 6), round(float(self.edges[-1]), 6)],
            "colours": reel.packer.whole(colour_indices(self.shares)),
            "palette": reel.packer.whole(strip_palette()),
            "axes": [[name, body, *short(place)] for name, body, place in self.axes],
        }


def use_of(character: Character, usage: LimitUsage) -> Use:
    """Use of a check, no peak of it lost.

    Args:
        character: Who moves.
        usage: Shares of all axes over time.
    """
    strip = build_heat_strip(usage, column_count=_COLUMNS)
    shares = strip.of_kind(ALL_KINDS)
    numbers = {body.name: n for n, body in enumerate(character.bodies)}
    found = np.full((strip.column_count, len(numbers)), -np.inf)
    axes = []
    for column, axis in enumerate(usage.axes):
        joint = character.joint(axis.joint)
        body = numbers[joint.child]
        x, y, z = joint.frame_child.position
        axes.append((axis.name, body, (x, y, z)))
        found[:, body] = np.fmax(found[:, body], np.nan_to_num(shares[:, column], nan=-np.inf, posinf=1e6))
    return Use(strip.edges, np.where(np.isneginf(found), np.nan, found), tuple(axes))
