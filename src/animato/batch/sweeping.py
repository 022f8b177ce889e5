"""Runs a sweep of `express` in chunks: here, on all cores by joblib, or on a Dask cluster, and goes on after a kill.

Every finished chunk is one small JSON file, written whole. Running again does the chunks that are missing.
Statistics are merged in the order of chunks, so every backend gives the very same errors.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Literal

import numpy as np

from animato.batch.engine import Place, Task, run_tasks
from animato.errors import AnimatoError, OptionError, unknown_name
from animato.express.facing import ErrorWeights
from animato.express.sweep import (
    Solver,
    Sweep,
    SweepOptions,
    SweepStatistics,
    chosen_samples,
    empty_statistics,
    merged,
    plain_statistics,
    read_statistics,
    solve_chunk,
)
from animato.formats.files import write_whole
from animato.outcome import Iteration, Progress

Backend = Literal["serial", "joblib", "dask"]
BACKENDS = ("serial", "joblib", "dask")
_PLACES = {"serial": "serial", "joblib": "here", "dask": "dask"}


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
    wanted = missing[: len(missing) if most_chunks is None else most_chunks]
    tasks = [Task(str(n), parts[n]) for n in wanted]
    where = Place(_PLACES[backend], workers, scheduler if backend == "dask" else None)
    work = partial(_solve_parts, sweep, solver, cut.weights)
    for done in run_tasks(work, tasks, where, total=len(tasks), chunk=1) if tasks else ():
        if done.results is None:
            raise AnimatoError(f"The process that solved chunk {done.tasks[0].key} of the sweep died, twice.")
        for task, statistics in zip(done.tasks, done.results, strict=True):
            write_whole(_chunk_path(place, int(task.key)), json.dumps(plain_statistics(statistics)))
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


def _solve_parts(
    sweep: Sweep, solver: Solver, weights: ErrorWeights | None, parts: Sequence[range]
) -> list[SweepStatistics]:
    """What a process does."""
    return [solve_chunk(sweep, solver, part, weights) for part in parts]


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
