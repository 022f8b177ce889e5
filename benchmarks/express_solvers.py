"""All methods on the same samples of the paper's sweep: errors, times, and the best known."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from animato.express.facing.errors import FacingError
from animato.express.facing.facing import Facing
from animato.express.facing.solver import solve_facing
from animato.express.options import Method
from animato.express.published.dls import DlsTuning
from animato.express.published.erik.solver import build_erik, solve_erik_batch
from animato.express.published.methods import DEFAULT_DLS, solve_facing_by
from animato.express.sweep.exclusion import THRESHOLD, WITHOUT_POSTURE
from animato.express.sweep.samples import build_sweep, random_samples
from benchmarks.express_paper import POSTURES, TABLE_8, TABLE_9
from benchmarks.express_peers import installed_peers
from benchmarks.express_reference import best_known
from benchmarks.express_samples import SEED, SKELETONS, Case, cases, chain_of
from benchmarks.row import Row

Solve = Callable[[Case, np.ndarray], Facing | FacingError]
"""Solves a case for a target wxyz [4]."""

METHODS: dict[str, tuple[Method, DlsTuning]] = {
    "erik": ("erik", DEFAULT_DLS),
    "dls_stopping": ("dls", DlsTuning()),
    "dls100": ("dls", DlsTuning(iterations=100)),
    "dls200": ("dls", DlsTuning(iterations=200)),
    "dls_nopost": ("dls", WITHOUT_POSTURE),
    "dls400": ("dls", DlsTuning(threshold=-1.0)),
    "animato": ("animato", DEFAULT_DLS),
}
"""Names of rows, and what `solve_facing_by` calls them: damped least squares with at most 400, 100 and 200 iterations,
stopping at the threshold as in the paper; without a posture; and never stopping, which is the best it can do."""

REPEATS = 3  # of every solve; the shortest counts, since noise only ever adds


@dataclass(frozen=True, eq=False)
class Solved:
    """What a method made of all samples.

    Attributes:
        errors: Combined, orientation and posture error of every sample; the last with its weight, [m, 3].
        iterations: Of every sample, [m].
        ms: Mean time of the processor for one solve, the shortest of REPEATS in a row [ms].
    """

    errors: np.ndarray
    iterations: np.ndarray
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
        solved = by_methods(some)
        solved |= {name: by_peer(some, peer) for name, peer in installed_peers(chain_of(letter)).items()}
        ours, stopping = solved["animato"], solved["dls_stopping"]
        ours_ms, stopping_ms = in_turns(some)
        known = reference_error(some, 150 if quick else 400)
        best = float(np.mean(np.minimum(ours.errors[:, 0], known)))  # what any of them found is known
        postures = len(build_sweep(chain_of(letter)).postures)
        within = {name: float((one.errors[:, 0] <= THRESHOLD).mean()) for name, one in solved.items()}
        rows += [
            Row(f"{letter}.error", float(ours.errors[:, 0].mean()), "combined error", "lower", "best_known", best),
            Row(f"{letter}.ms", ours_ms, "ms", "lower", "dls_stopping", stopping_ms),
            Row(f"{letter}.speedup_vs_dls_stopping", stopping_ms / ours_ms, "times faster", "higher", "bar", 25.0),
            Row(f"{letter}.speedup_in_a_row", stopping.ms / ours.ms, "times faster", "higher"),
            Row(f"{letter}.faced", float((ours.errors[:, 1] < 1e-6).mean()), "share faced exactly", "higher"),
            Row(f"{letter}.within", within["animato"], "share within .04", "higher", "erik", within["erik"]),
            Row(f"{letter}.postures", postures, "count", "higher", "published", POSTURES[letter]),
        ]
        for name, one in solved.items():
            rows += method_rows(letter, name, one)
    return rows


def method_rows(letter: str, name: str, solved: Solved) -> list[Row]:
    """Means of the errors and the time of one method, beside the paper's where it has them."""
    published = TABLE_9.get(name) if letter == "C" else None
    rows = []
    for k, kind in enumerate(("error", "orientation", "posture")):
        peer = ("", None) if published is None else ("published", published[2 * k])
        rows.append(Row(f"{letter}.{name}.{kind}", float(solved.means[k]), f"{kind}", "lower", *peer))
    if name in ("erik", "dls_stopping", "dls100", "dls200"):
        counts = TABLE_8.get(letter if name == "erik" else f"{letter}-{name}")
        peer = ("", None) if counts is None else ("published", counts.iterations.mean)
        rows.append(Row(f"{letter}.{name}.iterations", float(solved.iterations.mean()), "iterations", "lower", *peer))
    peer = ("published, 2017 laptop", TABLE_8[letter].ms.mean) if name == "erik" else ("", None)
    return [*rows, Row(f"{letter}.{name}.ms", solved.ms, "ms", "lower", *peer)]


def by_methods(some: tuple[Case, ...]) -> dict[str, Solved]:
    """Errors and times of all methods, one after the other on every sample, so that what disturbs disturbs all."""
    for method, _ in METHODS.values():
        solve_facing_by(method, some[0].problem, some[0].targets_wxyz[0], dls=DlsTuning(iterations=2))  # compiles

    def caller(method: Method, dls: DlsTuning) -> Solve:
        return lambda case, target: solve_facing_by(method, case.problem, target, dls=dls)

    return _run(some, {name: caller(*what) for name, what in METHODS.items()}, REPEATS)


def in_turns(some: tuple[Case, ...]) -> tuple[float, float]:
    """Mean time of animato and of DLS as the paper stops it [ms], by single calls in turns on a clock on the wall.

    Each call finds the processor's caches full of the other method and of other samples, as a caller finds them who
    does other things in between. All samples are gone through REPEATS times, and of each the shortest call counts.
    """
    pairs = [(case, target) for case in some for target in case.targets_wxyz]
    seconds = np.empty((REPEATS, len(pairs), 2))
    for repeat in range(REPEATS):
        for n, (case, target) in enumerate(pairs):
            start = time.perf_counter()
            solve_facing(case.problem, target)
            middle = time.perf_counter()
            solve_facing_by("dls", case.problem, target, dls=METHODS["dls_stopping"][1])
            seconds[repeat, n] = middle - start, time.perf_counter() - middle
    ours, stopping = 1e3 * seconds.min(axis=0).mean(axis=0)
    return float(ours), float(stopping)


def by_peer(some: tuple[Case, ...], peer: Callable[[Case, np.ndarray], FacingError]) -> Solved:
    """Errors of a peer and its time, in one run."""
    peer(some[0], some[0].targets_wxyz[0])
    return _run(some, {"peer": peer}, 1)["peer"]


def _run(some: tuple[Case, ...], solvers: Mapping[str, Solve], repeats: int) -> dict[str, Solved]:
    """Errors of all samples, and the mean of their times, each the shortest of some in a row."""
    pairs = [(case, target) for case in some for target in case.targets_wxyz]
    seconds = {name: np.empty((repeats, len(pairs))) for name in solvers}
    found: dict[str, list[Facing | FacingError]] = {name: [] for name in solvers}
    for n, (case, target) in enumerate(pairs):
        for name, solve in solvers.items():
            for repeat in range(repeats):
                start = time.thread_time()  # of the processor: another program's turn is not ours
                answer = solve(case, target)
                seconds[name][repeat, n] = time.thread_time() - start
            found[name].append(answer)
    weight = some[0].problem.weights.posture
    solved = {}
    for name, answers in found.items():
        errors = [one.error if isinstance(one, Facing) else one for one in answers]
        solved[name] = Solved(
            np.array([(one.combined, one.orientation, weight * one.posture) for one in errors]),
            np.array([one.iterations if isinstance(one, Facing) else 0 for one in answers]),
            1e3 * float(seconds[name].min(axis=0).mean()),
        )
    return solved


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
        peer = ("published", TABLE_9["erik"][0]) if letter == "C" else ("", None)
        rows.append(Row(f"erik.{letter}.error", error, "combined error", "lower", *peer))
    return rows
