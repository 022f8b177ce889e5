"""What is finished: files of JSON lines, each written whole, each line the result of one task.

A kill at any moment leaves whole files. Whoever comes next reads the keys and does what is missing. Files are named by
the run, the rank in it and a number, and a later run's result of the same key counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO
from uuid import uuid4

from animato.batch.engine.storage import Storage

FOLDER = "done"


class Store:
    """Finished results in a folder of a storage."""

    def __init__(self, storage: Storage, *, rank: int = 0, folder: str = FOLDER) -> None:
        """Opens a store; nothing is written yet.

        Args:
            storage: Of the batch.
            rank: Of this process among those that write at the same time.
            folder: In it.
        """
        self._storage, self._rank, self._folder = storage, rank, folder
        self._written = 0
        self._run: int | None = None
        self._own = uuid4().hex[:8]  # two batches in one folder do the same work twice, and lose nothing

    def append(self, results: Iterable[dict[str, Any]]) -> None:
        """Writes results as one file, whole; each has a "key"."""
        if self._run is None:
            runs = [int(name.split("-")[0]) for name in self.files()]
            self._run = max(runs, default=0) + 1
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in results)
        name = f"{self._run:05d}-{self._rank:05d}-{self._written:07d}-{self._own}.jsonl"
        self._storage.write(f"{self._folder}/{name}", text.encode("utf-8", "surrogatepass"))
        self._written += 1

    def files(self) -> list[str]:
        """Names of the files, the oldest run first."""
        names = (one.name for one in self._storage.files(self._folder))
        return sorted(name for name in names if name.endswith(".jsonl") and name[:5].isdigit())

    def lines(self, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Results of a file with the bytes at which they begin; a line that cannot be read is left out."""
        at = 0
        for line in self._storage.read(f"{self._folder}/{name}").splitlines(keepends=True):
            try:
                found = json.loads(line.decode("utf-8", "surrogatepass"))
            except ValueError:
                found = None
            if isinstance(found, dict) and isinstance(found.get("key"), str):
                yield at, found
            at += len(line)

    def index(
        self, seen: Callable[[dict[str, Any]], None] | None = None, *, without: Collection[str] = ()
    ) -> dict[str, tuple[str, int]]:
        """Where the result of each key is: file and byte.

        Args:
            seen: Told of every result, those that a later one replaces included.
            without: Files that do not count.
        """
        found: dict[str, tuple[str, int]] = {}
        for name in (one for one in self.files() if one not in without):
            for at, result in self.lines(name):
                found[result["key"]] = (name, at)
                if seen is not None:
                    seen(result)
        return found

    def results(self, places: Iterable[tuple[str, int]]) -> Iterator[dict[str, Any]]:
        """Results at places of the index, in the given order; files are read where a result is, not as a whole."""
        with ExitStack() as stack:
            into = Path()
            if not self._storage.is_local:
                into = Path(stack.enter_context(TemporaryDirectory(prefix="animato-")))
            opened: dict[str, BinaryIO] = {}
            for name, at in places:
                if name not in opened:
                    if len(opened) >= _OPEN:
                        opened.pop(next(iter(opened))).close()
                    place = into / self._folder / name
                    if self._storage.is_local or not place.exists():
                        place = self._storage.brought(f"{self._folder}/{name}", into)
                    opened[name] = stack.enter_context(place.open("rb"))
                opened[name].seek(at)
                yield json.loads(opened[name].readline().decode("utf-8", "surrogatepass"))


_OPEN = 100  # files at a time; a process may have some hundreds
