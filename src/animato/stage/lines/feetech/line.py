"""A bus of Feetech STS servos as a line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character import Bus
from animato.stage.lines.contract import Answer, Feedback, Found, LineError, RegisterLine, Round, Slot, merged
from animato.stage.lines.feetech import registers
from animato.stage.lines.feetech.dialect import STS, AnswerHearing
from animato.stage.lines.feetech.finding import describe
from animato.stage.lines.feetech.packets import sync_write_bytes
from animato.stage.lines.feetech.preparing import TABLE_SIZE, Ready, prepare_servo

_BLOCK_START = registers.PRESENT_POSITION.address
_BLOCK = registers.PRESENT_CURRENT.address + registers.PRESENT_CURRENT.size - _BLOCK_START
_SCAN_S = 0.01
"""How long each id is waited for when all are called [s]: all at once would answer into one another."""

_LAST_ID = 253


class FeetechLine(RegisterLine):
    """Feetech STS servos. See `Line`.

    They have no watchdog: each is told only where to be next, a frame away, at no more than its speed, and holds there.
    `patience_s` is the longest of `send`, `poll` and `hold`; `prepare`, `enable`, `release` and `find` take up to that
    long for each servo that does not answer.
    """

    watchdog_s: float | None = None

    def __init__(self, bus: Bus) -> None:
        """Opens the port; says nothing.

        Raises:
            LineError: It cannot be opened.
        """
        super().__init__(bus, STS, AnswerHearing(), registers.PRESENT_POSITION, (_BLOCK_START, _BLOCK))
        self._servos: dict[int, Ready] = {}

    def find(self, ids: Sequence[int] | None = None) -> tuple[Found, ...]:
        """Which servos answer, among these ids or among all. Takes three seconds when all are called."""
        there = []
        for id in range(_LAST_ID + 1) if ids is None else ids:
            tries, patience_s = (1, _SCAN_S) if ids is None else (3, 0.04)
            if self._talk.ping(id, tries=tries, patience_s=patience_s) is not None:
                there.append(id)
        tables = self._talk.read_each(there, 0, TABLE_SIZE)
        return tuple(describe(id, tables.get(id)) for id in there)

    def prepare(self, slots: Sequence[Slot]) -> tuple[str, ...]:
        """Checks each servo and sets its mode and its limits of position. See `Line`."""
        ids = [slot.wire.id for slot in slots]
        self._refuse_rate(len(ids), 8 + 8 * len(ids), baud=6)
        tables = self._talk.read_each(ids, 0, TABLE_SIZE)
        self._refuse_missing(tables, ids)
        notes: list[tuple[int, str]] = []
        self._servos = {}
        for slot in slots:
            ready = prepare_servo(self._talk, slot, tables[slot.wire.id])
            self._servos[ready.id] = ready
            notes += [(ready.id, note) for note in ready.notes]
        self._ids, self._round, self._goals = ids, Round(ids), {}
        return merged(notes)

    def enable(self, told: np.ndarray) -> None:
        """Sets goals to where the servos are and torque on, in one packet; they hold.

        What they say themselves is taken and not `told`, which is older.
        """
        self._goals = self._rounded(self.positions())
        torque = registers.TORQUE_ENABLE
        goals = {id: torque.encode(1) + self._motion(id, goal) for id, goal in self._goals.items()}
        self._talk.say(sync_write_bytes(goals, torque.address))
        states = self._talk.read_each(self._ids, torque.address, 1)
        self._refuse_missing(states)
        off = [id for id, state in states.items() if state != b"\x01"]
        if off:
            raise LineError(
                f"Servos {', '.join(str(id) for id in off)} on bus '{self.bus.name}' do not take torque; switch their "
                f"power off and on."
            )

    def send(self, told: np.ndarray, at_s: float) -> None:
        """Tells all servos where to be, at once and at no more than their speed, rounded to the nearest count."""
        self._goals = self._rounded(told)
        self._tell()

    def poll(self, budget_s: float) -> tuple[Feedback, ...]:
        """What servos said since the last call; asks some of them for more, in turns. See `Line`."""
        return tuple(self._polled(budget_s).values())

    def hold(self) -> None:
        """Stops all servos where they are, with torque."""
        self._link.drop()
        self._talk.let_finish(len(self._round.waiting))
        where = self._goals | self._present(again=False)
        self._goals = {id: where[id] for id in self._ids if id in where}
        if self._goals:
            self._tell()
            self._tell()  # the first may have met the rest of a packet that was cut

    def release(self) -> None:
        """Torque off, and looks whether it is."""
        on = list(self._ids)
        torque = registers.TORQUE_ENABLE
        for insist in (False, True):
            self._talk.sync_write(torque, dict.fromkeys(on, 0))
            states = self._talk.read_each(on, torque.address, 1, again=insist)
            on = [id for id in on if states.get(id) != b"\x00"]
        if on:
            raise LineError(
                f"Servos {', '.join(str(id) for id in on)} on bus '{self.bus.name}' did not confirm that their torque "
                f"is off; cut their power."
            )

    def _rounded(self, told: np.ndarray) -> dict[int, int]:
        return {
            id: max(servo.lowest, min(servo.highest, round(float(value))))
            for (id, servo), value in zip(self._servos.items(), told, strict=True)
        }

    def _motion(self, id: int, goal: int) -> bytes:
        """Acceleration (as it can), goal, time (unused) and speed: registers 41 to 47."""
        return (
            registers.ACCELERATION.encode(0)
            + registers.GOAL_POSITION.encode(goal)
            + registers.GOAL_TIME.encode(0)
            + registers.GOAL_SPEED.encode(self._servos[id].speed)
        )

    def _tell(self) -> None:
        motions = {id: self._motion(id, goal) for id, goal in self._goals.items()}
        self._talk.say(sync_write_bytes(motions, registers.ACCELERATION.address))

    def _feedback(self, one: Answer) -> Feedback:
        data = one.data
        bits = registers.STATUS.decode(data, _BLOCK_START) | one.error
        return Feedback(
            one.id,
            float(registers.PRESENT_POSITION.decode(data, _BLOCK_START)),
            abs(registers.PRESENT_CURRENT.decode(data, _BLOCK_START)) * registers.CURRENT_UNIT,
            float(registers.PRESENT_TEMPERATURE.decode(data, _BLOCK_START)),
            registers.PRESENT_VOLTAGE.decode(data, _BLOCK_START) / 10.0,
            (registers.error_words(bits) or f"status {bits:#04x}") if bits else "",
        )

    def _exchange_s(self, count: int) -> float:
        return self._link.seconds(8 + count + count * (STS.frame + _BLOCK))
