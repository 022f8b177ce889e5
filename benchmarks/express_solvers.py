"""All methods on the same samples of the paper's sweep: errors, times, and the best known."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from animato.express.facing.errors import FacingError
from animato.express.options import Method
from animato.express.published.dls import DlsTuning
from animato.express.published.erik.solver import build_erik, solve_erik_batch
from animato.express.published.methods import solve_facing_by
from animato.express.sweep.samples import build_sweep, random_samples
from benchmarks.express_paper import DLS_C, ERIK_C, ERIK_MS, POSTURES
from benchmarks.express_peers import installed_peers
from benchmarks.express_reference import best_known
from benchmarks.express_samples import SEED, SKELETONS, Case, cases, chain_of
from benchmarks.row import Row

METHODS: dict[str, Method] = {"erik": "erik", "dls400": "dls", "animato": "animato"}
"""Names of rows, and what `solve_facing` calls them."""

REPEATS = 3  # of every solve; the shortest counts, since noise only ever adds


@dataclass(frozen=True, eq=False)
class Solved:
    """What a method made of all samples.

    Attributes:
        errors: Combined, orientation and posture error of every sample; the last with its weight, [m, 3].
        ms: Mean time of one solve as a caller sees it [ms].
    """

    errors: np.ndarray
    ms: float

    @property
    def means(self) -> np.ndarray:
        """Of the three errors, [3]."""
        means: np.ndarray = self.errors.mean(axis=0)
        return means


def solver_rows(*, quick: bool) -> list[Row]:
    """For each skeleton: posture counts, errors and times of all methods and of the reference on the same samples."""
    rows = []
    for letter in SKELETONS:
        some = cases(letter, quick=quick)
        solved = {name: by_method(some, method) for name, method in METHODS.items()}
        solved |= {name: by_peer(some, peer) for name, peer in installed_peers(chain_of(letter)).items()}
        ours = solved["animato"].errors
        known = reference_error(some, 150 if quick else 400)
        best = float(np.mean(np.minimum(ours[:, 0], known)))  # what any of them found is known
        postures = len(build_sweep(chain_of(letter)).postures)
        rows += [
            Row(f"{letter}.error", float(ours[:, 0].mean()), "combined error", "lower", "best_known", best),
            Row(f"{letter}.ms", solved["animato"].ms, "ms", "lower", "dls400", solved["dls400"].ms),
            Row(f"{letter}.faced", float((ours[:, 1] < 1e-6).mean()), "share faced exactly", "higher"),
            Row(f"{letter}.postures", postures, "count", "higher", "published", POSTURES[letter]),
        ]
        for name, one in solved.items():
            rows += method_rows(letter, name, one)
    return rows


def method_rows(letter: str, name: str, solved: Solved) -> list[Row]:
    """Means of the errors and the time of one method, beside the paper's where it has them."""
    published: dict[str, tuple[float, ...]] = {"erik": ERIK_C, "dls400": DLS_C} if letter == "C" else {}
    rows = []
    for k, kind in enumerate(("error", "orientation", "posture")):
        peer = ("published", published[name][k]) if name in published else ("", None)
        rows.append(Row(f"{letter}.{name}.{kind}", float(solved.means[k]), f"{kind}", "lower", *peer))
    peer = ("published, 2017 laptop", ERIK_MS[letter]) if name == "erik" else ("", None)
    return [*rows, Row(f"{letter}.{name}.ms", solved.ms, "ms", "lower", *peer)]


def by_method(some: tuple[Case, ...], method: Method) -> Solved:
    """Errors and time of a method of `solve_facing`."""
    solve_facing_by(method, some[0].problem, some[0].targets_wxyz[0], dls=DlsTuning(iterations=2))  # compiles

    def solve(case: Case, target: np.ndarray) -> FacingError:
        return solve_facing_by(method, case.problem, target).error

    return _run(some, solve, REPEATS)


def by_peer(some: tuple[Case, ...], peer: Callable[[Case, np.ndarray], FacingError]) -> Solved:
    """Errors of a peer and its time, in one run."""
    peer(some[0], some[0].targets_wxyz[0])
    return _run(some, peer, 1)


def _run(some: tuple[Case, ...], solve: Callable[[Case, np.ndarray], FacingError], repeats: int) -> Solved:
    """Errors of all samples, and the mean of their times, each the shortest of some."""
    pairs = [(case, target) for case in some for target in case.targets_wxyz]
    seconds = np.empty((repeats, len(pairs)))
    found: list[FacingError] = []
    for repeat in range(repeats):
        found = []
        for n, (case, target) in enumerate(pairs):
            start = time.perf_counter()
            found.append(solve(case, target))
            seconds[repeat, n] = time.perf_counter() - start
    weight = some[0].problem.weights.posture
    errors = np.array([(one.combined, one.orientation, weight * one.posture) for one in found])
    return Solved(errors, 1e3 * float(seconds.min(axis=0).mean()))


def reference_error(some: tuple[Case, ...], starts: int) -> np.ndarray:
    """Combined error of the best known answer of every sample, [m]."""
    return np.concatenate(
        [best_known(case.problem, case.targets_wxyz, starts, SEED + n).combined for n, case in enumerate(some)]
    )


def erik_rows(*, quick: bool) -> list[Row]:
    """The faithful ERIK on many samples, beside what its paper has for skeleton C."""
    rows = []
    for letter in SKELETONS:
        chain = chain_of(letter)
        part = random_samples(build_sweep(chain), 1500 if quick else 20000, SEED)
        error = float(solve_erik_batch(build_erik(chain), part.postures, part.targets_wxyz).combined.mean())
        peer = ("published", ERIK_C[0]) if letter == "C" else ("", None)
        rows.append(Row(f"erik.{letter}.error", error, "combined error", "lower", *peer))
    return rows
