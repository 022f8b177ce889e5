"""The tempo of a window as numbers at nodes: what it may do, sweeps and easing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter1d, minimum_filter1d, uniform_filter1d

from animato.fix.pace.limit_rows import HOPELESS, SpeedRows
from animato.fix.pace.sweep import sweep
from animato.fix.pace.time_map import Pace

NODES_A_FRAME = 2

_SPREAD = 2  # frames around a moment that is slowed
_SPEED_ROUNDS = 2  # of tangents to the motors' lines
_EASE_STEPS = 6  # of a filter on either side
_MOST_STEPS = 40  # a node: of a tempo that is so low, easing is as coarse as need be
_LEAST_SQUARE = 1e-8


class PaceRules(NamedTuple):
    """What the tempo may do: see `local_pace`.

    Attributes:
        change: Largest |s''| [1/s].
        ease_s: [s].
        slowest, fastest, headroom: Tempos.
        looks: At what frames do.
    """

    change: float
    ease_s: float
    slowest: float
    fastest: float
    headroom: float
    looks: int


@dataclass(frozen=True, eq=False)
class WindowPace:
    """The answer at the nodes of a window.

    Attributes:
        b: Squared tempo, [node].
        quick: The same with the headroom as the largest tempo, [node].
        notes: What time could not do.
    """

    b: np.ndarray
    quick: np.ndarray
    notes: tuple[str, ...] = ()


def nodes_of(times: np.ndarray) -> np.ndarray:
    """The frames and places between them, [NODES_A_FRAME * (frame - 1) + 1]."""
    steps = np.arange(NODES_A_FRAME) / NODES_A_FRAME
    return np.append((times[:-1, None] + steps * np.diff(times)[:, None]).ravel(), times[-1])


def between(frames: np.ndarray) -> np.ndarray:
    """Values at the nodes from those at the frames, [node, ...]."""
    shares = (np.arange(NODES_A_FRAME) / NODES_A_FRAME).reshape(1, -1, *([1] * (frames.ndim - 1)))
    inner = frames[:-1, None] + shares * (frames[1:] - frames[:-1])[:, None]
    return np.concatenate([inner.reshape(-1, *frames.shape[1:]), frames[-1:]])


def swept(nodes: np.ndarray, rows: SpeedRows, highest: np.ndarray, rules: PaceRules) -> np.ndarray:
    """Squared tempo inside of rows, changing and easing as the rules say, [node]."""
    widths, b = np.diff(nodes), np.empty(len(nodes))
    reference = np.clip(rows.highest_tempo(), rules.slowest, highest)
    for _ in range(_SPEED_ROUNDS if np.any(rows.of_speed > 0.0) else 1):
        near = rows.near(reference, highest, rules.change)
        sweep(widths, near.first_row, near.rows, highest**2, rules.change, b)
        reference = np.clip(np.sqrt(b), rules.slowest, highest)
    return np.asarray(np.maximum(_eased(widths, b, rules.ease_s), rules.slowest**2))


def _eased(widths: np.ndarray, b: np.ndarray, ease_s: float) -> np.ndarray:
    """A squared tempo without corners, nowhere more than the given one but for what is between nodes, [node].

    First the least around each moment, then the mean around it; both over half of the time on either side.
    """
    if not ease_s > 0.0:
        return b
    tempo = np.sqrt(np.maximum(b, _LEAST_SQUARE))
    times = np.append(0.0, np.cumsum(2.0 * widths / (tempo[1:] + tempo[:-1])))
    count = int(np.clip(np.ceil(times[-1] / ease_s * 2 * _EASE_STEPS), 2, _MOST_STEPS * len(b))) + 1
    moments = np.linspace(0.0, times[-1], count)
    reach = 2 * max(round(0.5 * ease_s / moments[1]), 1) + 1
    least = minimum_filter1d(np.interp(moments, times, b), reach, mode="nearest")
    mean = uniform_filter1d(least, reach, mode="nearest")
    # the filter's running sum must not leave traces where nothing changes
    flat = minimum_filter1d(least, reach, mode="nearest") == maximum_filter1d(least, reach, mode="nearest")
    return np.minimum(np.interp(times, moments, np.where(flat, least, mean)), b)


def spread(factors: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Tempos to stay below: those that there are times the factors, also around the places, [node]."""
    wanted = np.where(factors < 1.0, factors * np.sqrt(b), np.inf)
    return np.asarray(minimum_filter1d(wanted, 2 * _SPREAD * NODES_A_FRAME + 1, mode="nearest"))


def pace_of(nodes: np.ndarray, b: np.ndarray) -> Pace:
    """The time map of a tempo at nodes."""
    tempo = np.sqrt(b)
    lasting = 2.0 * np.diff(nodes) / (tempo[1:] + tempo[:-1])
    times = nodes[0] + np.append(0.0, np.cumsum(lasting))
    return Pace(nodes[::NODES_A_FRAME], times[::NODES_A_FRAME])


def held_notes(held: np.ndarray, names: Sequence[str]) -> tuple[str, ...]:
    """Of motors that holding still takes more of than there is."""
    return tuple(
        f"Holding still alone takes {100.0 * held[d]:.0f} % of the motor of '{names[d]}'; slower would hardly help."
        for d in np.flatnonzero(held >= HOPELESS).tolist()
    )
