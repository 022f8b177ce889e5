"""The whole search for one target, in slices: corners, then a few steps from each start, then the best to the end.

Where none of them faces the target, starts spread over the limits are tried, and only then a compromise. A chain of
three turning joints needs no such starts: its corners are all the solutions there are.

A long chain has more corners than can be tried, and its best solutions have several joints on limits. So the best one
is exchanged, as in the simplex method: one joint after another is put where it could stand instead, the others make up
for it, and what is better is kept, until nothing is.

The kernel works until its allowance is used up and can be called again to go on, so that whoever calls it can look at
the clock in between. One unit of work is about one corner configuration; a step of the local solver is several.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing.arrays import LOWER, TURN, UPPER, WEIGHT, FacingArrays
from animato.express.facing.descent import (
    FACED,
    STEEPNESS,
    Aim,
    Descent,
    descend,
    descent_memory,
    evaluate,
    orientation_cost,
    zero,
)
from animato.express.facing.looking import NOWHERE
from animato.express.facing.vertex_search import NOTHING, PERFECT, Pool, offer, try_vertices
from animato.express.facing.vertex_table import FOUND_ROWS, LANES, Vertices
from animato.express.facing.vertices import equal_inside
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import conjugate, length, quaternion, times
from animato.kernels.uncounted import uncounted_kernel

CORNERS, SHORT, LONG, SPREAD, COMPROMISE, EXCHANGE, DONE = range(7)
STAGE, POSITION, STEPS, WORK, GAINED = range(5)
UNLIMITED = 1 << 60
_STEP_UNITS = 8  # a step of the local solver, in corners
_SPREAD = 8  # starts spread over the limits
_LONG_CHAIN = 9  # joints from which on solutions are exchanged
_PLACES = 4  # where a joint could stand: the posture, its mirror image, the limits
_ROUNDS = 3  # in which all joints are exchanged, at most
_EXCHANGE_STEPS = 8  # after which a gain shows; where it goes on, it is found again in the next round
_SAME_PLACE = 1e-3  # [rad] within which a joint stands there already
_GOLDEN = 0.6180339887498949
_MIRRORED = 1e-10  # difference in price below which two finalists are mirror images of one another


class Effort(NamedTuple):
    """How much is done for one target.

    Attributes:
        faced: Corners that face the target and are kept as starts.
        missed: Corners that miss it and are kept as starts.
        short: Steps from each of them.
        finalists: Starts that go on.
        long: Most steps of those.
        tolerance: Gain of one step at which to stop, in combined error.
    """

    faced: int = 3
    missed: int = 3
    short: int = 3
    finalists: int = 2
    long: int = 25
    tolerance: float = 1e-7


class Request(NamedTuple):
    """What is asked for.

    Attributes:
        targets: exp(a_1 q_1) ... exp(a_m q_m), wxyz; the second upside down, [1 or 2, 4].
        starts: Further starts [rad], [s, m].
        near: Angles to stay near to [rad], [m].
        pull: Weight of half the squared distance from them.
        bounds: Limits that hold: LOWER, or LOW where joints may go round.
    """

    targets: np.ndarray
    starts: np.ndarray
    near: np.ndarray
    pull: float
    bounds: int


class Search(NamedTuple):
    """State of a search between slices.

    Attributes:
        angles: Starts; those that face the target come first, those that miss it after them. The last row is the best
            solution so far [rad], [size + 1, m].
        price: Of the starts, NOTHING where there is none; then combined error and angle left to turn [rad] of the best,
            [size + 2].
        counts: Which target each start is for, then stage, position in it, steps of the local solver and units of work
            so far, and the position of the last exchange that was a gain, [size + 5].
    """

    angles: np.ndarray
    price: np.ndarray
    counts: np.ndarray


@kernel
def new_search(effort: Effort, m: int) -> Search:
    """A search that has not begun."""
    size = effort.faced + effort.missed
    return Search(np.zeros((size + 1, m)), np.full(size + 2, NOTHING), np.zeros(size + 5, np.int64))


@kernel
def targets_of(target: np.ndarray, rest: np.ndarray, half_turn: np.ndarray, symmetric: bool) -> np.ndarray:
    """The turns from the end-point's orientation at zero that are asked for, wxyz, [1 or 2, 4]; arguments [1, 4]."""
    out = np.empty((2 if symmetric else 1, 4))
    turn = times(quaternion(target, 0), conjugate(quaternion(rest, 0)))
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = turn
    if symmetric:
        turn = times(turn, quaternion(half_turn, 0))
        out[1, 0], out[1, 1], out[1, 2], out[1, 3] = turn
    return out


@kernel
def search_memory(m: int) -> tuple[Descent, np.ndarray]:
    """Memory that a search of m joints needs while it runs."""
    return descent_memory(m), np.empty(FOUND_ROWS * LANES, np.float32)


@kernel
def advance(
    problem: FacingArrays, vertices: Vertices, request: Request, effort: Effort, allowance: int, search: Search
) -> bool:
    """Goes on with a search for an allowance of units of work; True where there is nothing more to do."""
    memory, lanes = search_memory(len(request.near))
    return go_on(problem, vertices, request, effort, allowance, search, memory, lanes)


@uncounted_kernel
def go_on(
    problem: FacingArrays,
    vertices: Vertices,
    request: Request,
    effort: Effort,
    allowance: int,
    search: Search,
    memory: Descent,
    lanes: np.ndarray,
) -> bool:
    """The same with memory from `search_memory`."""
    size = len(search.price) - 2
    stage = search.counts[size:]
    pool = Pool(search.angles[:size], search.price[:size], search.counts[:size])
    last = stage[WORK] + allowance
    if stage[STAGE] == CORNERS:
        _try_corners(problem, vertices, request, effort, last, search, memory, lanes)
    while DONE > stage[STAGE] > CORNERS and stage[WORK] < last:
        n = stage[POSITION]
        if n >= _count(stage, pool, effort) or (stage[STAGE] == SPREAD and search.price[size + 1] <= FACED):
            without = len(vertices.records) == 0  # then a search stays where it is
            spare = 0 if without else pool.angles.shape[1]
            _next_stage(stage, pool, search.price[size + 1] <= FACED, spare)
            continue
        stage[POSITION] += 1
        if stage[STAGE] == SPREAD:
            n = _spread(problem, request, n, pool)
        elif stage[STAGE] == EXCHANGE:
            n = _exchanged(problem, request, n, search.angles, pool, memory)
            if n < 0:
                continue
        elif pool.price[n] >= NOTHING or (stage[STAGE] != SHORT and n > 0 and _repeated(pool, n)):
            continue
        aim = Aim(quaternion(request.targets, pool.upside_down[n]), request.near, request.pull, NOWHERE)
        steps = effort.short if stage[STAGE] == SHORT else effort.long
        if stage[STAGE] == EXCHANGE:
            steps = min(steps, _EXCHANGE_STEPS)
        cost, angle, used = descend(
            problem, request.bounds, aim, stage[STAGE] != COMPROMISE, steps, effort.tolerance, memory, pool.angles, n
        )
        pool.price[n] = cost + problem.orientation * STEEPNESS * angle
        if _better(problem, search, pool.angles, n, cost, angle):
            stage[GAINED] = stage[POSITION]
        stage[STEPS] += used
        stage[WORK] += _STEP_UNITS * used
    return stage[STAGE] == DONE


@inlined_kernel
def _better(problem: FacingArrays, search: Search, rows: np.ndarray, n: int, cost: float, angle: float) -> bool:
    """Remembers row n where it is better, and says so: facing exactly comes first, then the combined error."""
    size = len(search.price) - 2
    exact, best_exact = angle <= FACED, search.price[size + 1] <= FACED
    total = cost + orientation_cost(problem, angle)
    better = (exact and not best_exact) or (exact == best_exact and total < search.price[size])
    if better:
        search.price[size], search.price[size + 1] = total, angle
        for i in range(rows.shape[1]):
            search.angles[size, i] = rows[n, i]
    return better


@inlined_kernel
def _repeated(pool: Pool, n: int) -> bool:
    """Whether a finalist, before its last steps, costs what the one before it costs."""
    return abs(pool.price[n] - pool.price[n - 1]) < _MIRRORED


@inlined_kernel
def _count(stage: np.ndarray, pool: Pool, effort: Effort) -> int:
    """How many starts a stage has."""
    size, m = pool.angles.shape
    if stage[STAGE] == SHORT:
        return size
    if stage[STAGE] == EXCHANGE:
        return min(_ROUNDS * _PLACES * m, stage[GAINED] + _PLACES * m)
    return _SPREAD if stage[STAGE] == SPREAD else min(size, effort.finalists)


@uncounted_kernel
def _spread(problem: FacingArrays, request: Request, n: int, pool: Pool) -> int:
    """Writes the n-th start that is spread over the limits into the last row, by multiples of the golden ratio."""
    row = len(pool.price) - 1
    pool.upside_down[row] = n % len(request.targets)
    for i in range(pool.angles.shape[1]):
        lower = max(problem.limits[i, LOWER], request.near[i] - np.pi)
        upper = min(problem.limits[i, UPPER], request.near[i] + np.pi)
        share = (0.5 + _GOLDEN * (n + 1) * (i + 1)) % 1.0
        pool.angles[row, i] = lower + share * (upper - lower)
    return row


@uncounted_kernel
def _exchanged(problem: FacingArrays, request: Request, n: int, angles: np.ndarray, pool: Pool, memory: Descent) -> int:
    """Writes the best solution with one joint put elsewhere into the last row; gives that row, or -1 for no exchange.

    Joints come from the end-point's to the first, for posture errors weigh most there.
    """
    row, m = len(pool.price) - 1, pool.angles.shape[1]
    i, where = m - 1 - (n // _PLACES) % m, n % _PLACES
    if where < 2 and problem.cost[i, WEIGHT] == 0.0:
        return -1
    now, lower, upper = angles[row + 1, i], problem.limits[i, LOWER], problem.limits[i, UPPER]
    q = lower if where == 2 else upper
    if where < 2:
        q = equal_inside(problem.kinks[i, where], now, lower, upper)
    apart = abs(q - now)
    if not lower <= q <= upper or not np.isfinite(q) or abs(apart - TURN * np.round(apart / TURN)) < _SAME_PLACE:
        return -1
    for k in range(m):
        pool.angles[row, k] = angles[row + 1, k]
    pool.angles[row, i] = q
    least = np.inf
    for way in range(len(request.targets)):
        aim = Aim(quaternion(request.targets, way), request.near, request.pull, NOWHERE)
        left = length(evaluate(problem, aim, pool.angles, row, memory, zero())[1])
        if left < least:
            pool.upside_down[row], least = way, left
    return row


@inlined_kernel
def _next_stage(stage: np.ndarray, pool: Pool, faced: bool, spare: int) -> None:
    """Moves on; further starts and the compromise are for targets that nothing has faced, exchanges for the others."""
    if stage[STAGE] == SHORT:
        _sort(pool)
    stage[STAGE] += 1
    stage[POSITION] = stage[GAINED] = 0
    if stage[STAGE] == SPREAD and spare <= 3:
        stage[STAGE] = COMPROMISE
    if stage[STAGE] >= SPREAD and faced:
        stage[STAGE] = EXCHANGE if stage[STAGE] <= EXCHANGE else DONE
    if stage[STAGE] == EXCHANGE and not (faced and spare >= _LONG_CHAIN):
        stage[STAGE] = DONE


@uncounted_kernel
def _sort(pool: Pool) -> None:
    """Cheapest first, by insertion: there are few."""
    for last in range(1, len(pool.price)):
        n = last
        while n > 0 and pool.price[n] < pool.price[n - 1]:
            pool.price[n], pool.price[n - 1] = pool.price[n - 1], pool.price[n]
            pool.upside_down[n], pool.upside_down[n - 1] = pool.upside_down[n - 1], pool.upside_down[n]
            for i in range(pool.angles.shape[1]):
                pool.angles[n, i], pool.angles[n - 1, i] = pool.angles[n - 1, i], pool.angles[n, i]
            n -= 1


@uncounted_kernel
def _try_corners(
    problem: FacingArrays,
    vertices: Vertices,
    request: Request,
    effort: Effort,
    last: int,
    search: Search,
    memory: Descent,
    lanes: np.ndarray,
) -> None:
    """Fills the pool; a corner that costs nothing ends the search."""
    targets, near, pull = request.targets, request.near, request.pull
    size, split = len(search.price) - 2, effort.faced
    stage = search.counts[size:]
    faced = Pool(search.angles[:split], search.price[:split], search.counts[:split])
    missed = Pool(search.angles[split:size], search.price[split:size], search.counts[split:size])
    if stage[POSITION] == 0:
        for n in range(len(request.starts)):
            price, nearest, least = 0.0, 0, np.inf
            for way in range(len(targets)):
                aim = Aim(quaternion(targets, way), near, pull, NOWHERE)
                cost, e = evaluate(problem, aim, request.starts, n, memory, zero())
                _better(problem, search, request.starts, n, cost, length(e))
                if length(e) < least:
                    price, nearest, least = cost, way, length(e)
            if len(vertices.records) == 0:  # starts are all there is: those near to the target are the good ones
                price += orientation_cost(problem, least)
            offer(missed, price, request.starts, n, nearest)
    stage[POSITION], tried = try_vertices(
        problem, vertices, stage[POSITION], last - stage[WORK], targets, near, pull, faced, missed, memory.trial, lanes
    )
    stage[WORK] += tried
    if faced.price[0] < NOTHING:
        aim = Aim(quaternion(targets, faced.upside_down[0]), near, pull, NOWHERE)
        cost, e = evaluate(problem, aim, faced.angles, zero(), memory, zero())
        _better(problem, search, faced.angles, 0, cost, length(e))
        if cost <= PERFECT and length(e) <= FACED:
            stage[STAGE] = DONE
            return
    if stage[POSITION] >= len(vertices.records):
        stage[STAGE], stage[POSITION] = SHORT, 0


@uncounted_kernel
def inside_limits(problem: FacingArrays, near: np.ndarray, q: np.ndarray) -> None:
    """Brings angles that were allowed whole turns back inside the limits, near to given ones."""
    for i in range(len(q)):
        lower, upper = problem.limits[i, LOWER], problem.limits[i, UPPER]
        q[i] = min(max(equal_inside(q[i], near[i], lower, upper), lower), upper)
