"""A bus of emulated Feetech STS servos, byte for byte."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from animato.stage.emulated.feetech_servo import FeetechServo
from animato.stage.emulated.serial_emulator import SerialEmulator
from animato.stage.lines.feetech import EVERYBODY, Instruction, Packet, PacketReader, packet_bytes, registers

_OVERLOADED_A = 1.5


class FeetechEmulator(SerialEmulator):
    """Servos of the STS family on a pty.

    Attributes:
        servos: By id, with their memory.
    """

    def __init__(
        self,
        ids: Iterable[int] = (1,),
        model: int = 777,
        latency_s: float = 0.0,
        positions: Mapping[int, float] | None = None,
    ) -> None:
        """Servos as they come from the factory.

        Args:
            ids: Of the servos.
            model: Their model number; 777 is an STS3215.
            latency_s: How long answers take on their way [s].
            positions: Where shafts stand at first [counts]; 2048 where not said.
        """
        super().__init__(ids, latency_s, positions)
        self.servos = {id: FeetechServo(id, body, model) for id, body in self.bodies.items()}
        self._reader = PacketReader()

    def _hear(self, data: bytes, now: float) -> list[tuple[int, bytes]]:
        return [answer for packet in self._reader.feed(data) for answer in self._act(packet, now)]

    def _tick(self, now: float) -> None:
        for body in self.bodies.values():
            body.advance(now)

    def _on_trouble(self, id: int) -> None:
        servo, now = self.servos[id], time.monotonic()
        if servo.body.temperature > servo.get(registers.TEMPERATURE_LIMIT):
            servo.trouble(0x04, now)
        if servo.body.strain > _OVERLOADED_A:
            servo.trouble(0x20, now)

    def _act(self, packet: Packet, now: float) -> list[tuple[int, bytes]]:
        given = packet.parameters
        match packet.code:
            case Instruction.SYNC_WRITE if len(given) > 2:
                goals: dict[int, float] = {}
                address, length = given[0], given[1]
                for at in range(2, len(given) - length, length + 1):
                    if given[at] in self.servos:
                        self._write(self.servos[given[at]], address, given[at + 1 : at + 1 + length], now, goals)
                if goals:
                    self.frames.append((now, goals))
                return []
            case Instruction.SYNC_READ if len(given) > 2:
                answers = []
                for id in given[2:]:
                    if id not in self.servos or self._muted is None or id in self._muted:
                        continue  # the next one answers after a while, as if this one had
                    answers.append(self._answer(self.servos[id], self.servos[id].read(given[0], given[1])))
                return answers
            case _:
                servos = [one for one in self.servos.values() if packet.id in (one.id, EVERYBODY)]
                return [answer for servo in servos for answer in self._single(servo, packet, now)]

    def _single(self, servo: FeetechServo, packet: Packet, now: float) -> list[tuple[int, bytes]]:
        """What one servo says to an instruction for it, or for everybody."""
        given, data = packet.parameters, b""
        match packet.code:
            case Instruction.PING:
                return [self._answer(servo, b"")]
            case Instruction.READ if len(given) == 2:
                data = servo.read(given[0], given[1])
            case Instruction.WRITE if len(given) > 1:
                self._write(servo, given[0], given[1:], now)
            case Instruction.REG_WRITE if len(given) > 1:
                servo.registered = (given[0], given[1:])
            case Instruction.ACTION:
                if servo.registered is not None:
                    self._write(servo, *servo.registered, now)
                servo.registered = None
            case _:
                return []
        level = servo.get(registers.STATUS_LEVEL)
        silent = packet.id == EVERYBODY or (level == 0 and packet.code != Instruction.READ)
        return [] if silent else [self._answer(servo, data)]

    def _answer(self, servo: FeetechServo, data: bytes) -> tuple[int, bytes]:
        return servo.id, packet_bytes(servo.id, servo.error, data)

    def _write(
        self, servo: FeetechServo, address: int, data: bytes, now: float, goals: dict[int, float] | None = None
    ) -> None:
        """Writes, and notes a goal: in `goals`, or as a frame of its own."""
        servo.write(address, data, now)
        if address <= registers.GOAL_POSITION.address < address + len(data):
            told = float(servo.get(registers.GOAL_POSITION))
            if goals is None:
                self.frames.append((now, {servo.id: told}))
            else:
                goals[servo.id] = told
