"""The other side of a Maestro: speaks its two protocols to the byte, limits speed, and goes home on errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from animato.stage.emulated.serial_emulator import SerialEmulator
from animato.stage.emulated.servo_body import ServoBody

_LENGTHS = {0x84: 3, 0x87: 3, 0x89: 3, 0x90: 1, 0x93: 0, 0xA1: 0, 0xA2: 0}
"""How many bytes follow each command; those of 0x9F are counted by its first."""
_MICRO_CHANNELS = 6
_PROTOCOL_ERROR = 1 << 4
_CRC_ERROR = 1 << 3
_TIMEOUT_ERROR = 1 << 5
_FASTEST = 1e9
"""Pulses change as fast as they are told [microseconds/s] where no limit is set."""
_ACCELERATION_UNIT = 0.25 / 0.010 / 0.080


class MaestroEmulator(SerialEmulator):
    """A Maestro on a pty. Bodies stand at the pulses that are sent [microseconds], not at shafts.

    Args:
        ids: Its channels; with six at most it is a Micro Maestro, which does not know some commands.
        positions: Pulses that are sent at first [microseconds]; a channel that is not named is off.
        latency_s: How long answers take on their way [s].
        home: To what pulse channels go on an error [microseconds]; a channel that is not named is switched off.
        timeout_s: The serial timeout of its settings [s]; None is off.
        ends: The least and the most pulse of its settings [microseconds], for all channels.
        device: Its number on a line of several.
        checks: Whether CRC is on: commands end with a check sum.

    Attributes:
        errors: The error register.
        stranger: How many bytes made no sense.
    """

    def __init__(
        self,
        ids: Iterable[int] = range(24),
        positions: Mapping[int, float] | None = None,
        latency_s: float = 0.0,
        home: Mapping[int, float] | None = None,
        timeout_s: float | None = None,
        ends: tuple[float, float] = (64.0, 4080.0),
        device: int = 12,
        checks: bool = False,
    ) -> None:
        super().__init__(ids, latency_s)
        self.bodies = {channel: ServoBody(0.0, _FASTEST) for channel in self.bodies}
        for channel, pulse in (positions or {}).items():
            body = self.bodies[channel]
            body.position, body.goal, body.torque = pulse, pulse, True
        self.errors = 0
        self.stranger = 0
        self._home = dict(home or {})
        self._timeout_s = timeout_s
        self._ends = ends
        self._device = device
        self._checks = checks
        self._packet = bytearray()
        self._spoken_at: float | None = None
        self._goals: dict[int, float] = {}

    def _hear(self, data: bytes, now: float) -> list[tuple[int, bytes]]:
        answers: list[tuple[int, bytes]] = []
        for byte in data:
            if byte & 0x80 and self._packet:
                self._fail(_PROTOCOL_ERROR, now)  # a command that breaks into another one
                self._packet.clear()
            if not self._packet and not byte & 0x80:
                self._fail(_PROTOCOL_ERROR, now)
                continue
            self._packet.append(byte)
            self._consider(answers, now)
        self._close_frame(now)
        return answers

    def _consider(self, answers: list[tuple[int, bytes]], now: float) -> None:
        """Acts where the packet is whole."""
        packet = self._packet[:-1] if self._checks else self._packet
        if not packet:
            return
        addressed = True
        if packet[0] == 0xAA:
            if len(packet) < 3:
                return
            addressed = packet[1] == self._device
            packet = bytearray([packet[2] | 0x80, *packet[3:]])
        code, data = packet[0], packet[1:]
        if code == 0x9F and len(self.bodies) > _MICRO_CHANNELS:
            if len(data) < 1 or len(data) < 2 + 2 * data[0]:
                return
        elif code not in _LENGTHS or (code == 0x93 and len(self.bodies) <= _MICRO_CHANNELS):
            self._packet.clear()
            self._fail(_PROTOCOL_ERROR, now)
            return
        elif len(data) < _LENGTHS[code]:
            return
        is_whole = not self._checks or _crc7(self._packet[:-1]) == self._packet[-1]
        self._packet.clear()
        if not is_whole:
            self._fail(_CRC_ERROR, now)
        elif addressed:
            self._spoken_at = now
            self._act(code, list(data), answers, now)

    def _act(self, code: int, data: list[int], answers: list[tuple[int, bytes]], now: float) -> None:
        if code == 0xA1:
            answers.append((0, self.errors.to_bytes(2, "little")))
            self.errors = 0
        elif code == 0xA2:
            self._go_home(now)
        elif code == 0x93:
            moving = any(body.torque and body.position != body.goal for body in self.bodies.values())
            answers.append((0, bytes([moving])))
        elif code == 0x9F:
            for number in range(data[0]):
                self._target(data[1] + number, data[2 + 2 * number] | data[3 + 2 * number] << 7, now)
        elif data[0] not in self.bodies:
            self._fail(_PROTOCOL_ERROR, now)
        elif code == 0x90:
            body = self.bodies[data[0]]
            body.advance(now)
            pulse = round(body.position * 4) if body.torque else 0
            answers.append((data[0], pulse.to_bytes(2, "little")))
        elif code == 0x84:
            self._target(data[0], data[1] | data[2] << 7, now)
        else:
            self._limit(code, data[0], data[1] | data[2] << 7, now)

    def _limit(self, code: int, channel: int, value: int, now: float) -> None:
        body = self.bodies[channel]
        body.advance(now)
        if code == 0x87:
            body.speed_limit = value * 25.0 if value else None
        else:
            body.acceleration = value * _ACCELERATION_UNIT if value else None

    def _target(self, channel: int, quarters: int, now: float) -> None:
        if channel not in self.bodies:
            self._fail(_PROTOCOL_ERROR, now)
            return
        if channel in self._goals:
            self._close_frame(now)
        self._goals[channel] = quarters / 4
        self._set(channel, quarters / 4, now)

    def _set(self, channel: int, pulse: float, now: float) -> None:
        body = self.bodies[channel]
        body.advance(now)
        if pulse == 0.0:
            body.torque = False
            return
        pulse = min(max(pulse, self._ends[0]), self._ends[1])
        if not body.torque:  # it does not know where the servo is, so it goes there at once
            body.torque, body.position = True, pulse
        body.tell(pulse, now)

    def _close_frame(self, now: float) -> None:
        if self._goals:
            self.frames.append((now, dict(self._goals)))
            self._goals.clear()

    def _fail(self, bit: int, now: float) -> None:
        self.stranger += bit == _PROTOCOL_ERROR
        self.errors |= bit
        self._go_home(now)

    def _go_home(self, now: float) -> None:
        for channel in self.bodies:
            self._set(channel, self._home.get(channel, 0.0), now)

    def _tick(self, now: float) -> None:
        for body in self.bodies.values():
            if body.torque:
                body.advance(now)
        silent = self._timeout_s is not None and self._spoken_at is not None and now - self._spoken_at > self._timeout_s
        if silent and not self.errors & _TIMEOUT_ERROR:
            self._fail(_TIMEOUT_ERROR, now)

    def _on_trouble(self, id: int) -> None:
        """A Maestro knows nothing of temperature or current."""


def _crc7(data: bytes | bytearray) -> int:
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc ^ 0x91 if crc & 1 else crc) >> 1
    return crc
