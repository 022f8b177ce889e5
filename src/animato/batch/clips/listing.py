"""Which clips there are, and the tasks that they make."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from animato.batch.clips.job import Job
from animato.batch.engine import Listed, Storage, Task
from animato.errors import AnimatoError, MotionError, OptionError
from animato.formats import READ_SUFFIXES

_OTHER_RESULTS = re.compile(r"(.+/)done/\d{5}-\d{5}-\d{7}-[0-9a-f]+\.jsonl")  # what every batch keeps in its folder
_LOADING = 4096.0  # bytes that a clip of none would count as: opening a file takes its time, too


@dataclass(frozen=True)
class ClipTask:
    """One clip for one robot.

    Attributes:
        key: What its result is found by.
        clip: Its name in the folder of clips.
        beside: Names of files that it needs, such as the .asf of an .amc.
        robot: Number of the robot in the job.
        sha256: Of the clip and what it needs, or what its storage says of them.
        result: Where the resulting clip goes, in the folder of results.
    """

    key: str
    clip: str
    beside: tuple[str, ...]
    robot: int
    sha256: str
    result: str


class Clips:
    """The clips of a folder, in the order of their names."""

    def __init__(self, storage: Storage, out: Storage) -> None:
        """Lists a folder.

        Args:
            storage: Of the clips.
            out: Of the results, which are no clips where that folder is in the other one.

        Raises:
            MotionError: There are none.
        """
        self._storage = storage
        files = list(storage.files())
        results = {found[1] for one in files if (found := _OTHER_RESULTS.fullmatch(one.name))}  # of other batches, too
        results |= {inside} if (inside := _inside(storage, out)) else set()
        self._all = [one for one in files if not one.name.startswith(tuple(results))]
        self.listed = [one for one in self._all if PurePosixPath(one.name).suffix.lower() in READ_SUFFIXES]
        if not self.listed:
            if storage.is_local and not storage.folder.is_dir():
                what = "is a file" if storage.folder.exists() else "is not there"
                raise MotionError(f"'{storage.address}' {what}; a batch takes a folder of clips.")
            raise MotionError(
                f"No clips are in '{storage.address}' or the folders in it; clips are {', '.join(READ_SUFFIXES)} files."
            )
        self._marks: dict[str, bytes] = {}
        self._skeletons: dict[str, list[str]] = {}
        self._sizes = {one.name: one for one in self._all}
        for one in self._all:
            if one.name.lower().endswith(".asf"):
                self._skeletons.setdefault(one.name.rpartition("/")[0], []).append(one.name)
        stems = Counter(one.name.rpartition(".")[0] for one in self.listed)
        self._twice = {stem for stem, count in stems.items() if count > 1}

    def tasks(self, job: Job) -> Iterator[Task]:
        """A task for every robot and clip, robot by robot; content is read when a task is taken."""
        for number, robot in enumerate(job.robots):
            for one in self.listed:
                beside = self._beside(one.name)
                content = self._content(one, beside)
                key = job.key(one.name, content, robot)
                stem = one.name.rpartition(".")[0]
                name = one.name if stem in self._twice else stem
                told = ClipTask(key, one.name, beside, number, content, f"clips/{robot.label}/{name}.npz")
                yield Task(key, told, one.size + _LOADING, robot.label)

    def _beside(self, name: str) -> tuple[str, ...]:
        """Files without which a clip cannot be read, or is read otherwise."""
        about = [f"{name}.about.json"] if f"{name}.about.json" in self._sizes else []
        skeletons = self._skeletons.get(name.rpartition("/")[0], []) if name.lower().endswith(".amc") else []
        return (*about, *skeletons)

    def _content(self, one: Listed, beside: tuple[str, ...]) -> str:
        parts = [self._mark(one), *(self._mark(self._sizes[name]) for name in beside)]
        return parts[0].hex() if len(parts) == 1 else hashlib.sha256(b"".join(parts)).hexdigest()

    def _mark(self, one: Listed) -> bytes:
        """32 bytes that are others for another content."""
        if one.name not in self._marks:
            try:
                content = one.mark.encode() if one.mark else self._storage.read(one.name)
            except AnimatoError:  # nobody may read it, or it is gone since: its row will say so
                content = b"cannot be read"
            self._marks[one.name] = hashlib.sha256(content).digest()
        return self._marks[one.name]


def _inside(storage: Storage, out: Storage) -> str:
    """The part of names that says that a file is one of the results; "" where they lie elsewhere."""
    if storage.is_local and out.is_local:
        top, inner = storage.folder.resolve(), out.folder.resolve()
        return inner.relative_to(top).as_posix() + "/" if inner != top and inner.is_relative_to(top) else ""
    top_url, inner_url = storage.address.rstrip("/") + "/", out.address.rstrip("/") + "/"
    return inner_url.removeprefix(top_url) if inner_url != top_url and inner_url.startswith(top_url) else ""


def refuse_among(job: Job) -> None:
    """Refuses a folder of clips into which results are written: the next run would take them for clips.

    Raises:
        OptionError: It is the folder of results, or a folder of resulting clips in it.
    """
    clips, out = Storage(job.clips), Storage(job.out)
    if clips.is_local and out.is_local:
        place, results = f"{clips.folder.resolve().as_posix()}/", f"{out.folder.resolve().as_posix()}/"
    else:
        place, results = f"{clips.address.rstrip('/')}/", f"{out.address.rstrip('/')}/"
    written = tuple(f"{results}clips/{robot.label}/" for robot in job.robots)
    if place in (results, f"{results}clips/") or place.startswith(written):
        raise OptionError(
            f"`out` '{out.address}' would put results among the clips of '{clips.address}', and the next run would "
            "take them for clips. Choose another folder; one inside the folder of clips will do."
        )
