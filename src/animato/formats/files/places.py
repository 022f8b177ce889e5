"""Where in a character file something stands: its path and its line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from animato.errors import AnimatoError, FileFormatError
from animato.formats.files.units import shortened
from animato.formats.files.yaml_lines import Data, PathInFile, YamlDocument

_LONGEST = 1500  # characters of a message


@dataclass(frozen=True)
class Places:
    """Turns a trouble at a path of a document into an error with its line.

    Attributes:
        source: The file.
        document: What it says.
    """

    source: str | Path
    document: YamlDocument

    def error(self, path: PathInFile, message: str) -> FileFormatError:
        """The error "joints.neck.type: message" at the line of the last step that the file has."""
        text = f"{written(path)}: {message}" if path else message
        text = text if len(text) <= _LONGEST else text[:_LONGEST] + "..."  # names in a file can be of any length
        return FileFormatError(self.source, text, self.line(path))

    def line(self, path: PathInFile) -> int | None:
        """The line of a path, or of as much of it as the file has."""
        while path and path not in self.document.lines:
            path = path[:-1]
        return self.document.lines.get(path)

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Gives errors that know no file the place that is being read."""
        try:
            yield
        except FileFormatError:
            raise
        except AnimatoError as error:
            raise self.error(path, str(error)) from None

    def path_of(self, location: tuple[str | int, ...]) -> PathInFile:
        """The path of what pydantic calls a location; steps that the file does not have are left out.

        Such a step is the 0 of a mapping that was read as a list of one. The last step stays: it may
        be a key that is missing.
        """
        path: PathInFile = ()
        here: Data = self.document.data
        for index, step in enumerate(location):
            inside = _child(here, step)
            if inside is not None:
                here = inside[0]
            elif index < len(location) - 1 or isinstance(step, int) or step == "[key]":
                continue
            path = (*path, step)
        return path


def _child(data: Data, step: str | int) -> tuple[Data] | None:
    """What stands at a key or index, as a tuple of one; None where nothing does."""
    if isinstance(data, dict) and isinstance(step, str) and step in data:
        return (data[step],)
    if isinstance(data, list) and isinstance(step, int) and step < len(data):
        return (data[step],)
    return None


def written(path: PathInFile) -> str:
    """A path as people write it: "bodies.base.shapes[0].size"."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f"{'.' if text else ''}{shortened(step)}"
    return text
