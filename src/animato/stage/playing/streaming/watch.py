"""Looks at what servos say of themselves, and says when it is too much."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from animato.character import COUNTS_PER_TURN
from animato.stage.lines import Feedback
from animato.stage.playing.streaming.fault import Fault, FaultKind
from animato.stage.playing.streaming.options import Options
from animato.stage.rig import Rig

_WINDOW_S = 0.2  # a servo is behind only where it is none of the places at which it should have been in this time
_TWICE = 2  # readings in a row that count; one may be noise that a checksum let through
_STRAINED_S = 0.08  # for which a current may be above its limit: speeding up takes a moment of it
_POLLS = 4  # in a row without an answer, before a servo counts as silent
_LATE_ROUNDS = 2  # without a servo's answer: it is counted as not come in time
_ROUNDS = 3  # the same, of slow buses on which servos are asked in turns
_COUNTS_PER_RADIAN = COUNTS_PER_TURN / (2.0 * np.pi)


class Watch:
    """Holds temperature, current, voltage, following error, reports of faults and silence against the options.

    Args:
        rig: Whose servos.
        options: What is too much.
        ahead_s: How far ahead of their time positions are told [s].
        despite: Kinds of trouble that are known and borne.
        round_of: In how many polls a bus hears each of its servos once, by the bus's number.
    """

    def __init__(
        self,
        rig: Rig,
        options: Options,
        ahead_s: float,
        despite: frozenset[FaultKind] = frozenset(),
        round_of: Callable[[int], int] = lambda _: 1,
    ) -> None:
        self._rig, self._options, self._despite, self._round_of = rig, options, despite, round_of
        self._slot_of = [{rig.slots[n].wire.id: n for n in members} for members in rig.members]
        count = len(rig.slots)
        self._heard = np.full(count, np.nan)
        self._unheard = np.zeros(count, dtype=np.intp)
        self._strained = np.zeros((4, count), dtype=np.intp)  # in a row: hot, behind, weak; and since when drawing
        self._drawing_since = np.full(count, np.nan)
        self._voltage = np.full(count, np.nan)
        self._told: deque[tuple[float, np.ndarray]] = deque()
        self._window_s = _WINDOW_S + ahead_s
        self._silent_lines = np.full(len(rig.buses), np.nan)
        self.unanswered = 0
        self.strangers = 0
        self.warmest: tuple[float, str] = (-np.inf, "")

    def note(self, told: np.ndarray, now_s: float) -> None:
        """What servos were told [counts or microseconds], and when."""
        self._told.append((now_s, told))
        while now_s - self._told[0][0] > self._window_s:
            self._told.popleft()

    def judge(self, heard: list[tuple[int, tuple[Feedback, ...] | str]], now_s: float) -> Fault | None:
        """The first trouble in what was heard; None where all is well.

        Args:
            heard: As from `Ensemble.poll`.
            now_s: Since the stream began [s].
        """
        found: Fault | None = None
        for bus, said in heard:
            if isinstance(said, str):
                self.unanswered += 1
                silent = self._servos(bus, (), now_s) is not None
                found = self._silent_line(bus, said, now_s, silent) or found
            else:
                self._silent_lines[bus] = np.nan
                found = self._servos(bus, said, now_s) or found
        return None if found is None or found.kind in self._despite else found

    def _silent_line(self, bus: int, why: str, now_s: float, surely: bool) -> Fault | None:
        if np.isnan(self._silent_lines[bus]):  # silent since a servo there last said something, where one ever did
            last = [self._heard[slot] for slot in self._slot_of[bus].values()]
            self._silent_lines[bus] = np.fmax.reduce(last) if not np.all(np.isnan(last)) else now_s
        if now_s - self._silent_lines[bus] < self._options.silence_s and not surely:
            return None
        name = self._rig.buses[bus].name
        return Fault(FaultKind.LINE, now_s, f"Bus '{name}' does not answer: {why}")

    def _servos(self, bus: int, said: tuple[Feedback, ...], now_s: float) -> Fault | None:
        slots = self._slot_of[bus]
        patience = max(_POLLS, _ROUNDS * self._round_of(bus))
        answered = set()
        found: Fault | None = None
        for one in said:
            slot = slots.get(one.id)
            if slot is None:
                self.strangers += 1
                continue
            answered.add(slot)
            found = found or self._one(slot, one, now_s)
        for slot in slots.values():
            if slot in answered:
                self._heard[slot], self._unheard[slot] = now_s, 0
            elif not np.isnan(self._heard[slot]):
                self._unheard[slot] += 1
                self.unanswered += int(self._unheard[slot] == _LATE_ROUNDS * self._round_of(bus))
                silent = now_s - self._heard[slot]
                if silent > self._options.silence_s and self._unheard[slot] >= patience:
                    what = f"The servo of {self._name(slot)} has not answered for {1e3 * silent:.0f} ms."
                    found = found or self._fault(FaultKind.SILENT, slot, now_s, what)
        return found

    def _one(self, slot: int, said: Feedback, now_s: float) -> Fault | None:
        options, name = self._options, self._name(slot)
        if said.fault:
            return self._fault(FaultKind.SERVO, slot, now_s, f"The servo of {name} reports: {said.fault.rstrip('.')}.")
        if said.temperature is not None:
            self.warmest = max(self.warmest, (said.temperature, name))
            if self._often(0, slot, said.temperature > options.most_temperature_c):
                what = f"The servo of {name} is {said.temperature:.0f} C warm, above {options.most_temperature_c:g} C."
                return self._fault(FaultKind.HOT, slot, now_s, what)
        if said.position is not None:
            behind = self._behind(slot, said.position)
            if self._often(1, slot, behind > options.following_error_rad):
                what = f"The servo of {name} is {behind:.2f} rad from where it should be: it is blocked or too weak."
                return self._fault(FaultKind.BEHIND, slot, now_s, what)
        if said.voltage is not None:
            if np.isnan(self._voltage[slot]):
                self._voltage[slot] = said.voltage
            if self._often(2, slot, said.voltage < options.least_voltage * self._voltage[slot]):
                what = f"The servo of {name} has {said.voltage:.1f} V left of {self._voltage[slot]:.1f} V."
                return self._fault(FaultKind.VOLTAGE, slot, now_s, what)
        return self._drawing(slot, said, now_s)

    def _drawing(self, slot: int, said: Feedback, now_s: float) -> Fault | None:
        most = self._rig.slots[slot].wire.current
        if said.current is None or most is None:
            return None
        if said.current <= most * self._options.most_current:
            self._drawing_since[slot] = np.nan
            return None
        if np.isnan(self._drawing_since[slot]):
            self._drawing_since[slot] = now_s
        if now_s - self._drawing_since[slot] < _STRAINED_S:
            return None
        what = f"The servo of {self._name(slot)} draws {said.current:.2f} A, above {most:g} A."
        return self._fault(FaultKind.CURRENT, slot, now_s, what)

    def _behind(self, slot: int, position: float) -> float:
        """How far a servo is from all places at which it should have been of late [rad of the servo]."""
        if not self._told:
            return 0.0
        places = [told[slot] for _, told in self._told]
        off = max(min(places) - position, position - max(places), 0.0)
        return float(off / _COUNTS_PER_RADIAN)

    def _often(self, row: int, slot: int, over: bool) -> bool:
        self._strained[row, slot] = self._strained[row, slot] + 1 if over else 0
        return bool(self._strained[row, slot] >= _TWICE)

    def _name(self, slot: int) -> str:
        return f"'{self._rig.names[slot]}' (id {self._rig.slots[slot].wire.id})"

    def _fault(self, kind: FaultKind, slot: int, now_s: float, what: str) -> Fault:
        return Fault(kind, now_s, what, (self._rig.names[slot],))
