"""What a person made, from which a motion comes: keys, a drawing, a capture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from animato.errors import MotionError
from animato.motion import Clip

Keep = Callable[[Clip, str], str]
"""Keeps a clip that belongs to a source beside it, under a suffix, and gives its name in the project."""

Read = Callable[[str], Clip]
"""The clip of a name that `Keep` gave."""


class Source(Protocol):
    """One kind of what a person made. It never changes; an edit makes another one.

    Attributes:
        kind: Its name in files and messages.
    """

    kind: ClassVar[str]

    def for_file(self, keep: Keep) -> dict[str, Any]:
        """Plain values for the file of the take; clips go through `keep`."""
        ...

    def for_page(self) -> dict[str, Any]:
        """Plain values for pages: what is shown and edited, no more."""
        ...

    @classmethod
    def from_file(cls, values: Mapping[str, Any], read: Read) -> Source:
        """Back from `for_file`."""
        ...


def source_from(values: Mapping[str, Any], read: Read, kinds: Mapping[str, type[Source]]) -> Source:
    """The source that a file tells of.

    Args:
        values: What `for_file` gave, with its `kind`.
        read: Finds clips.
        kinds: All kinds that there are, by name.

    Raises:
        MotionError: There is no such kind.
    """
    kind = values.get("kind")
    if kind not in kinds:
        raise MotionError(f"A take's `kind` is one of {', '.join(kinds)}; given {kind!r:.40}.")
    return kinds[str(kind)].from_file(values, read)
