"""Ears of a show: OSC and MIDI over the network, MIDI of a device, and the keyboard, each in a thread of its own."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import sys
import threading
from collections.abc import Callable
from typing import NamedTuple

from animato.errors import OptionError, missing_dependency
from animato.stage.shows.file import InputSection, PortKind
from animato.stage.shows.ports.senders import port_number, udp_of

_LOOK_S = 0.1  # how soon an ear notices that it is closed


class Heard(NamedTuple):
    """A message that came in.

    Attributes:
        kind: How it came.
        what: Address of OSC; "note", "control", "quarter" or "exclusive" of MIDI; the word that was typed.
        values: Its arguments: numbers of a note and its velocity, of a control and its value, of a quarter frame's
            piece and nibble, bytes of a system exclusive message.
        channel: Of MIDI, from 1; 0 where there is none.
    """

    kind: PortKind
    what: str
    values: tuple[object, ...] = ()
    channel: int = 0


class Listener:
    """Opens one input at once, and hears it from `start` until it is closed.

    Args:
        input: Which.
        hear: Given each message; called from the thread of this ear.
    """

    def __init__(self, input: InputSection, hear: Callable[[Heard], None]) -> None:
        self._hear, self._kind, self._closed = hear, input.kind, threading.Event()
        self._parse = {PortKind.OSC: osc_parser, PortKind.MIDI: midi_parser, PortKind.KEYBOARD: key_parser}[
            self._kind
        ]()
        self._socket: socket.socket | None = None
        self._file = -1
        self.port = 0
        target = (input.host, port_number(str(input.port))) if self._kind is PortKind.OSC else udp_of(str(input.port))
        if self._kind is PortKind.KEYBOARD:
            try:
                self._file = os.dup(sys.stdin.fileno())
            except (OSError, ValueError, AttributeError):
                raise OptionError("There is no keyboard: the program has no input of its own.") from None
        elif target is not None:
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            try:
                self._socket.bind(target)
            except OSError as error:
                self._socket.close()
                raise OptionError(f"Nothing can be heard at {target[0]}:{target[1]}: {error.strerror}.") from None
            self.port = self._socket.getsockname()[1]
        else:
            try:
                self._file = os.open(str(input.port), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
            except OSError as error:
                raise OptionError(f"The MIDI device '{input.port}' cannot be opened: {error.strerror}.") from None
        self._thread = threading.Thread(target=self._run, name=f"ear-{self._kind.value}", daemon=True)

    def start(self) -> None:
        """Begins to hear. What is typed before belongs to others, who may ask whether to begin."""
        self._thread.start()

    def close(self) -> None:
        """Hears no more."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)
        if self._socket is not None:
            self._socket.close()
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.close(self._file)

    def _run(self) -> None:
        source = self._socket if self._socket is not None else self._file
        while not self._closed.is_set():
            with contextlib.suppress(Exception):  # noise on a port must not make a show deaf
                ready, _, _ = select.select([source], [], [], _LOOK_S)
                if not ready:
                    continue
                data = self._socket.recv(65536) if self._socket is not None else os.read(self._file, 4096)
                if not data:
                    self._closed.wait(_LOOK_S)  # the other side is gone, and may come back
                for heard in self._parse(data):
                    self._hear(heard)


def osc_parser() -> Callable[[bytes], list[Heard]]:
    """Reads a datagram of OSC: a message, or a bundle whose messages all count at once."""
    try:
        from pythonosc.osc_packet import OscPacket
    except ImportError:
        raise missing_dependency("python-osc", "show", "Hearing OSC") from None

    def parse(data: bytes) -> list[Heard]:
        messages = OscPacket(data).messages
        return [Heard(PortKind.OSC, one.message.address, tuple(one.message.params)) for one in messages]

    return parse


def midi_parser() -> Callable[[bytes], list[Heard]]:
    """Reads a stream of bytes of MIDI, which may be cut anywhere."""
    try:
        import mido
    except ImportError:
        raise missing_dependency("mido", "show", "Hearing MIDI") from None
    parser, whole = mido.Parser(), _RunningStatus()

    def parse(data: bytes) -> list[Heard]:
        parser.feed(whole(data))
        heard = []
        while (one := parser.get_message()) is not None:
            if one.type in ("note_on", "note_off"):
                velocity = one.velocity if one.type == "note_on" else 0
                heard.append(Heard(PortKind.MIDI, "note", (one.note, velocity), one.channel + 1))
            elif one.type == "control_change":
                heard.append(Heard(PortKind.MIDI, "control", (one.control, one.value), one.channel + 1))
            elif one.type == "quarter_frame":
                heard.append(Heard(PortKind.MIDI, "quarter", (one.frame_type, one.frame_value)))
            elif one.type == "sysex":
                heard.append(Heard(PortKind.MIDI, "exclusive", tuple(one.data)))
        return heard

    return parse


class _RunningStatus:
    """Writes the first byte of a message out where a device leaves it away because it is that of the message before."""

    def __init__(self) -> None:
        self._status = self._due = 0

    def __call__(self, data: bytes) -> bytes:
        """The same bytes with every message whole."""
        out = bytearray()
        for byte in data:
            if byte < 0x80 and self._status:
                if self._due == 0:
                    out.append(self._status)
                    self._due = self._length()
                self._due -= 1
            elif 0x80 <= byte < 0xF8:  # clock ticks and the like, above, may come in the middle of anything
                self._status = byte if byte < 0xF0 else 0
                self._due = self._length()
            out.append(byte)
        return bytes(out)

    def _length(self) -> int:
        """Bytes behind the first."""
        return 1 if 0xC0 <= self._status < 0xE0 else 2


def key_parser() -> Callable[[bytes], list[Heard]]:
    """Reads lines that were typed; an empty one is "go"."""

    def parse(data: bytes) -> list[Heard]:
        words = data.decode("utf-8", "replace").split("\n")[:-1]
        return [Heard(PortKind.KEYBOARD, word.strip() or "go") for word in words]

    return parse
