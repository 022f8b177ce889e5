"""A bus of Dynamixel X servos as a line."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from animato.character import Bus
from animato.stage.lines.contract import Answer, Feedback, Found, LineError, RegisterLine, Round, Slot, merged
from animato.stage.lines.dynamixel import registers
from animato.stage.lines.dynamixel.dialect import PROTOCOL_2, StatusHearing, ping_everybody
from animato.stage.lines.dynamixel.finding import describe
from animato.stage.lines.dynamixel.packets import ALERT, sync_write_bytes
from animato.stage.lines.dynamixel.preparing import TABLE_SIZE, Ready, prepare_servo

_WATCHDOG_S = 0.1
_FRAMES_MISSED = 3
"""Where frames are rare, the watchdog waits for so many of them."""

_UNKNOWN = "a hardware error (register 70)"
_BLOCK_START = registers.PRESENT_CURRENT.address
_BLOCK = registers.PRESENT_TEMPERATURE.address + 1 - _BLOCK_START


class DynamixelLine(RegisterLine):
    """Dynamixel X servos, protocol 2.0. See `Line`.

    `patience_s` is the longest of `send`, `poll` and `hold`; `prepare`, `enable`, `release` and `find` take up to that
    long for each servo that does not answer. Packets are made and read here and not by the vendor's `dynamixel-sdk`:
    that waits for an answer in a busy loop, for a write without end, and does not stuff what it sends.
    """

    def __init__(self, bus: Bus) -> None:
        """Opens the port; says nothing.

        Raises:
            LineError: It cannot be opened.
        """
        super().__init__(bus, PROTOCOL_2, StatusHearing(), registers.PRESENT_POSITION, (_BLOCK_START, _BLOCK))
        waits = _WATCHDOG_S if bus.rate_hz is None else max(_WATCHDOG_S, _FRAMES_MISSED / bus.rate_hz)
        self._watchdog = min(127, math.ceil(waits / registers.WATCHDOG_UNIT_S - 1e-9))
        self.watchdog_s: float | None = self._watchdog * registers.WATCHDOG_UNIT_S
        self._servos: dict[int, Ready] = {}
        self._faults: dict[int, str] = {}
        self._armed = False

    def find(self, ids: Sequence[int] | None = None) -> tuple[Found, ...]:
        """Which servos answer, among these ids or among all. Takes a second when all are called."""
        if ids is None:
            pinged = ping_everybody(self._talk)
        else:
            pinged = [answer for id in ids if (answer := self._talk.ping(id)) is not None]
        tables = self._talk.read_each([one.id for one in pinged], 0, TABLE_SIZE)
        return tuple(describe(one, tables.get(one.id)) for one in pinged)

    def prepare(self, slots: Sequence[Slot]) -> tuple[str, ...]:
        """Checks each servo and sets its mode and its limits of position. See `Line`."""
        ids = [slot.wire.id for slot in slots]
        self._refuse_rate(len(ids), 14 + 5 * len(ids), baud=8)
        tables = self._talk.read_each(ids, 0, TABLE_SIZE)
        quiet = [id for id in ids if id not in tables]
        notes: list[tuple[int, str]] = []
        absent = [id for id in quiet if self._talk.ping(id) is None]
        if absent:
            raise self._talk.silent(absent)
        for id in quiet:
            tables[id] = self._table_of_quiet(id, notes)
        self._servos = {}
        for slot in slots:
            ready = prepare_servo(self._talk, slot, tables[slot.wire.id])
            self._servos[ready.id] = ready
            notes += [(ready.id, note) for note in ready.notes]
        self._ids, self._round = ids, Round(ids)
        self._faults, self._goals, self._armed = {}, {}, False
        return merged(notes)

    def enable(self, told: np.ndarray) -> None:
        """Sets goals to where the servos are, then torque on and the watchdog on; they hold.

        What they say themselves is taken and not `told`, which is older. Profiles are set here and not in `prepare`,
        as a watchdog that trips sets them to 0.
        """
        talk = self._talk
        talk.sync_write(registers.BUS_WATCHDOG, dict.fromkeys(self._ids, 0))
        talk.sync_write(registers.PROFILE_ACCELERATION, dict.fromkeys(self._ids, 0))
        talk.sync_write(registers.PROFILE_VELOCITY, {id: one.profile_velocity for id, one in self._servos.items()})
        limited = {id: one.goal_current for id, one in self._servos.items() if one.goal_current is not None}
        talk.sync_write(registers.GOAL_CURRENT, limited)
        where = self.positions()
        self._tell(where)
        talk.sync_write(registers.TORQUE_ENABLE, dict.fromkeys(self._ids, 1))
        talk.sync_write(registers.BUS_WATCHDOG, dict.fromkeys(self._ids, self._watchdog))
        states = talk.read_each(self._ids, registers.TORQUE_ENABLE.address, 56)
        self._refuse_missing(states)
        for id, state in states.items():
            self._check_enabled(id, state)
        self._armed = True

    def send(self, told: np.ndarray, at_s: float) -> None:
        """Tells all servos where to be, at once: one packet, rounded to the nearest count."""
        if not self._armed:  # held before: a watchdog that was off is on again with the first word
            self._talk.sync_write(registers.BUS_WATCHDOG, dict.fromkeys(self._ids, self._watchdog))
            self._armed = True
        elif self.watchdog_s is not None and time.monotonic() - self._talk.spoke_s > self.watchdog_s:
            gap_ms = 1e3 * (time.monotonic() - self._talk.spoke_s)
            raise LineError(
                f"Nothing went to the servos on bus '{self.bus.name}' for {gap_ms:.0f} ms, so their watchdogs have "
                f"stopped them, where they hold. Begin again."
            )
        self._tell(told)

    def poll(self, budget_s: float) -> tuple[Feedback, ...]:
        """What servos said since the last call; asks some of them for more, in turns. See `Line`."""
        said = self._polled(budget_s)
        for id in [id for id, one in said.items() if one.fault == _UNKNOWN] if not self._round.waiting else ():
            self._faults[id] = self._hardware(id)
            said[id] = replace(said[id], fault=self._faults[id])
        return tuple(said.values())

    def hold(self) -> None:
        """Stops all servos where they are, with torque. Their watchdogs go off: there is nothing left to stop."""
        self._link.drop()
        self._talk.let_finish(len(self._round.waiting))
        present = self._present(again=False)
        where = [present.get(id, self._goals.get(id)) for id in self._ids]
        goals = {id: at for id, at in zip(self._ids, where, strict=True) if at is not None}
        if goals:
            packet = self._goal_packet(goals)
            self._talk.say(packet)
            self._talk.say(packet)  # the first may have met the rest of a packet that was cut
        self._talk.sync_write(registers.BUS_WATCHDOG, dict.fromkeys(self._ids, 0))
        self._armed = False

    def release(self) -> None:
        """Torque and watchdog off, and looks whether it is."""
        self._armed = False
        on = list(self._ids)
        for insist in (False, True):
            self._talk.sync_write(registers.BUS_WATCHDOG, dict.fromkeys(on, 0))
            self._talk.sync_write(registers.TORQUE_ENABLE, dict.fromkeys(on, 0))
            states = self._talk.read_each(on, registers.TORQUE_ENABLE.address, 1, again=insist)
            on = [id for id in on if states.get(id) != b"\x00"]
        if on:
            raise LineError(
                f"Servos {', '.join(str(id) for id in on)} on bus '{self.bus.name}' did not confirm that their torque "
                f"is off; cut their power."
            )

    def _tell(self, told: np.ndarray) -> None:
        goals = {
            id: max(servo.lowest, min(servo.highest, round(float(value))))
            for (id, servo), value in zip(self._servos.items(), told, strict=True)
        }
        self._talk.say(self._goal_packet(goals))
        self._goals = goals

    def _goal_packet(self, goals: dict[int, int]) -> bytes:
        register = registers.GOAL_POSITION
        return sync_write_bytes({id: register.encode(goal) for id, goal in goals.items()}, register.address)

    def _feedback(self, one: Answer) -> Feedback:
        data, unit = one.data, self._servos[one.id].model.current_unit
        if not one.error & ALERT:
            self._faults.pop(one.id, None)
        current = None if unit is None else abs(registers.PRESENT_CURRENT.decode(data, _BLOCK_START)) * unit
        return Feedback(
            one.id,
            float(registers.PRESENT_POSITION.decode(data, _BLOCK_START)),
            current,
            float(registers.PRESENT_TEMPERATURE.decode(data, _BLOCK_START)),
            registers.PRESENT_VOLTAGE.decode(data, _BLOCK_START) / 10.0,
            self._faults.get(one.id, _UNKNOWN if one.error & ALERT else ""),
        )

    def _hardware(self, id: int) -> str:
        """The hardware error of a servo in words, asked when nobody else is answering, and not for long."""
        address = registers.HARDWARE_ERROR.address
        found = self._talk.read_each([id], address, 1, patience_s=0.01, again=False)
        self._round.begin_anew()
        words = registers.hardware_words(found[id][0]) if id in found else ""
        return words or _UNKNOWN

    def _check_enabled(self, id: int, state: bytes) -> None:
        start = registers.TORQUE_ENABLE.address
        bits = registers.HARDWARE_ERROR.decode(state, start)
        if registers.TORQUE_ENABLE.decode(state, start) != 1 or bits:
            why = registers.hardware_words(bits) or "it does not say why"
            raise LineError(f"Servo {id} on bus '{self.bus.name}' does not take torque: {why}.")
        if registers.BUS_WATCHDOG.decode(state, start) != self._watchdog:
            raise LineError(
                f"The watchdog of servo {id} on bus '{self.bus.name}' is not on (register 98); without it the servo "
                f"would run on when this program ends. Is its firmware older than 38?"
            )
        goal = registers.GOAL_POSITION.decode(state, start)
        if abs(goal - self._goals[id]) > 1:
            raise LineError(
                f"Servo {id} on bus '{self.bus.name}' was told to hold at {self._goals[id]} and its goal is {goal}; "
                f"another program may be speaking on this bus."
            )

    def _exchange_s(self, count: int) -> float:
        wire = self._link.seconds(14 + count + count * (PROTOCOL_2.frame + _BLOCK))
        return wire + count * max((servo.delay_s for servo in self._servos.values()), default=0.0)

    def _table_of_quiet(self, id: int, notes: list[tuple[int, str]]) -> bytes:
        """The table of a servo that did not answer a read: it may answer pings only, which can be changed."""
        level = registers.STATUS_RETURN_LEVEL
        self._talk.sync_write(level, {id: 2})
        notes.append((id, "answered to pings only; told to answer to all (status return level 2, until power off)"))
        return self._talk.read(id, 0, TABLE_SIZE)
