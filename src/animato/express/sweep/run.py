"""Runs a sweep in chunks: here, on all cores by joblib, or on a Dask cluster, and goes on after a kill.

Every finished chunk is one small JSON file, written whole. Running again does the chunks that are missing.
Statistics are merged in the order of chunks, so every backend gives the very same errors.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

from animato.errors import OptionError, missing_dependency, unknown_name
from animato.express.facing import ErrorWeights, facing_errors
from animato.express.sweep.samples import Sweep, samples
from animato.express.sweep.statistics import (
    SweepStatistics,
    empty_statistics,
    merged,
    plain_statistics,
    read_statistics,
    statistics_of,
)
from animato.formats.files import write_whole
from animato.outcome import Iteration, Progress

Backend = Literal["serial", "joblib", "dask"]
BACKENDS = ("serial", "joblib", "dask")
_BLOCK = 64  # samples timed together: a clock call around one would cost as much as the solve


class Answers(Protocol):
    """What a solver gives back for a batch."""

    @property
    def positions(self) -> np.ndarray:
        """Joint positions [rad or m], [m, n]."""
        ...

    @property
    def iterations(self) -> np.ndarray:
        """Iterations of each, [m]."""
        ...


Solver = Callable[[np.ndarray, np.ndarray], Answers]
Task = tuple[int, range]
"""The number of a chunk and its samples."""


@dataclass(frozen=True)
class SweepOptions:
    """What part of a sweep runs, and how it is cut.

    Attributes:
        start: First sample.
        stop: Sample before which it ends; the whole sweep where None.
        every: Only each so many-th sample from the first on: an even share of postures and of targets. It must have
            no factor in common with the number of targets, or the same few targets would come with every posture.
        chunk: Samples in a chunk: what one task does and a kill may lose.
        weights: Of the errors; the paper's where None.
    """

    start: int = 0
    stop: int | None = None
    every: int = 1
    chunk: int = 50_000
    weights: ErrorWeights | None = None


def solve_chunk(sweep: Sweep, solver: Solver, chosen: range, weights: ErrorWeights | None) -> SweepStatistics:
    """Statistics of chosen samples; the errors are measured from the solver's positions.

    Times are the processor's for a sample in a block of 64 solved in one call, so extremes are those of blocks.
    """
    part = samples(sweep, chosen.start, chosen.stop, chosen.step)
    solver(part.postures[:1], part.targets_wxyz[:1])  # what compiles or loads does so before the clock runs
    rows: dict[str, list[np.ndarray]] = {"positions": [], "iterations": [], "time_ms": []}
    for first in range(0, len(part.indices), _BLOCK):
        postures, targets = part.postures[first : first + _BLOCK], part.targets_wxyz[first : first + _BLOCK]
        began = time.thread_time()  # of the processor: a sweep runs beside other things
        answers = solver(postures, targets)
        spent = 1e3 * (time.thread_time() - began)
        rows["positions"].append(answers.positions)
        rows["iterations"].append(np.asarray(answers.iterations, dtype=np.float64))
        rows["time_ms"].append(np.full(len(postures), spent / len(postures)))
    errors = facing_errors(sweep.chain, np.concatenate(rows["positions"]), part.postures, part.targets_wxyz, weights)
    return statistics_of(
        {
            "combined": errors.combined,
            "orientation": errors.orientation,
            "posture": errors.posture,
            "shape": errors.shape,
            "iterations": np.concatenate(rows["iterations"]),
            "time_ms": np.concatenate(rows["time_ms"]),
        }
    )


def run_sweep(
    sweep: Sweep,
    solver: Solver,
    folder: str | Path,
    *,
    name: str,
    options: SweepOptions | None = None,
    backend: Backend = "serial",
    workers: int | None = None,
    scheduler: str | None = None,
    most_chunks: int | None = None,
    progress: Progress | None = None,
) -> SweepStatistics:
    """Runs what is missing of a sweep and merges all of it.

    Args:
        sweep: From `build_sweep`.
        solver: Takes postures [m, n] and targets [m, 4], gives `Answers`. Must be picklable for joblib and
            Dask, as `functools.partial(solve_erik_batch, model)` is.
        folder: Where finished chunks are kept; made where missing.
        name: What the solver and its settings are called. A folder belongs to one name, sweep and options.
        options: What part runs, and how it is cut.
        backend: 'serial', 'joblib' (processes of this machine) or 'dask'.
        workers: Processes; all cores where None.
        scheduler: Address of a Dask scheduler ("tcp://host:8786"); a cluster on this machine where None.
        most_chunks: Stop after so many; the statistics are then of the chunks that exist.
        progress: Told of finished chunks.

    Raises:
        OptionError: The folder belongs to another sweep, or an option is out of range.
        MissingDependencyError: joblib or Dask is not installed.
    """
    cut = options or SweepOptions()
    chosen = chosen_samples(sweep, cut)
    if backend not in BACKENDS:
        raise unknown_name("backend", backend, BACKENDS, "run_sweep")
    place = Path(folder)
    _claim(place, _description(sweep, name, cut, chosen))
    parts = [chosen[first : first + cut.chunk] for first in range(0, len(chosen), cut.chunk)]
    missing = [n for n in range(len(parts)) if _stored(place, n) is None]
    finished = len(parts) - len(missing)
    tasks = [(n, parts[n]) for n in missing[: len(missing) if most_chunks is None else most_chunks]]
    for n, statistics in _results(sweep, solver, cut.weights, tasks, backend, workers, scheduler):
        write_whole(_chunk_path(place, n), json.dumps(plain_statistics(statistics)))
        finished += 1
        if progress is not None:
            progress(Iteration(stage="chunks of the sweep", number=finished, total=len(parts)))
    total = empty_statistics()
    for n in range(len(parts)):
        stored = _stored(place, n)
        if stored is not None:
            total = merged(total, stored)
    return total


def stored_sweep(folder: str | Path) -> SweepStatistics:
    """Statistics of all finished chunks in a folder and the folders in it; of no samples where there are none."""
    total = empty_statistics()
    for path in sorted(Path(folder).rglob("chunk_*.json")):
        stored = _read_chunk(path)
        if stored is not None:
            total = merged(total, stored)
    return total


def chosen_samples(sweep: Sweep, options: SweepOptions) -> range:
    """The samples of a part of a sweep.

    Raises:
        OptionError: There are none, or they would not be spread evenly over the targets.
    """
    stop = sweep.count if options.stop is None else min(options.stop, sweep.count)
    if not 0 <= options.start < stop or options.chunk < 1 or options.every < 1:
        raise OptionError(
            f"A sweep of {sweep.count} samples cannot run from {options.start} to {stop}, every {options.every}, in "
            f"chunks of {options.chunk}."
        )
    targets = len(sweep.targets_wxyz)
    if math.gcd(options.every, targets) > 1:
        raise OptionError(
            f"`every` must have no factor in common with the {targets} targets, so that all of them take part; "
            f"{options.every} has {math.gcd(options.every, targets)}. Take {options.every + 1} or another number."
        )
    return range(options.start, stop, options.every)


def _results(
    sweep: Sweep,
    solver: Solver,
    weights: ErrorWeights | None,
    tasks: list[Task],
    backend: Backend,
    workers: int | None,
    scheduler: str | None,
) -> Iterator[tuple[int, SweepStatistics]]:
    """Chunk numbers and statistics, in the order in which they finish."""
    if backend == "joblib" and tasks:
        return _by_joblib(sweep, solver, weights, tasks, workers)
    if backend == "dask" and tasks:
        return _by_dask(sweep, solver, weights, tasks, workers, scheduler)
    return ((n, solve_chunk(sweep, solver, chosen, weights)) for n, chosen in tasks)


def _numbered_chunk(
    sweep: Sweep, solver: Solver, weights: ErrorWeights | None, task: Task
) -> tuple[int, SweepStatistics]:
    """One task of a cluster."""
    return task[0], solve_chunk(sweep, solver, task[1], weights)


def _by_joblib(
    sweep: Sweep,
    solver: Solver,
    weights: ErrorWeights | None,
    tasks: Iterable[Task],
    workers: int | None,
) -> Iterator[tuple[int, SweepStatistics]]:
    """Processes of this machine."""
    try:
        joblib = import_module("joblib")
    except ImportError:
        raise missing_dependency("joblib", "cluster", "A sweep on several cores") from None
    pool = joblib.Parallel(n_jobs=-1 if workers is None else workers, return_as="generator_unordered")
    done: Iterator[tuple[int, SweepStatistics]] = pool(
        joblib.delayed(_numbered_chunk)(sweep, solver, weights, task) for task in tasks
    )
    return done


def _by_dask(
    sweep: Sweep,
    solver: Solver,
    weights: ErrorWeights | None,
    tasks: list[Task],
    workers: int | None,
    scheduler: str | None,
) -> Iterator[tuple[int, SweepStatistics]]:
    """A Dask cluster: one that runs already, or one of processes on this machine."""
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise missing_dependency("distributed", "cluster", "A sweep on a Dask cluster") from None
    where: dict[str, Any] = (
        {"address": scheduler}
        if scheduler is not None
        else {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    )
    with distributed.Client(**where) as client:
        shared = client.scatter((sweep, solver), broadcast=True)
        futures = [client.submit(_shared_chunk, shared, weights, task, pure=False) for task in tasks]
        for future in distributed.as_completed(futures):
            yield future.result()
            future.release()


def _shared_chunk(
    shared: tuple[Sweep, Solver], weights: ErrorWeights | None, task: Task
) -> tuple[int, SweepStatistics]:
    """One task of a Dask worker, whose sweep and solver were sent once."""
    return _numbered_chunk(shared[0], shared[1], weights, task)


def _description(sweep: Sweep, name: str, options: SweepOptions, chosen: range) -> dict[str, object]:
    """What a folder of chunks must agree on."""
    digest = sha256(np.ascontiguousarray(sweep.postures).tobytes())
    digest.update(np.ascontiguousarray(sweep.targets_wxyz).tobytes())
    return {
        "solver": name,
        "joints": list(sweep.chain.names),
        "postures": len(sweep.postures),
        "targets": len(sweep.targets_wxyz),
        "samples_sha256": digest.hexdigest(),
        "start": chosen.start,
        "stop": chosen.stop,
        "every": chosen.step,
        "chunk": options.chunk,
        "weights": None if options.weights is None else list(options.weights),
    }


def _claim(folder: Path, description: dict[str, object]) -> None:
    """Writes the description into a new folder, or checks it against that of an old one."""
    path = folder / "sweep.json"
    if path.exists():
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = {}
        if found != description:
            apart = [key for key in description if not isinstance(found, dict) or found.get(key) != description[key]]
            raise OptionError(
                f"'{folder}' holds another sweep (different: {', '.join(apart)}). Choose an empty folder, or the "
                f"options that are written in '{path}'."
            )
        return
    write_whole(path, json.dumps(description, indent=2) + "\n")


def _chunk_path(folder: Path, number: int) -> Path:
    """The file of a chunk."""
    return folder / f"chunk_{number:06d}.json"


def _stored(folder: Path, number: int) -> SweepStatistics | None:
    """The statistics of a finished chunk; None where it is missing or unreadable, so that it runs again."""
    return _read_chunk(_chunk_path(folder, number))


def _read_chunk(path: Path) -> SweepStatistics | None:
    try:
        return read_statistics(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None
