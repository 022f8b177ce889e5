"""What all tasks of a batch have in common: the verb, its options, the robots, where clips come from and go to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, cast

from animato.batch.clips.wishes import Wishes
from animato.batch.engine import Storage
from animato.errors import OptionError
from animato.formats import load_character
from animato.kernels.cache import source_tree
from animato.loading import fingerprint
from animato.version import __version__

VERBS = ("check", "fix", "mimic", "steady")
BaseChoice = Literal["auto", "ground", "float"]

_NOT_RESULTS = ("view", "report", "gallery", "stage", "studio", "cli")
"""Layers that draw, play or ask: another text of theirs leaves every result as it is."""


@dataclass(frozen=True)
class Robot:
    """One who is to perform.

    Attributes:
        label: What it is called in the table and in folders; no two robots of a batch have the same.
        source: Its file, or the name of a character that comes with animato.
        base: Whether a URDF robot is held or floats.
        sha256: Of its content.
    """

    label: str
    source: str
    base: BaseChoice
    sha256: str


@dataclass(frozen=True)
class Job:
    """What all tasks of a batch have in common.

    Attributes:
        verb: One of VERBS.
        robots: Who is to perform.
        wishes: Options of the verb, and how to read clips.
        clips: Address of the folder of clips.
        out: Address of the folder of results.
        version: Of animato.
        code_sha256: Of the sources that make results; the version alone does not change while somebody works on them.
        longest_s: A clip may take [s]; for ever where None. No result depends on it.
    """

    verb: str
    robots: tuple[Robot, ...]
    wishes: Wishes
    clips: str
    out: str
    version: str
    code_sha256: str
    longest_s: float | None = None

    def key(self, clip: str, content: str, robot: Robot) -> str:
        """What the result of one clip on one robot is found by: all that it depends on.

        Args:
            clip: Its name.
            content: Its content's SHA-256, or what a storage says of it.
            robot: Who performs it.
        """
        return fingerprint(clip, content, robot.label, robot.sha256, self._common)

    @cached_property
    def _common(self) -> str:
        """What keys of all clips have in common."""
        wishes = json.dumps(asdict(self.wishes), sort_keys=True, default=str)
        return fingerprint(self.verb, wishes, self.version, self.code_sha256)

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)

    @classmethod
    def read(cls, plain: dict[str, Any]) -> Job:
        """What `plain` gave."""
        robots = tuple(Robot(**one) for one in plain["robots"])
        return cls(**{**plain, "robots": robots, "wishes": Wishes(**plain["wishes"])})


def build_job(
    verb: str,
    robots: Sequence[str | Path],
    wishes: Wishes,
    clips: Storage,
    out: Storage,
    base: str | None,
    longest_s: float | None = None,
) -> Job:
    """The job, with every robot loaded once, so that what is wrong with one is said before anything runs.

    Raises:
        OptionError: There are no robots, or one stands twice.
        AnimatoError: A robot cannot be loaded.
    """
    if not robots:
        raise OptionError("`robot` is missing: who is to perform? Give the name or the file of at least one character.")
    choice = cast(BaseChoice, base or ("float" if verb == "mimic" else "auto"))
    found: list[Robot] = []
    for source in map(str, robots):
        model = load_character(source, base=choice)
        place = Path(source)
        label = place.stem if place.suffix else source
        labels = {one.label for one in found}
        sha256 = fingerprint(model)
        if any(one.sha256 == sha256 for one in found):
            raise OptionError(f"`robot` {source} stands twice; give every robot once.")
        number = 2
        while label in labels:
            label = f"{label.rpartition('-')[0] if number > 2 else label}-{number}"
            number += 1
        where = str(place.resolve()) if place.suffix else source  # other processes may stand in another folder
        found.append(Robot(label, where, choice, sha256))
    return Job(verb, tuple(found), wishes, clips.address, out.address, __version__, _code_sha256(), longest_s)


def _code_sha256() -> str:
    files = source_tree().files
    made = [name for name in sorted(files) if name.partition(".")[2].partition(".")[0] not in _NOT_RESULTS]
    return fingerprint(*(name.encode() + files[name].digest for name in made))
