"""Which servos answer, on which port and at what speed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from animato.character import Bus, BusKind
from animato.errors import missing_dependency
from animato.stage.lines import Found, LineError, open_line
from animato.stage.lines.contract import SerialLink, merged
from animato.stage.lines.dynamixel import Instruction as Dynamixel
from animato.stage.lines.dynamixel import packet_bytes as dynamixel_bytes
from animato.stage.lines.feetech import EVERYBODY
from animato.stage.lines.feetech import Instruction as Feetech
from animato.stage.lines.feetech import packet_bytes as feetech_bytes

BAUDS = {
    BusKind.DYNAMIXEL: (57_600, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 115_200, 9_600),
    BusKind.FEETECH: (1_000_000, 500_000, 250_000, 115_200, 57_600, 38_400),
    BusKind.MAESTRO: (115_200,),
    BusKind.BOTTANGO: (115_200,),
}
"""Bits a second that are tried, the usual ones first."""

_POLOLU = 0x1FFB
_CALLS = {
    BusKind.DYNAMIXEL: dynamixel_bytes(EVERYBODY, Dynamixel.PING),
    BusKind.FEETECH: feetech_bytes(EVERYBODY, Feetech.PING),
}
_ECHO_S = 0.9
"""The servo with the greatest id answers a call to all so late, 3 ms behind one another [s]."""
_NEAR = 4
_LAST_ID = 253
_QUIET_S = 0.12
"""Where servos with small ids are there, something comes back by then."""


@dataclass(frozen=True)
class FoundBus:
    """Servos that answered on one port, in one language and at one speed.

    Attributes:
        port: Of the computer.
        kind: What they speak.
        baud: Bits a second.
        servos: Those that answered.
        note: Why nothing can be said, such as a port that is in use; empty where all is well.
    """

    port: str
    kind: BusKind | None
    baud: int | None
    servos: tuple[Found, ...]
    note: str = ""

    def notes(self) -> tuple[str, ...]:
        """What the servos say of themselves, the same of several said once."""
        return merged([(one.id, ", ".join(one.notes)) for one in self.servos if one.notes])

    def map_lines(self, name: str) -> list[str]:
        """The beginning of a servo map, to be pasted; joints are still to be named."""
        if self.kind is None or not self.servos:
            return []
        lines = ["buses:", f"  {name}: {{kind: {self.kind.value}, port: {self.port}, baud: {self.baud}}}", "servos:"]
        return [*lines, *(f"  JOINT_{one.id}: {{bus: {name}, id: {one.id}}}" for one in self.servos)]


def serial_ports() -> tuple[tuple[str, BusKind | None], ...]:
    """Serial ports of this computer that hang on USB, and what is spoken there where the adapter says so."""
    try:
        from serial.tools import list_ports
    except ImportError as error:
        raise missing_dependency("pyserial", "servos", "Looking for servos") from error
    ports = sorted(list_ports.comports(), key=lambda port: port.device)
    return tuple((port.device, BusKind.MAESTRO if port.vid == _POLOLU else None) for port in ports if port.vid)


def find_servos(
    ports: Sequence[str] = (),
    kind: BusKind | str | None = None,
    bauds: Sequence[int] = (),
    *,
    thorough: bool = False,
    say: Callable[[str], None] | None = None,
) -> tuple[FoundBus, ...]:
    """Looks for servos. Nothing moves: they are only asked who they are.

    Args:
        ports: Where to look; all serial ports on USB where not given.
        kind: What to speak; Dynamixel and Feetech where not given, and Maestro where the adapter is one. Bottango's
            drivers are asked only where this says so: most boards start anew when their port is opened.
        bauds: Speeds to try; the usual ones of each kind where not given. A pty has no speed: one is enough there.
        thorough: Wait at each speed, and not only at the first, until also a servo with a great id has answered.
        say: Told what is being tried.

    Returns:
        What was found, and ports that could not be asked with a note.
    """
    found: list[FoundBus] = []
    kind = None if kind is None else BusKind(kind)
    places = [(port, None) for port in ports] if ports else list(serial_ports())
    for port, adapter in places:
        kinds = [kind] if kind is not None else [adapter] if adapter is not None else list(_CALLS)
        there: list[FoundBus] = []
        for spoken in kinds:
            tried = bauds or (BAUDS[spoken][:1] if _has_no_speed(port) else BAUDS[spoken])
            for baud in tried:
                if say is not None:
                    say(f"{port}: {spoken.value} at {baud} baud")
                try:
                    servos = _asked(Bus("here", spoken, port, baud), thorough=thorough or baud == tried[0])
                except LineError as error:
                    there.append(FoundBus(port, spoken, baud, (), str(error)))
                    break  # at other speeds it will not open either
                if servos:
                    there.append(FoundBus(port, spoken, baud, servos))
        answered = [one for one in there if one.servos]
        notes = [] if answered else there[:1]
        found += answered or notes or [FoundBus(port, None, None, (), "nobody answers")]
    return tuple(found)


def _has_no_speed(port: str) -> bool:
    return port.startswith(("/dev/pts/", "tcp://"))


def _asked(bus: Bus, *, thorough: bool) -> tuple[Found, ...]:
    """Those that answer at one speed; where nothing at all comes back to a call to everybody, nobody is asked more."""
    if bus.kind in _CALLS and not _echoes(bus, _ECHO_S if thorough else _QUIET_S):
        return ()
    line = open_line(bus)
    try:
        found = line.find()
        if bus.kind is not BusKind.FEETECH:
            return found
        # All ids were called once each, and an answer that was late on a busy computer is missed. Ids are given in a
        # row, so those near to one that answered, or the first ones, are called again, more patiently.
        there = {one.id for one in found}
        near = {one + step for one in there or {0} for step in range(-_NEAR, _NEAR + 1)}
        again = line.find(sorted(id for id in near - there if 0 <= id <= _LAST_ID))
        return tuple(sorted((*found, *again), key=lambda one: one.id))
    finally:
        line.close()


def _echoes(bus: Bus, patience_s: float) -> bool:
    """Whether anything comes back to a call to everybody, be it garbled."""
    link = SerialLink(bus, bus.baud or BAUDS[bus.kind][0], 0.05)
    try:
        link.quiet()
        call = _CALLS[bus.kind]
        link.write(call)
        until = time.monotonic() + patience_s + link.seconds(len(call))
        heard = b""
        while time.monotonic() < until:
            heard += link.read()
            if heard.replace(call, b""):  # an adapter may give back what was sent
                return True
        return False
    finally:
        with contextlib.suppress(LineError):
            link.quiet()
        link.close()
