"""A pace through beats: moments that keep their time.

Unknown are the robot's times at the frames. Sought is the smoothest and evenest pace y = dt/ds,

    minimize  integral of reach^2 y'^2 + (y - 1)^2  over s,  with t = s at every beat and y at least what limits leave.

Finite differences make it a least-squares problem whose matrix has five diagonals, so it is linear in the length. The
lower bounds have a price: where they leave no way through two beats, the beats win.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solveh_banded

_REACH_S = 0.4  # a slow-down is made up for within about so much time around it
_PRICE = 1e4  # of being faster than limits leave
_BEAT = 1e3  # weight of a beat, in the stiffest of all frames; what is left is taken out in the end
_ROUNDS = 30
_SLOWEST, _FASTEST = 0.05, 20.0


def times_through_beats(
    artist_times: np.ndarray, slowness: np.ndarray, quickest: np.ndarray | None, beats: np.ndarray, end: bool
) -> np.ndarray:
    """The robot's times at the frames [s], [frame].

    Args:
        artist_times: [s], [frame].
        slowness: dt/ds of the pace without beats, [frame - 1].
        quickest: Least dt/ds that limits leave, [frame - 1]; the slowness where not known.
        beats: Artist's times to keep [s], inside of the clip, rising.
        end: Whether the last frame keeps its time.
    """
    widths = np.diff(artist_times)
    least = slowness if quickest is None else np.minimum(quickest, slowness)
    place = np.clip(np.searchsorted(artist_times, beats, side="right") - 1, 0, len(widths) - 1)
    share = (beats - artist_times[place]) / widths[place]
    if end:
        place, share = np.append(place, len(widths) - 1), np.append(share, 1.0)
    active = least > 1.0
    for _ in range(_ROUNDS):
        late = _solved(widths, least, active, place, share)
        found = 1.0 + np.diff(late) / widths
        # the price is that of a square: Newton's method on it ends when the same pieces are below
        wanted = found < least
        if np.array_equal(wanted, active):
            break
        active = wanted
    late = _on_the_beat(artist_times, late, place, share)
    found = np.clip(1.0 + np.diff(late) / widths, _SLOWEST, _FASTEST)
    return np.asarray(artist_times[0] + np.append(0.0, np.cumsum(found * widths)))


def _solved(
    widths: np.ndarray, least: np.ndarray, active: np.ndarray, place: np.ndarray, share: np.ndarray
) -> np.ndarray:
    """How late the robot is at each frame, t - s [s], [frame]."""
    count = len(widths) + 1
    band, right = np.zeros((3, count)), np.zeros(count)
    # z = y - 1 on piece i is (late[i + 1] - late[i]) / width
    weight = widths * (1.0 + _PRICE * active)
    aim = np.where(active, _PRICE / (1.0 + _PRICE) * (least - 1.0), 0.0)
    square = weight / widths**2
    band[0, :-1] += square
    band[0, 1:] += square
    band[1, :-1] -= square
    right[1:] += weight * aim / widths
    right[:-1] -= weight * aim / widths
    # reach^2 (z[i + 1] - z[i])^2 / distance
    before, after = 1.0 / widths[:-1], 1.0 / widths[1:]
    bend = _REACH_S**2 / (0.5 * (widths[1:] + widths[:-1]))
    rows = (before, -(before + after), after)
    for k in range(3):
        band[0, k : count - 2 + k] += bend * rows[k] ** 2
    band[1, : count - 2] += bend * rows[0] * rows[1]
    band[1, 1 : count - 1] += bend * rows[1] * rows[2]
    band[2, : count - 2] += bend * rows[0] * rows[2]
    price = _BEAT * float(band[0].max())
    np.add.at(band[0], place, price * (1.0 - share) ** 2)
    np.add.at(band[0], place + 1, price * share**2)
    np.add.at(band[1], place, price * share * (1.0 - share))
    band[0, 0] += price
    return np.asarray(solveh_banded(band, right, lower=True, check_finite=False))


def _on_the_beat(artist_times: np.ndarray, late: np.ndarray, place: np.ndarray, share: np.ndarray) -> np.ndarray:
    """The same with what is left at the beats taken out, straight from each to the next."""
    beats = artist_times[place] + share * (artist_times[place + 1] - artist_times[place])
    left = (1.0 - share) * late[place] + share * late[place + 1]
    known = np.concatenate([artist_times[:1], beats])
    return np.asarray(late - np.interp(artist_times, known, np.concatenate([late[:1], left])))
