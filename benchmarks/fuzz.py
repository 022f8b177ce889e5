"""Damaged files of every format against every reader: what is not refused in our words is a defect.

`fuzz.foreign` counts exceptions that are not animato's, and readers that end the process; `fuzz.hangs` files that take
more than 10 s of processor time or 1 GB of memory. Every file can be made again from the seed and its number:

    python -m benchmarks.fuzz 7 1234 damaged

writes number 1234 of seed 7 into a folder.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.fuzz_mutations import mutated
from benchmarks.fuzz_seeds import Seed, seeds
from benchmarks.row import Row

FILES, QUICK_FILES = 10_000, 300
REPORTED_SEED = 2028  # never one that readers were mended with
LONGEST_S, LARGEST_BYTES = 10.0, 1 << 30
_PATIENCE_S = 120.0  # of the clock, for a busy machine; the worker counts its own processor time
_RARE = (".usdc", ".usdz", ".usda")  # a second process each: one file in twelve of theirs


@dataclass(frozen=True)
class Verdict:
    """What a reader made of a file.

    Attributes:
        number: Of the file.
        seed: What it was made of.
        what: "read", "refused", "foreign" or "hang".
        said: The message.
    """

    number: int
    seed: Seed
    what: str
    said: str


def damaged_file(number: int, seed: int, originals: list[Seed]) -> tuple[Seed, bytes]:
    """File `number` of a run: of which original, and its content."""
    rng = np.random.default_rng((seed, number))
    original = originals[int(rng.integers(len(originals)))]
    while Path(original.name).suffix in _RARE and rng.random() < 0.7:
        original = originals[int(rng.integers(len(originals)))]
    others = [one.data for one in originals]
    return original, mutated(original.data, Path(original.name).suffix, others, rng)


class _Worker:
    """A process that reads; it is started anew after a crash or a hang."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "benchmarks.fuzz_worker"]
        surroundings = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "OPENBLAS_NUM_THREADS": "1",
        }
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=surroundings)
        return self.process

    def ask(self, reader: str, path: str | Path) -> dict[str, object]:
        """The worker's answer, or what became of it."""
        process = self.process if self.process is not None and self.process.poll() is None else self.start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(f"{reader}\t{path}\n".encode())
            process.stdin.flush()
        except BrokenPipeError:
            return self._ended(process)
        ready, _, _ = select.select([process.stdout], [], [], _PATIENCE_S)
        if not ready:
            self.stop()
            return {"what": "hang", "said": f"no answer after {_PATIENCE_S:g} s"}
        line = process.stdout.readline()
        if not line:
            return self._ended(process)
        answer: dict[str, object] = json.loads(line)
        return answer

    def _ended(self, process: subprocess.Popen[bytes]) -> dict[str, object]:
        code = process.wait()
        self.stop()
        return {"what": "foreign", "said": f"the process ended with {code}"}

    def stop(self) -> None:
        """Ends the process."""
        if self.process is None:
            return
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        self.process = None


def verdicts(count: int, seed: int, first: int = 0) -> Iterator[Verdict]:
    """What the readers make of so many damaged files."""
    originals = seeds()
    worker = _Worker()
    with tempfile.TemporaryDirectory(prefix="animato_fuzz_") as folder:
        try:
            for number in range(first, first + count):
                original, data = damaged_file(number, seed, originals)
                # each in a folder of its own: readers look for files beside theirs
                place = Path(folder) / str(number)
                place.mkdir()
                for name, content in {**original.beside, original.name: data}.items():
                    (place / name).write_bytes(content)
                answer = worker.ask(original.reader, place / original.name)
                what, said = str(answer["what"]), str(answer.get("said", ""))
                taken, held = float(str(answer.get("seconds", 0.0))), int(str(answer.get("bytes", 0)))
                if taken > LONGEST_S or held > LARGEST_BYTES:
                    what, said = "hang", f"{taken:.1f} s, {held / 1e6:.0f} MB ({said[:80]})"
                yield Verdict(number, original, what, said)
                for file in place.iterdir():
                    file.unlink()
                place.rmdir()
        finally:
            worker.stop()


def undamaged() -> Iterator[Verdict]:
    """What the readers make of the originals: all must be read, or the damage would mean nothing."""
    worker = _Worker()
    with tempfile.TemporaryDirectory(prefix="animato_fuzz_") as folder:
        try:
            for number, original in enumerate(seeds()):
                place = Path(folder) / str(number)
                place.mkdir()
                for name, content in {**original.beside, original.name: original.data}.items():
                    (place / name).write_bytes(content)
                answer = worker.ask(original.reader, place / original.name)
                yield Verdict(number, original, str(answer["what"]), str(answer.get("said", "")))
        finally:
            worker.stop()


def rows(*, quick: bool = False) -> list[Row]:
    """Counts over files that no reader was mended with."""
    found = {"read": 0, "refused": 0, "foreign": 0, "hang": 0}
    for verdict in verdicts(QUICK_FILES if quick else FILES, REPORTED_SEED):
        found[verdict.what] += 1
        if verdict.what in ("foreign", "hang"):
            print(f"{verdict.number} {verdict.seed.name}: {verdict.what}: {verdict.said}", file=sys.stderr, flush=True)
    return [
        Row("fuzz.files", sum(found.values()), "files", "higher"),
        Row("fuzz.foreign", found["foreign"], "files", "lower"),
        Row("fuzz.hangs", found["hang"], "files", "lower"),
        Row("fuzz.refused", found["refused"], "files", "higher"),
    ]


def main() -> None:
    """Writes one damaged file of a run into a folder."""
    seed, number, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    original, data = damaged_file(number, seed, seeds())
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in {**original.beside, original.name: data}.items():
        (folder / name).write_bytes(content)
    print(f"{original.reader}: {folder / original.name}{os.linesep}", end="")


if __name__ == "__main__":
    main()
