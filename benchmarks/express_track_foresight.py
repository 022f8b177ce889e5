"""How well a course could be followed by whoever knows all of it beforehand: a yardstick, no bound.

Every 0.2 s there are many configurations that face the target, strewn over all that do. A course goes from one to the
next no faster than joints may hurry, or leaps over some of them and does not face in the meantime. The cheapest is
found by dynamic programming: a course that exists. More configurations may find a better one: on skeleton C, with two
joints to spare, 600 do where 200 still leap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.express.facing import REACHED, facing_errors, solve_facing
from benchmarks.express_track_cases import Case
from benchmarks.express_track_measures import FAST

LAYER_S = 0.2
LONGEST_LEAP = 8  # layers
LEAP_COST = 0.3  # combined error of a frame that does not face; with a large one leaps are the last resort
CLOSENESS = 30.0  # of what is strewn to where it was thrown [1/rad^2], so that it does not run together


@dataclass(frozen=True)
class Foreseen:
    """The best course that was found.

    Attributes:
        error: Mean combined error, with what leaps count.
        leaping_percent: Time in leaps [%].
        leaps: How many [1/min].
    """

    error: float
    leaping_percent: float
    leaps: float


def best_course(case: Case, *, strewn: int = 250, seed: int = 0, leap_cost: float = LEAP_COST) -> Foreseen:
    """The best course through strewn configurations, from wherever it likes; orientations only.

    Args:
        case: Who follows what.
        strewn: Configurations at each moment.
        seed: Of where they are.
        leap_cost: What a moment of a leap counts, as a combined error.
    """
    layers, costs = _strew(case, strewn, np.random.default_rng(seed))
    most = FAST * LAYER_S
    best = [costs[0]]
    came: list[np.ndarray] = [np.zeros(len(costs[0]), np.int64)]
    for n in range(1, len(layers)):
        least, leapt = np.full(len(layers[n]), np.inf), np.zeros(len(layers[n]), np.int64)
        origin = np.zeros(len(layers[n]), np.int64)
        for back in range(1, min(LONGEST_LEAP, n) + 1):
            away = np.abs(layers[n][:, None] - layers[n - back][None]).max(axis=2)
            through = best[n - back][None] + (back - 1) * leap_cost
            price = np.where(away <= back * most, through, np.inf)
            if not price.size:
                continue
            j = price.argmin(axis=1)
            value = price[np.arange(len(j)), j]
            better = value < least
            least[better], origin[better], leapt[better] = value[better], j[better], back
        best.append(least + costs[n])
        came.append(origin * (LONGEST_LEAP + 1) + leapt)
    return _read_back(best, came, leap_cost)


def _strew(case: Case, strewn: int, rng: np.random.Generator) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Configurations that face at each moment [m, n], and their combined errors [m]; half of them near the last."""
    problem, chain = case.facing, case.facing.chain
    every = round(LAYER_S * case.course.rate_hz)
    lower, upper = np.maximum(chain.arrays.lower, -np.pi), np.minimum(chain.arrays.upper, np.pi)
    layers: list[np.ndarray] = []
    costs: list[np.ndarray] = []
    last = rng.uniform(lower, upper, (strewn, len(lower)))
    for target in case.course.orientations(chain.end_point)[::every]:
        kept = last[rng.permutation(len(last))[: strewn // 2]]
        thrown = np.concatenate([kept, rng.uniform(lower, upper, (strewn - len(kept), len(lower)))])
        found = [
            solve_facing(problem, target, one, reach="local", closeness=CLOSENESS * rng.uniform() ** 2)
            for one in thrown
        ]
        faced = np.array([one.positions for one in found if one.error.orientation < REACHED])
        layers.append(faced.reshape(-1, len(lower)))
        targets = np.tile(target, (len(faced), 1))
        errors = facing_errors(chain, layers[-1], problem.posture, targets, problem.weights)
        costs.append(errors.combined)
        last = layers[-1] if len(faced) > 3 else last
    return layers, costs


def _read_back(best: list[np.ndarray], came: list[np.ndarray], leap_cost: float) -> Foreseen:
    """The cheapest course from its end to its beginning; one that ends in nothing leaps to the end."""
    count = len(best)
    ends = [(values.min() + (count - 1 - n) * leap_cost, n) for n, values in enumerate(best) if len(values)]
    total, n = min(ends)
    node, leaping, leaps = int(best[n].argmin()), count - 1 - n, 0
    while n > 0:
        node, back = divmod(int(came[n][node]), LONGEST_LEAP + 1)
        leaping, leaps, n = leaping + back - 1, leaps + (back > 1), n - max(back, 1)
    minutes = count * LAYER_S / 60.0
    return Foreseen(float(total) / count, 100.0 * leaping / count, leaps / minutes)
