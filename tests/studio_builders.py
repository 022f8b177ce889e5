"""A desk, a page and a source for tests of the studio."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from animato.formats import load_character
from animato.motion import Clip
from animato.studio.desk import Desk
from animato.studio.document import Document, Keep, Read, Take


@dataclass(frozen=True, eq=False)
class PlainSource:
    """A source that is one number."""

    kind: ClassVar[str] = "plain"

    number: float = 0.0

    def for_file(self, keep: Keep) -> dict[str, Any]:
        return {"number": self.number}

    def for_page(self) -> dict[str, Any]:
        return {"number": self.number}

    @classmethod
    def from_file(cls, values: Mapping[str, Any], read: Read) -> PlainSource:
        return cls(values["number"])


class FakePage:
    """A page that keeps what it is told."""

    def __init__(self, name: str = "one") -> None:
        self.name = name
        self.sent: list[dict[str, Any]] = []

    def send(self, message: str | bytes, *, newest_of: str = "") -> None:
        self.sent.append(json.loads(message) if isinstance(message, str) else unpacked(message))

    def told(self, say: str) -> list[dict[str, Any]]:
        """All messages about something."""
        return [one for one in self.sent if one.get("say") == say]

    def last(self, say: str) -> dict[str, Any]:
        """The newest message about something."""
        return self.told(say)[-1]

    def toasts(self) -> list[str]:
        """All short sentences."""
        return [one["words"] for one in self.told("toast")]

    def errors(self) -> list[str]:
        """All sentences of messages that were refused."""
        return [one["error"] for one in self.sent if "error" in one]


def unpacked(message: bytes) -> dict[str, Any]:
    """What `packed` packed; arrays stand under their names, too."""
    (length,) = struct.unpack_from("<I", message)
    header = json.loads(message[4 : 4 + length])
    at, arrays = 4 + length, {}
    for name, shape in header["arrays"]:
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(message, "<f4", count, at).reshape(shape)
        at += 4 * count
    assert at == len(message)
    return {**header, **arrays, "arrays": arrays}


def ask(desk: Desk, page: FakePage, do: str, **fields: Any) -> dict[str, Any]:
    """What a page is answered; errors too."""
    desk.answer(page, json.dumps({"do": do, "id": 1, **fields}))
    return next(one for one in reversed(page.sent) if one.get("re") == 1)


def document_of(name: str = "lamp") -> Document:
    """A character without takes."""
    return Document(load_character(name), name)


def take_of(document: Document, name: str = "a", seconds: float = 1.0, number: float = 0.0) -> Take:
    """A take in which nothing moves."""
    joints = document.character.coordinate_names
    clip = Clip(np.array([0.0, seconds]), joints, np.zeros((2, len(joints))))
    return Take(name, PlainSource(number), clip)
