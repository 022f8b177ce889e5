"""What came of writing a character."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Saved:
    """The files that were written, and what they do not hold. It may be used in the place of its path.

    Attributes:
        path: The file that was asked for.
        files: All files, that one first.
        left_out: What the format cannot hold or says in another way, a sentence each; empty where
            reading the file gives an equal character.
    """

    path: Path
    files: tuple[Path, ...]
    left_out: tuple[str, ...] = ()

    def __fspath__(self) -> str:
        """The path, for whoever opens files."""
        return str(self.path)

    def __str__(self) -> str:
        """The path, for people."""
        return str(self.path)
