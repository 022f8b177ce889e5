"""A sharper lower bound of a timing problem: what the first one leaves possible is used to narrow the relaxation.

Let d be how far the best known objective lies above a proven bound. The Lagrangian behind that bound is a sum of
parabolas in the timing errors e, so a motion that is better than the best known has

    sum w (e - e*)^2 <= d

with the e* of its vertices: the timing of every better motion is known up to little. In the relaxation b may be large
where time passes slowly; a motion cannot do that. If b were B at a grid point, limits on acceleration would keep it
large about there, the robot would pass in a certain time at most, and its errors would fall at least by so much on the
way. The least sum of squares of errors that fall so is their variance. Where it exceeds d, b <= B is proven for every
better motion, and may be added to the relaxation.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.solvers.timing.arrays import ABSOLUTE, FIXED_DURATION, RELATIVE, Iterate, TimingArrays
from animato.solvers.timing.bound import bound_delays, timing_lower_bound
from animato.solvers.timing.solver import TimingSolution, solve_timing
from animato.solvers.timing.times import half_time

_ROUNDS = 4
_SHORTER = (
    0.99,
    0.98,
    0.97,
    0.96,
    0.95,
    0.9,
    0.8,
)  # shares of the best known duration below which better motions may be ruled out
_FINER = 2
_HALVINGS = 12
_ITERATIONS = 150


def sharper_bound(
    problem: TimingArrays,
    best: TimingSolution,
    relaxation: TimingSolution,
    bound: float,
    highest: np.ndarray,
    longest: float,
    *,
    enough: float,
) -> float:
    """No feasible motion has a smaller objective than this; at least the bound that is given.

    Args:
        problem: The problem.
        best: The best known motion.
        relaxation: Of the relaxed problem, that proves the bound.
        bound: That bound.
        highest: No feasible b is larger, [N + 1].
        longest: No motion that is better than the best known one takes longer.
        enough: Share of the objective that is good enough.
    """
    relaxed = problem._replace(relaxed=True)
    # of this very relaxation, whose parabolas are used
    proven = timing_lower_bound(relaxed, relaxation, highest, longest)
    shortest, narrowed = (0.0 if problem.mode == RELATIVE else 1.0), relaxed
    for _ in range(_ROUNDS):
        if bound >= enough * best.objective:
            break
        if problem.mode == RELATIVE:
            shortest = _shortest(narrowed, best, highest, shortest)
        moments = np.empty((len(problem.widths), 3))
        vertices_kernel(relaxed, relaxation.iterate, relaxation.multiplier, moments)
        if np.abs(moments).max() > longest:  # then these are not the vertices that the bound is from
            break
        room = max(best.objective - proven, 0.0)
        narrower = np.empty(len(highest))
        narrow_kernel(relaxed, moments, room, shortest, best.b, highest, narrower)
        narrowed = _with_tops(relaxed, narrower)
        relaxation = _solved(narrowed, best)
        found = timing_lower_bound(narrowed, relaxation, narrower, longest)
        if found <= proven + 1e-5 * best.objective:
            break
        proven, highest = found, narrower
        bound = max(bound, min(found, best.objective))
    return bound


def _shortest(relaxed: TimingArrays, best: TimingSolution, highest: np.ndarray, known_before: float) -> float:
    """A duration that no better motion has less of.

    The least objective of the relaxation is convex in the duration. Where it is above the best known one, at a duration
    below that one's, it is so at all that are still shorter.
    """
    known = float(best.times[-1, 2])
    possible, ruled_out = 1.0, known_before / known
    for share in _SHORTER:
        if share <= ruled_out or _is_ruled_out(relaxed, best, highest, share * known):
            ruled_out = max(share, ruled_out)
            break
        possible = share
    for _ in range(_FINER):
        share = 0.5 * (possible + ruled_out)
        if ruled_out > 0.0 and _is_ruled_out(relaxed, best, highest, share * known):
            ruled_out = share
        else:
            possible = share
    return ruled_out * known


def _is_ruled_out(relaxed: TimingArrays, best: TimingSolution, highest: np.ndarray, duration: float) -> bool:
    """Whether no motion of a duration is better than the best known one."""
    fixed = relaxed._replace(mode=FIXED_DURATION, duration=duration, drawn=relaxed.drawn * duration)
    return timing_lower_bound(fixed, _solved(fixed, best), highest, duration) > best.objective


def _solved(relaxed: TimingArrays, best: TimingSolution) -> TimingSolution:
    return solve_timing(
        relaxed, 0.9 * best.b, best.waits, 0.9 * best.bends, tolerance=2e-7, gap=1.0, most_iterations=_ITERATIONS
    )


def _with_tops(problem: TimingArrays, tops: np.ndarray) -> TimingArrays:
    """The problem with one more row a segment: b at its end is at most its top."""
    count = np.diff(problem.first_row)
    extra = np.stack([0.0 * tops, 1.0 / np.maximum(tops, 1e-12), 0.0 * tops, 0.0 * tops + 1.0], axis=1)[1:]
    extra[~problem.moves[1:]] = [0.0, 0.0, 0.0, 1.0]
    rows = np.insert(problem.rows, problem.first_row[1:], extra, axis=0)
    return problem._replace(rows=rows, first_row=np.concatenate([[0], np.cumsum(count + 1)]))


@kernel
def vertices_kernel(p: TimingArrays, now: Iterate, nu: float, vertices: np.ndarray) -> None:
    """Writes the errors e* at which the parabolas of the bound have their vertices, [N, 3]."""
    delays = np.empty((len(p.widths), 3))
    bound_delays(p, now, nu, delays)
    count = len(p.widths)
    for i in range(count):
        for k in range(3):
            following = delays[i + 1, 0] if i + 1 < count else 0.0
            slope = delays[i, k] - (delays[i, k + 1] if k < 2 else following)
            if i == count - 1 and k == 2 and p.mode == ABSOLUTE:
                slope -= p.gamma
            vertices[i, k] = 0.5 * slope / p.weights[i, k] if p.weights[i, k] > 0.0 else 0.0
    # errors that are known: of the start, and of the end unless drawn times count as they are
    vertices[0, 0] = -p.drawn[0, 0] if p.mode != RELATIVE else 0.0
    if p.mode == RELATIVE:
        vertices[-1, 2] = 0.0
    elif p.mode == FIXED_DURATION:
        vertices[-1, 2] = p.duration - p.drawn[-1, 2]


@inlined_kernel
def _least_beside(p: TimingArrays, i: int, value: float, forward: bool) -> float:
    """The least b at the other end of a segment, whatever the bend, where b is at least `value` at one end."""
    least = 0.0
    near, far = (0, 1) if forward else (1, 0)
    for j in range(p.first_row[i], p.first_row[i + 1]):
        if p.rows[j, far] < 0.0 and p.rows[j, near] > 0.0:
            room = p.rows[j, 3] + abs(p.rows[j, 2]) * p.most_bent[i]
            least = max(least, (p.rows[j, near] * value - room) / -p.rows[j, far])
    return least


@inlined_kernel
def _longest_half(width: float, near: float, far: float, bend: float) -> float:
    """The longest time of the half at `near`, where b at both ends is at least this and bends by at most so much."""
    if bend >= 0.49 * (near + far):  # b may come to rest inside
        return np.inf
    time, _ = half_time(width, near, far, -bend)
    return float(time)


@kernel
def _variance(
    p: TimingArrays, vertices: np.ndarray, shortest: float, j: int, top: float, drops: np.ndarray, mass: np.ndarray
) -> float:
    """The least sum of w (e - e*)^2 of a motion with b = top at grid point j."""
    count, used = len(p.widths), 1
    total = average = square = 0.0
    drops[0], mass[0] = 0.0, p.weights[j - 1, 2] + p.weights[j, 0]
    for side in range(2):
        value, drop, i = top, 0.0, (j if side == 0 else j - 1)
        while 0 <= i < count:
            forward = side == 0
            other = _least_beside(p, i, value, forward)
            if (not forward and p.may_wait[i]) or (forward and i + 1 < count and p.may_wait[i + 1]):
                other = 0.0
            halves = (
                _longest_half(p.widths[i], value, other, p.most_bent[i]),
                _longest_half(p.widths[i], other, value, p.most_bent[i]),
            )
            over = False
            for n in range(2):
                a, b = (n, n + 1) if forward else (1 - n, 2 - n)
                way = shortest * (p.drawn[i, b] - p.drawn[i, a]) + vertices[i, b] - vertices[i, a]
                step = way - halves[n]
                if not step > 0.0:
                    over = True
                    break
                drop += step
                # errors fall along the path: behind the point they are less, before it more
                drops[used], mass[used] = (drop if forward else -drop), p.weights[i, b if forward else a]
                if n == 1 and forward and i + 1 < count and not p.may_wait[i + 1]:
                    mass[used] += p.weights[i + 1, 0]  # the same moment
                if n == 1 and not forward and i > 0 and not p.may_wait[i]:
                    mass[used] += p.weights[i - 1, 2]
                used += 1
            if over or other <= 0.0:
                break
            value = other
            i += 1 if forward else -1
    for n in range(used):
        total += mass[n]
        average += mass[n] * drops[n]
    if total <= 0.0:
        return 0.0
    average /= total
    for n in range(used):
        square += mass[n] * (drops[n] - average) ** 2
    return square


@kernel
def narrow_kernel(
    p: TimingArrays,
    vertices: np.ndarray,
    room: float,
    shortest: float,
    known: np.ndarray,
    highest: np.ndarray,
    narrower: np.ndarray,
) -> None:
    """Writes a b at each grid point that no better motion exceeds, [N + 1].

    Args:
        p: The problem.
        vertices: The errors e*, [N, 3].
        room: d, the most that the sum of w (e - e*)^2 may be.
        shortest: The least duration of a better motion, where drawn times are relative; else 1.
        known: b of the best known motion, [N + 1].
        highest: No feasible b is larger, [N + 1].
        narrower: Written.
    """
    drops, mass = np.empty(2 * len(p.widths) + 4), np.empty(2 * len(p.widths) + 4)
    for j in range(len(highest)):
        narrower[j] = highest[j]
        if not p.moves[j] or _variance(p, vertices, shortest, j, highest[j], drops, mass) <= room:
            continue
        low, high = min(known[j], highest[j]), highest[j]
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            if _variance(p, vertices, shortest, j, middle, drops, mass) > room:
                high = middle
            else:
                low = middle
        narrower[j] = high
