"""What stands in a film beside its figures."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from animato.report.kit.film.numbers import Reel


class Thing(Protocol):
    """A kind of thing that a player can draw; the script has a function of the name of its `kind`."""

    @property
    def layer(self) -> str:
        """Words of the switch that shows and hides it; "" where it has none."""

    @property
    def shown(self) -> bool:
        """Whether it is shown at first."""

    def data(self, reel: Reel) -> dict[str, Any]:
        """What the script draws, with its `kind`."""

    def cloud(self) -> np.ndarray:
        """Points that must be seen [m], [point, 3]."""


def some_of(places: np.ndarray, most: int = 200) -> np.ndarray:
    """At most so many of some points that are known [m], [point, 3]."""
    flat = np.reshape(places, (-1, 3))
    flat = flat[np.isfinite(flat).all(axis=1)]
    return flat[:: max(1, len(flat) // most)]


def at_moments(reel: Reel, times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values at the moments of a film, straight between given times [s], [moment, ...]; what was NaN stays NaN."""
    flat = values.reshape(len(values), -1)
    if len(times) == 1:
        flat = np.repeat(flat, len(reel.times), axis=0)
    else:
        place = np.interp(reel.times, times, np.arange(len(times)))
        low = np.minimum(place.astype(int), len(times) - 2)
        share = (place - low)[:, None]
        flat = np.where(share == 0.0, flat[low], (1.0 - share) * flat[low] + share * flat[low + 1])
    return flat.reshape(len(reel.times), *values.shape[1:])
