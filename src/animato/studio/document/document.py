"""All that a project holds at one moment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from animato.character import Character
from animato.errors import OptionError, unknown_name
from animato.motion import Posture
from animato.studio.document.take import Take

_LONGEST_NAME = 60
_NOT_IN_NAMES = re.compile(r"[^\w \-.()+']", re.UNICODE)


@dataclass(frozen=True, eq=False)
class Document:
    """A character, its takes and what else people made. It never changes; an edit makes another one.

    Attributes:
        character: Who performs.
        character_name: What the project calls it: the name of a shipped character, or a file in the project.
        takes: In their order.
        current: Name of the take that is open; "" where there is none.
        postures: Kept by name, beside those of the character's file.
        settings: Plain values by tool, such as options and what is freed; each tool knows its own.
    """

    character: Character
    character_name: str
    takes: tuple[Take, ...] = ()
    current: str = ""
    postures: Mapping[str, Posture] = field(default_factory=dict)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def open_take(self) -> Take | None:
        """The take that is open."""
        return next((one for one in self.takes if one.name == self.current), None)

    def take(self, name: str) -> Take:
        """A take by name.

        Raises:
            UnknownNameError: There is none.
        """
        for one in self.takes:
            if one.name == name:
                return one
        raise unknown_name("take", name, [one.name for one in self.takes], "the project")

    def with_take(self, take: Take, *, opened: bool = True) -> Document:
        """With a take in the place of the one of its name, or after all others."""
        names = [one.name for one in self.takes]
        takes = list(self.takes)
        if take.name in names:
            takes[names.index(take.name)] = take
        else:
            takes.append(take)
        return replace(self, takes=tuple(takes), current=take.name if opened else self.current)

    def without_take(self, name: str) -> Document:
        """Without a take; its neighbour is open then."""
        place = self.takes.index(self.take(name))
        takes = self.takes[:place] + self.takes[place + 1 :]
        near = takes[min(place, len(takes) - 1)].name if takes else ""
        return replace(self, takes=takes, current=near if self.current == name else self.current)

    def renamed(self, name: str, wanted: str) -> Document:
        """With another name for a take."""
        take = self.take(name)
        other = replace(self, takes=tuple(one for one in self.takes if one is not take)).free_name(wanted)
        takes = tuple(replace(one, name=other) if one is take else one for one in self.takes)
        return replace(self, takes=takes, current=other if self.current == name else self.current)

    def opened(self, name: str) -> Document:
        """With another take open."""
        return replace(self, current=self.take(name).name)

    def with_settings(self, tool: str, **values: object) -> Document:
        """With some settings of a tool changed."""
        return replace(self, settings={**self.settings, tool: {**self.settings.get(tool, {}), **values}})

    def with_posture(self, name: str, posture: Posture | None) -> Document:
        """With a posture kept under a name, or taken away."""
        kept = {key: value for key, value in self.postures.items() if key != name}
        return replace(self, postures=kept if posture is None else {**kept, name: posture})

    def free_name(self, wanted: str) -> str:
        """A name for a take that no other has and every file system takes.

        Raises:
            OptionError: Nothing of it can be kept.
        """
        plain = " ".join(_NOT_IN_NAMES.sub(" ", wanted).split()).strip(" .")[:_LONGEST_NAME].rstrip(" .")
        if not plain:
            raise OptionError(f"A take's name has letters or digits; given {wanted!r:.40}.")
        taken = {one.name.lower() for one in self.takes}  # some file systems know no capitals
        name, number = plain, 2
        while name.lower() in taken:
            name, number = f"{plain} {number}", number + 1
        return name
