"""Messages between the studio and its processes: pickled, each with its length, large things sent once."""

from __future__ import annotations

import io
import pickle
import struct
from collections import OrderedDict
from typing import IO, Any

from animato.character import Character
from animato.motion import Clip

_LENGTH = struct.Struct("<Q")
_MOST_KNOWN = 24  # large things that are remembered for one process
_ONCE = (Character, Clip)


class Sender:
    """Writes messages; a character or clip that was sent already is only referred to.

    The one who reads must be a `Receiver` that got all messages of this one.
    """

    def __init__(self) -> None:
        """Nothing was sent yet."""
        self._known: OrderedDict[int, tuple[int, Any]] = OrderedDict()  # by id(); held, so that no id comes twice
        self._count = 0

    def packed(self, message: Any) -> bytes:
        """A message as bytes.

        Args:
            message: What can be pickled.
        """
        fresh: list[tuple[int, Any]] = []
        body = _Pickler(self, fresh)
        body.dump(message)
        gone = []
        while len(self._known) > _MOST_KNOWN + len(fresh):
            gone.append(self._known.popitem(last=False)[1][0])
        before = _plain((fresh, gone))
        text = body.text()
        return _LENGTH.pack(len(before)) + before + _LENGTH.pack(len(text)) + text

    def number_of(self, thing: Any, fresh: list[tuple[int, Any]]) -> int:
        """The number that stands for a large thing; one that is new is put among the fresh ones."""
        known = self._known.get(id(thing))
        if known is None:
            self._count += 1
            known = self._known[id(thing)] = (self._count, thing)
            fresh.append(known)
        self._known.move_to_end(id(thing))
        return known[0]


class Receiver:
    """Reads what a `Sender` wrote."""

    def __init__(self, stream: IO[bytes]) -> None:
        """From a stream."""
        self._stream = stream
        self._known: dict[int, Any] = {}

    def read_bytes(self) -> tuple[bytes, bytes] | None:
        """The two parts of the next message, waiting for it; None where there are no more."""
        parts = []
        for _ in range(2):
            head = self._stream.read(_LENGTH.size)
            if len(head) < _LENGTH.size:
                return None
            count = _LENGTH.unpack(head)[0]
            part = self._stream.read(count)
            if len(part) < count:
                return None
            parts.append(part)
        return parts[0], parts[1]

    def opened(self, parts: tuple[bytes, bytes]) -> Any:
        """The message of its two parts; in the order in which they came."""
        fresh, gone = pickle.loads(parts[0])
        self._known.update(fresh)
        message = _Unpickler(io.BytesIO(parts[1]), self._known).load()
        for number in gone:
            self._known.pop(number, None)
        return message


class _Pickler(pickle.Pickler):
    def __init__(self, sender: Sender, fresh: list[tuple[int, Any]]) -> None:
        self._out = io.BytesIO()
        super().__init__(self._out, protocol=pickle.HIGHEST_PROTOCOL)
        self._sender, self._fresh = sender, fresh

    def persistent_id(self, thing: Any) -> int | None:
        return self._sender.number_of(thing, self._fresh) if type(thing) in _ONCE else None

    def text(self) -> bytes:
        return self._out.getvalue()


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, known: dict[int, Any]) -> None:
        super().__init__(stream)
        self._known = known

    def persistent_load(self, number: Any) -> Any:
        return self._known[number]


class _PlainPickler(pickle.Pickler):
    """Clips go without the splines that were made of them: these are made anew where they are needed."""

    def reducer_override(self, thing: Any) -> Any:
        if type(thing) is not Clip:
            return NotImplemented
        return Clip, (
            thing.times,
            thing.names,
            thing.positions,
            thing.base_positions,
            thing.base_quaternions_wxyz,
            thing.source,
        )


def _plain(message: Any) -> bytes:
    out = io.BytesIO()
    _PlainPickler(out, protocol=pickle.HIGHEST_PROTOCOL).dump(message)
    return out.getvalue()


def packed_plain(message: Any) -> bytes:
    """A message that needs no memory of those before it, as bytes for a `Receiver`."""
    nothing, text = pickle.dumps(([], [])), _plain(message)
    return _LENGTH.pack(len(nothing)) + nothing + _LENGTH.pack(len(text)) + text
