"""A bus of emulated Dynamixel X servos, protocol 2.0, byte for byte."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from animato.stage.emulated.dynamixel_servo import DynamixelServo, Trouble
from animato.stage.emulated.serial_emulator import SerialEmulator
from animato.stage.lines.dynamixel import (
    EVERYBODY,
    Instruction,
    Packet,
    PacketReader,
    checksum,
    packet_bytes,
    registers,
)

_OVERLOADED_A = 1.5


class DynamixelEmulator(SerialEmulator):
    """Servos that speak protocol 2.0 on a pty.

    Attributes:
        servos: By id, with their control tables.
    """

    def __init__(
        self,
        ids: Iterable[int] = (1,),
        model: int = 1020,
        latency_s: float = 0.0,
        positions: Mapping[int, float] | None = None,
    ) -> None:
        """Servos as they come from the factory.

        Args:
            ids: Of the servos.
            model: Their model number; 1020 is an XM430-W350.
            latency_s: How long answers take on their way [s].
            positions: Where shafts stand at first [counts]; 2048 where not said.
        """
        super().__init__(ids, latency_s, positions)
        self.servos = {id: DynamixelServo(id, body, model) for id, body in self.bodies.items()}
        self._reader = PacketReader()

    def _hear(self, data: bytes, now: float) -> list[tuple[int, bytes]]:
        answers: list[tuple[int, bytes]] = []
        for packet in self._reader.feed(data):
            if packet.instruction == Instruction.STATUS:
                continue
            for servo in self.servos.values():
                if packet.id in (servo.id, EVERYBODY):
                    servo.hear(now)
            answers += self._act(packet, now)
        return answers

    def _tick(self, now: float) -> None:
        for servo in self.servos.values():
            servo.tick(now)

    def _on_trouble(self, id: int) -> None:
        servo, now = self.servos[id], time.monotonic()
        if servo.body.temperature > servo.get(registers.TEMPERATURE_LIMIT):
            servo.trouble(0x04, now)
        if servo.body.strain > _OVERLOADED_A:
            servo.trouble(0x20, now)

    def _act(self, packet: Packet, now: float) -> list[tuple[int, bytes]]:
        given = packet.parameters
        match packet.instruction:
            case Instruction.SYNC_WRITE:
                self._sync_write(given, now)
            case Instruction.BULK_WRITE:
                self._bulk_write(given, now)
            case Instruction.SYNC_READ | Instruction.FAST_SYNC_READ if len(given) >= 4:
                wanted = [(id, _word(given, 0), _word(given, 2)) for id in given[4:]]
                return self._chain(wanted, fast=packet.instruction == Instruction.FAST_SYNC_READ)
            case Instruction.BULK_READ:
                starts = range(0, len(given) - 4, 5)
                return self._chain([(given[at], _word(given, at + 1), _word(given, at + 3)) for at in starts])
            case _:
                return [
                    answer
                    for servo in self.servos.values()
                    if packet.id in (servo.id, EVERYBODY)
                    for answer in self._answer(servo, packet, now)
                ]
        return []

    def _answer(self, servo: DynamixelServo, packet: Packet, now: float) -> list[tuple[int, bytes]]:
        """What one servo says to an instruction for it, or for everybody."""
        given, data, trouble = packet.parameters, b"", Trouble.NONE
        match packet.instruction:
            case Instruction.PING:
                data = bytes(servo.table[0:2]) + bytes(servo.table[6:7])
                return [self._status(servo, trouble, data)]
            case Instruction.READ if len(given) == 4:
                trouble, data = servo.read(_word(given, 0), _word(given, 2))
            case Instruction.WRITE if len(given) > 2:
                trouble = self._write(servo, _word(given, 0), given[2:], now)
            case Instruction.REG_WRITE if len(given) > 2:
                servo.registered = (_word(given, 0), given[2:])
                servo.table[69] = 1
            case Instruction.ACTION:
                if servo.registered is not None:
                    trouble = self._write(servo, *servo.registered, now)
                servo.registered, servo.table[69] = None, 0
            case Instruction.REBOOT:
                servo.reboot(now)
            case Instruction.READ | Instruction.WRITE | Instruction.REG_WRITE:
                trouble = Trouble.DATA_LENGTH
            case _:
                trouble = Trouble.INSTRUCTION
        level = servo.get(registers.STATUS_RETURN_LEVEL)
        silent = level == 0 or (level == 1 and packet.instruction != Instruction.READ)
        return [] if silent or packet.id == EVERYBODY else [self._status(servo, trouble, data)]

    def _status(self, servo: DynamixelServo, trouble: Trouble, data: bytes) -> tuple[int, bytes]:
        return servo.id, packet_bytes(servo.id, Instruction.STATUS, bytes((trouble | servo.alert,)) + data)

    def _chain(self, wanted: list[tuple[int, int, int]], fast: bool = False) -> list[tuple[int, bytes]]:
        """Answers one after the other: each waits for the one before, so one that is silent ends the chain."""
        said: list[tuple[DynamixelServo, Trouble, bytes]] = []
        for id, address, length in wanted:
            if id not in self.servos or self._muted is None or id in self._muted:
                break
            said.append((self.servos[id], *self.servos[id].read(address, length)))
        if not fast:
            return [self._status(*one) for one in said]
        if len(said) < len(wanted) or not said:
            return []
        length = 1 + sum(2 + len(data) + 2 for _, _, data in said)
        whole = b"\xff\xff\xfd\x00\xfe" + length.to_bytes(2, "little") + b"\x55"
        for servo, trouble, data in said:  # one packet that all write, each with the checksum of all before
            whole += bytes((trouble | servo.alert, servo.id)) + data
            whole += checksum(whole).to_bytes(2, "little")
        return [(said[0][0].id, whole)]

    def _sync_write(self, given: bytes, now: float) -> None:
        address, length = _word(given, 0), _word(given, 2)
        goals: dict[int, float] = {}
        for at in range(4, len(given) - length, length + 1):
            if given[at] in self.servos:
                self._write(self.servos[given[at]], address, given[at + 1 : at + 1 + length], now, goals)
        if goals:
            self.frames.append((now, goals))

    def _bulk_write(self, given: bytes, now: float) -> None:
        at, goals = 0, dict[int, float]()
        while at + 5 <= len(given):
            address, length = _word(given, at + 1), _word(given, at + 3)
            if given[at] in self.servos:
                self._write(self.servos[given[at]], address, given[at + 5 : at + 5 + length], now, goals)
            at += 5 + length
        if goals:
            self.frames.append((now, goals))

    def _write(
        self, servo: DynamixelServo, address: int, data: bytes, now: float, goals: dict[int, float] | None = None
    ) -> Trouble:
        """Writes, and notes a goal that was taken: in `goals`, or as a frame of its own."""
        trouble = servo.write(address, data, now)
        goal = registers.GOAL_POSITION.address
        if trouble is Trouble.NONE and address <= goal < address + len(data):
            told = float(servo.get(registers.GOAL_POSITION))
            if goals is None:
                self.frames.append((now, {servo.id: told}))
            else:
                goals[servo.id] = told
        return trouble


def _word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")
