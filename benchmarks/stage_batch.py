"""Batches beside plain pools of processes, and killed ones gone on with.

    python -m benchmarks.stage_batch            # 10,000 clips
    python -m benchmarks.stage_batch --clips 1000

The same function reads and checks the same small clips in both. Each is a program of its own: importing, loading
kernels and starting processes count in both. Kernels are compiled before. The plain pool forks, so that its processes
import nothing; `batch.start` tells of what that spares it. A cluster mostly stands before a batch is given to it: the
row of a standing one has as a peer a plain map in chunks on the same cluster.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from animato.batch import run_batch
from animato.batch.clips.job import Job, build_job
from animato.batch.clips.listing import ClipTask
from animato.batch.clips.performing import perform, perform_chunk
from animato.batch.clips.wishes import wishes_of
from animato.batch.engine import Storage
from animato.formats import load_character, save_motion
from animato.motion import Clip
from animato.outcome import Iteration
from benchmarks.row import Row

CLIPS = 10_000
QUICK_CLIPS = 1000
KILLED_CLIPS = 60
TRIALS = 6
_WORKERS = 2
_TURNS = 2
_PEER_CHUNK = 50  # tasks that the plain pool sends together; one by one it is slower
_PROGRAM = """
import sys
from animato.batch import run_batch
if __name__ == "__main__":
    run_batch(sys.argv[1], ["lamp"], "check", sys.argv[2], on=sys.argv[3], workers=2, pages=0, chunk=2)
"""


def rows(clips: int | None = None, trials: int = TRIALS, *, quick: bool = False) -> list[Row]:
    """All rows; quick, of fewer clips, with which the start of processes counts more."""
    clips = clips or (QUICK_CLIPS if quick else CLIPS)
    with tempfile.TemporaryDirectory(prefix="animato-batch-") as name:
        folder = Path(name)
        source = make_clips(folder / "clips", clips)
        run_batch(source / "000", ["lamp"], "check", folder / "warm", on="serial", pages=0)  # kernels are compiled
        plain, here, dask = compared(source, folder)
        one = make_clips(folder / "one", 2)
        start = measured("here", one, folder / "start-here").processor
        plain_start = measured("plain", one, folder / "start-plain").processor
        standing, mapped = on_standing_cluster(source, folder)
        few = make_clips(folder / "few", KILLED_CLIPS)
        equal = [resumed_equal(few, folder, where, seed) for where in ("here", "dask") for seed in range(trials // 2)]
        peer = "process pool"
        return [
            Row("batch.overhead", here.seconds / plain.seconds, "times", "lower", peer, 1.0),
            Row("batch.dask_overhead", dask.seconds / plain.seconds, "times", "lower", peer, 1.0),
            Row("batch.processor_overhead", here.processor / plain.processor, "times", "lower", peer, 1.0),
            Row("batch.dask_processor_overhead", dask.processor / plain.processor, "times", "lower", peer, 1.0),
            Row("batch.clips_per_second", clips / here.seconds, "1/s", "higher", peer, clips / plain.seconds),
            Row("batch.start", start, "s", "lower", "process pool, forked", plain_start),
            Row("batch.dask_standing_overhead", standing / mapped, "times", "lower", "Client.map in chunks", 1.0),
            Row("batch.memory_growth", here.growth, "MB", "lower"),
            Row("batch.resumed_equal", float(np.mean(equal)), "share", "higher"),
        ]


def make_clips(folder: Path, count: int) -> Path:
    """Clips of the lamp with 50 frames; they fit."""
    lamp = load_character("lamp")
    rng = np.random.default_rng(16)
    times = np.arange(50) / 50.0
    soft = np.sin(np.pi * times / times[-1])[:, None] ** 4
    middle = np.array([0.0, -0.523599, 1.48353, -0.698132, 0.0])
    for number in range(count):
        swing = rng.uniform(0.02, 0.08, 5) * np.sin(2.0 * np.pi * rng.uniform(0.2, 0.6, 5) * times[:, None])
        clip = Clip(times, ("turn", "shoulder", "elbow", "nod", "tilt"), middle + soft * swing)
        save_motion(folder / f"{number // 100:03d}" / f"clip_{number:05d}.npz", clip, lamp)
    return folder


@dataclass(frozen=True)
class Measured:
    """A program that went through all clips.

    Attributes:
        seconds: From its start to its end [s].
        processor: Time of all its processes on processors [s]; it does not grow when others use the machine.
        growth: What its first process grew by from a tenth of the clips to the last [MB].
    """

    seconds: float
    processor: float
    growth: float

    def least(self, other: Measured) -> Measured:
        """The lower figures of two: others who use the machine make all of them larger."""
        return Measured(
            min(self.seconds, other.seconds), min(self.processor, other.processor), max(self.growth, other.growth)
        )


def compared(source: Path, folder: Path) -> tuple[Measured, Measured, Measured]:
    """A plain pool, a batch here and one on Dask, in turns; the least of each."""
    found: dict[str, Measured] = {}
    for turn in range(_TURNS):
        for where in ("plain", "here", "dask"):
            one = measured(where, source, folder / f"{where}-{turn}")
            found[where] = one.least(found[where]) if where in found else one
    return found["plain"], found["here"], found["dask"]


def on_standing_cluster(source: Path, folder: Path) -> tuple[float, float]:
    """Processor time of a batch and of a plain map in chunks on one Dask cluster that stands already [s]."""
    from distributed import Client, LocalCluster

    job = check_job(source, folder / "mapped")
    names = [file.relative_to(source).as_posix() for file in sorted(source.rglob("*.npz"))]
    tasks = [ClipTask("", name, (), 0, "", "") for name in names]
    chunks = [tasks[first : first + _PEER_CHUNK] for first in range(0, len(tasks), _PEER_CHUNK)]
    with (
        LocalCluster(n_workers=_WORKERS, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as on,
    ):

        def spent() -> float:
            return time.process_time() + sum(on.run(time.process_time).values())

        def ours(turn: int) -> None:
            run_batch(source, ["lamp"], "check", folder / f"standing-{turn}", on="dask", scheduler=address, pages=0)

        def theirs(turn: int) -> None:
            rows = on.gather(on.map(partial(perform_chunk, job), chunks, pure=False))
            if sum(len(one) for one in rows) != len(tasks):
                raise RuntimeError("Not all clips came back.")

        address = cluster.scheduler_address
        on.gather(on.map(partial(perform_chunk, job), [tasks[:4]] * 2 * _WORKERS, pure=False))  # imports, kernels
        found: dict[bool, list[float]] = {True: [], False: []}
        for turn in range(_TURNS):
            for own in (True, False):
                began = spent()
                (ours if own else theirs)(turn)
                found[own].append(spent() - began)
    return min(found[True]), min(found[False])


def check_job(source: Path, out: Path) -> Job:
    """What all clips have in common."""
    return build_job("check", ["lamp"], wishes_of("check", None), Storage(str(source)), Storage(str(out)), None)


def measured(where: str, source: Path, out: Path) -> Measured:
    """Runs this file as a program: both ways begin with nothing imported and end with all done."""
    command = [sys.executable, "-m", "benchmarks.stage_batch", "--run", where, str(source), str(out)]
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    if status != 0:
        raise RuntimeError(f"The program of '{where}' ended with {status}.")
    return Measured(seconds, usage.ru_utime + usage.ru_stime, float(told.split()[-1]))


def run_plain(source: Path, out: Path) -> float:
    """The standard library's pool as one would write it: list, map, count. No keys, nothing is kept."""
    job = check_job(source, out)
    names = [file.relative_to(source).as_posix() for file in sorted(source.rglob("*.npz"))]
    tasks = [ClipTask("", name, (), 0, "", "") for name in names]
    with ProcessPoolExecutor(_WORKERS) as pool:
        fit = sum(row["status"] == "fits" for row in pool.map(partial(perform, job), tasks, chunksize=_PEER_CHUNK))
    if fit != len(tasks):
        raise RuntimeError(f"Only {fit} of {len(tasks)} clips fit.")
    return 0.0


def run_ours(source: Path, out: Path, where: str) -> float:
    """A batch from listing to its table and page; what this process grew by [MB]."""
    sizes: list[float] = []

    def look(step: Iteration) -> None:
        if step.total and step.number % max(1, step.total // 10) == 0:
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            sizes.append(pages * os.sysconf("SC_PAGE_SIZE") / 1e6)

    summary = run_batch(source, ["lamp"], "check", out, on=where, workers=_WORKERS, pages=0, progress=look)
    if summary.done.get("fits") != summary.total:
        raise RuntimeError(f"{summary} is not what was given.")
    return sizes[-1] - sizes[0] if sizes else 0.0


def resumed_equal(clips: Path, folder: Path, where: str, seed: int) -> bool:
    """Whether a batch that is killed with -9 at a random moment, then gone on with, has the table of a whole one."""
    whole, out = folder / "whole", folder / f"killed-{where}-{seed}"
    if not whole.exists():
        run_batch(clips, ["lamp"], "check", whole, on="serial", pages=0)
    wanted = int(np.random.default_rng(seed).integers(0, KILLED_CLIPS // 2))
    command = [sys.executable, "-c", _PROGRAM, str(clips), str(out), where]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(list((out / "done").glob("*.jsonl"))) < wanted:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    run_batch(clips, ["lamp"], "check", out, on="here", workers=_WORKERS, pages=0)
    return (out / "table.parquet").read_bytes() == (whole / "table.parquet").read_bytes()


def main() -> None:
    """Prints rows, or is one of the programs that are measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stage_batch", description=__doc__)
    parser.add_argument("--clips", type=int, default=CLIPS)
    parser.add_argument("--trials", type=int, default=TRIALS)
    parser.add_argument("--run", nargs=3, metavar=("WHERE", "CLIPS", "OUT"), help="one of the programs")
    given = parser.parse_args()
    if given.run:
        where, source, out = given.run
        plain = where == "plain"
        print(run_plain(Path(source), Path(out)) if plain else run_ours(Path(source), Path(out), where))
        return
    for row in rows(given.clips, given.trials):
        print(row)


if __name__ == "__main__":
    main()
