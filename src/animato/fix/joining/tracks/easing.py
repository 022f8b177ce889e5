"""The calmest way of one number from a state to a state inside its limits.

On pieces of constant jerk j the position q is a cubic spline, and so one with the clip's own frames. Sought is

    minimize  integral (tau^3 (j - r'''))^2 + (q - r)^2   with  q, q', q'' given at both ends,
              lower <= q <= upper,  |q'| <= V,  |q''| <= A,  |j| <= J  at every moment,

where r is the way of degree five between the two positions with as much of the speeds at the ends as leads from the
one to the other. From rest to rest that is the minimum-jerk way, and at one speed a straight line; it is taken itself
where limits leave it. What else a track does at an end dies away within about tau. Limits between knots hold by the
Bernstein coefficients of each half piece. It is a least-distance program, which nonnegative least squares answer
exactly (Lawson and Hanson, Solving Least Squares Problems, chapter 23).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import null_space, solve_triangular
from scipy.optimize import nnls

from animato.fix.joining.tracks.track import Track, TrackBounds, TrackState

TAU_S = 0.2
"""How long a speed lasts that a track has at an end [s]."""

_SWIFT = 1.5  # times the mean speed: with faster ends the way of degree five would swing past the other end
_RELAXED = 2e-7  # of a limit: so that a way that uses all of it is found in spite of rounding
_KEPT = 6e-7  # of a limit: by how much an answer may miss; `SHARE_TOLERANCE` is 1e-6
_MEETS = 1e-9  # by how much the end may be missed, in the units of the states


@dataclass(frozen=True, eq=False)
class Pieces:
    """How a transition is cut.

    Attributes:
        steps: Lengths of the pieces of constant jerk [s], [piece].
        tied: Pieces whose jerk is that of the piece before, so that the spline's condition at an end of a clip holds.
        still: Pieces without jerk, for the same reason.
    """

    steps: np.ndarray
    tied: tuple[int, ...] = ()
    still: tuple[int, ...] = ()


class _Rows(NamedTuple):
    """Numbers that depend on the jerks x: `slopes` x + `values`; shapes [row, piece] and [row]."""

    slopes: np.ndarray
    values: np.ndarray

    def plus(self, other: _Rows, factor: np.ndarray) -> _Rows:
        return _Rows(self.slopes + factor[:, None] * other.slopes, self.values + factor * other.values)


def eased(track: Track, pieces: Pieces) -> np.ndarray | None:
    """The jerk of each piece [rad/s^3 or m/s^3], [piece]; None where no way keeps the limits in this time."""
    steps = pieces.steps
    knots = _knots(track.begin, steps)
    found = _meeting(track, pieces, knots)
    if found is None:
        return None
    start, freedom = found
    limits, bounds = _limit_rows(knots, steps, track.bounds)
    if not freedom.shape[1]:
        return start if _kept(limits, bounds, start) else None
    # min |M (start + Z z) - c| by M Z = Q R: y = R z - Q^T (c - M start)
    matrix, wanted = _objective(track, knots, steps)
    orthogonal, triangle = np.linalg.qr(matrix @ freedom)
    middle = orthogonal.T @ (wanted - matrix @ start)
    calm = start + freedom @ solve_triangular(triangle, middle)
    if _kept(limits, bounds, calm):
        return calm
    slopes = solve_triangular(triangle, (limits.slopes @ freedom).T, trans="T").T
    room = bounds + _RELAXED - limits.values - limits.slopes @ calm
    moved = _least_move(slopes, room)
    if moved is None:
        return None
    jerks = calm + freedom @ solve_triangular(triangle, moved)
    return jerks if _kept(limits, bounds, jerks) else None


def states_along(begin: TrackState, jerks: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Position, velocity and acceleration at the ends of steps with these jerks, the begin included, [step + 1, 3]."""
    states = np.empty((len(steps) + 1, 3))
    states[0] = begin
    for n, (jerk, h) in enumerate(zip(jerks, steps, strict=True)):
        q, v, a = states[n]
        states[n + 1] = (
            q + h * (v + h * (a / 2.0 + h * jerk / 6.0)),
            v + h * (a + h * jerk / 2.0),
            a + h * jerk,
        )
    return states


def _knots(begin: TrackState, steps: np.ndarray) -> tuple[_Rows, _Rows, _Rows]:
    """Position, velocity and acceleration at all knots."""
    count = len(steps)
    values = states_along(begin, np.zeros(count), steps)
    slopes = np.zeros((3, count + 1, count))
    for n, h in enumerate(steps):
        q, v, a = slopes[:, n]
        slopes[0, n + 1], slopes[1, n + 1], slopes[2, n + 1] = q + h * (v + h / 2.0 * a), v + h * a, a
        slopes[:, n + 1, n] += (h**3 / 6.0, h**2 / 2.0, h)
    q, v, a = (_Rows(slopes[order], values[:, order]) for order in range(3))
    return q, v, a


def _meeting(track: Track, pieces: Pieces, knots: tuple[_Rows, ...]) -> tuple[np.ndarray, np.ndarray] | None:
    """Some jerks with which the end is met, and directions in which they may change [piece, free]."""
    rows, targets = [], []
    for order, knot in enumerate(knots):
        if order == 0 and track.free_end:
            continue
        rows.append(knot.slopes[-1])
        targets.append(track.end[order] - knot.values[-1])
    unit = np.eye(len(pieces.steps))
    rows += [unit[one] - unit[one - 1] for one in pieces.tied] + [unit[one] for one in pieces.still]
    targets += [0.0] * (len(pieces.tied) + len(pieces.still))
    matrix, target = np.array(rows), np.array(targets)
    size = np.linalg.norm(matrix, axis=1)
    start = np.linalg.lstsq(matrix / size[:, None], target / size, rcond=None)[0]
    if np.abs(matrix @ start - target).max() > _MEETS:
        return None
    return start, null_space(matrix / size[:, None])


def _objective(track: Track, knots: tuple[_Rows, ...], steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """M and c of |M x - c|^2."""
    times = np.concatenate([[0.0], np.cumsum(steps)])
    way, bend = _wanted_way(track, times)
    weight = np.sqrt(steps)
    jerk_weight, place = TAU_S**3 * weight, knots[0]
    matrix = np.vstack([np.diag(jerk_weight), weight[:, None] * place.slopes[1:]])
    wanted = np.concatenate([jerk_weight * np.diff(bend) / steps, weight * (way[1:] - place.values[1:])])
    return matrix, wanted


def _wanted_way(track: Track, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions and accelerations of r: the way of degree five without acceleration at its ends, [time]."""
    total, gap = times[-1], track.end.position - track.begin.position
    mean = gap / total
    first, last = (_along(one.velocity, mean) for one in (track.begin, track.end))
    s = times / total
    cubic = 10.0 * gap - total * (6.0 * first + 4.0 * last)
    fourth = -15.0 * gap + total * (8.0 * first + 7.0 * last)
    fifth = 6.0 * gap - 3.0 * total * (first + last)
    way = track.begin.position + total * first * s + s**3 * (cubic + s * (fourth + s * fifth))
    return way, s * (6.0 * cubic + s * (12.0 * fourth + 20.0 * s * fifth)) / total**2


def _along(speed: float, mean: float) -> float:
    """The part of a speed at an end that leads to the other end, and not past it."""
    most = _SWIFT * abs(mean)
    return math.copysign(min(max(math.copysign(1.0, mean) * speed, 0.0), most), mean)


def _limit_rows(knots: tuple[_Rows, _Rows, _Rows], steps: np.ndarray, bounds: TrackBounds) -> tuple[_Rows, np.ndarray]:
    """Rows and what they may be at most, both as shares of the limits."""
    count, blocks, most = len(steps), [], []

    def add(rows: _Rows, low: float, high: float, unit: float) -> None:
        for sign, bound in ((1.0, high), (-1.0, -low)):
            if np.isfinite(bound):
                blocks.append(_Rows(sign / unit * rows.slopes, sign / unit * rows.values))
                most.append(np.full(len(rows.values), bound / unit))

    before, after = slice(0, count), slice(1, count + 1)
    first, last = ([_Rows(one.slopes[part], one.values[part]) for one in knots] for part in (before, after))
    middle = _middle(first, steps)
    half = steps / 2.0
    if np.isfinite(bounds.jerk):
        add(_Rows(np.eye(count), np.zeros(count)), -bounds.jerk, bounds.jerk, bounds.jerk)
    if np.isfinite(bounds.acceleration):
        add(last[2], -bounds.acceleration, bounds.acceleration, bounds.acceleration)
    if np.isfinite(bounds.velocity):
        for rows in (first[1].plus(first[2], half / 2.0), middle[1], last[1].plus(last[2], -half / 2.0), last[1]):
            add(rows, -bounds.velocity, bounds.velocity, bounds.velocity)
    low, high = bounds.lower, bounds.upper
    if np.isfinite(low) or np.isfinite(high):
        unit = max(0.5 * (high - low), 1e-9) if np.isfinite(high - low) else 1.0
        for side, states in ((1.0, first), (-1.0, middle), (1.0, middle), (-1.0, last)):
            add(states[0].plus(states[1], side * half / 3.0), low, high, unit)
        add(middle[0], low, high, unit)
        add(last[0], low, high, unit)
    if not blocks:
        return _Rows(np.zeros((0, count)), np.zeros(0)), np.zeros(0)
    slopes = np.concatenate([one.slopes for one in blocks])
    return _Rows(slopes, np.concatenate([one.values for one in blocks])), np.concatenate(most)


def _middle(first: list[_Rows], steps: np.ndarray) -> tuple[_Rows, _Rows]:
    """Position and velocity in the middle of each piece."""
    h, count = steps / 2.0, len(steps)
    jerk = _Rows(np.eye(count), np.zeros(count))
    place = first[0].plus(first[1], h).plus(first[2], h**2 / 2.0).plus(jerk, h**3 / 6.0)
    return place, first[1].plus(first[2], h).plus(jerk, h**2 / 2.0)


def _kept(rows: _Rows, bounds: np.ndarray, jerks: np.ndarray) -> bool:
    return bool(np.all(rows.slopes @ jerks + rows.values <= bounds + _KEPT))


def _least_move(slopes: np.ndarray, room: np.ndarray) -> np.ndarray | None:
    """The shortest y with slopes y <= room; None where there is none."""
    size = np.linalg.norm(slopes, axis=1)
    stiff = size < 1e-14 * size.max(initial=1e-300)
    if np.any(room[stiff] < -_KEPT):
        return None  # rows that nothing can change, as those of the given begin
    slopes, room = slopes[~stiff] / size[~stiff, None], room[~stiff] / size[~stiff]
    far = float(-room.min())  # y is at least so long: the unit of the program
    matrix = np.vstack([-slopes.T, -room / far])
    target = np.zeros(len(matrix))
    target[-1] = 1.0
    try:
        pushes, _ = nnls(matrix, target)
    except RuntimeError:  # it went on for too long: no answer
        return None
    rest = matrix @ pushes - target
    if rest[-1] > -1e-12:
        return None
    return -far * rest[:-1] / rest[-1]
