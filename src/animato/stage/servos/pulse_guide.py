"""Calibrates a joint whose servo cannot tell where it is: pulses are moved until the joint is where it should be."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from animato.character import SERVOS, Scale
from animato.stage.lines import Line, Slot
from animato.stage.playing import Options, Stream, interruptible, open_lines
from animato.stage.rig import Rig
from animato.stage.servos.hand_guide import answered
from animato.stage.servos.task import Ask, Outcome, Say, Task
from animato.stage.servos.working_out import CalibrationError

_FIRST, _LAST, _MIDDLE = 500.0, 2500.0, 1500.0
_PER_UNIT = 2000.0 / math.pi  # what most hobby servos turn in half a turn [microseconds/rad]
_SPEED, _ACCELERATION = 0.5, 2.0  # of the servo [rad/s, rad/s^2]
_LAG_S = 0.5  # a joint that creeps may be told late: it only stands a little longer
_LEAST = 20.0
_BENT = 0.1

OpenLines = Callable[[Rig], Sequence[Line]]


class PulseHand:
    """One channel whose pulse is moved slowly, through the same stream and guard as a performance.

    Args:
        task: Which joint.
        lines: Opens the bus; by its port where not given.
    """

    def __init__(self, task: Task, lines: OpenLines | None = None) -> None:
        wire = task.wire
        lowest, highest = wire.lowest or _FIRST, wire.highest or _LAST
        scale = Scale(_MIDDLE, _PER_UNIT, lowest, highest)
        slot = Slot(wire, scale, _SPEED * _PER_UNIT, lowest, highest)
        ends = sorted((scale.read(lowest), scale.read(highest)))
        one = np.ones(1)
        self._rig = Rig(
            (task.name,), (task.bus,), (slot,), ((0,),), ends[0] * one, ends[1] * one, _SPEED * one, _ACCELERATION * one
        )
        options = Options(longest_lag_s=_LAG_S)
        opened = open_lines(self._rig, "servos", options.send_rate_hz) if lines is None else lines(self._rig)
        self._stream = Stream(self._rig, opened, options)
        self.range = lowest, highest
        self.pulse: float | None = None
        try:
            self.notes = self._stream.prepare()
            where = float(self._stream.where()[0])
        except BaseException:
            self._stream.close()
            raise
        if not math.isnan(where):
            self.pulse = float(scale.told(where))

    def begin(self, pulse: float) -> None:
        """Begins to send pulses: the servo goes there at once where nothing was sent before [microseconds]."""
        where = self._stream.begin(np.array([self._rig.slots[0].scale.read(pulse)]))
        self.pulse = float(self._rig.told(where)[0])

    def go(self, pulse: float) -> str:
        """Moves slowly to a pulse inside the range [microseconds]; what went wrong, or nothing."""
        goal = np.array([self._rig.slots[0].scale.read(min(max(pulse, self.range[0]), self.range[1]))])
        with interruptible(self._stream):
            report = self._stream.move_to(goal, haste=1.0)
        self.pulse = float(self._rig.told(self._stream.positions)[0])
        return report.fault.sentence() if report.fault is not None else ""

    def close(self) -> None:
        """No more pulses, and the port is given back."""
        try:
            if self._stream.is_on:
                self._stream.end("limp")
        finally:
            self._stream.close()


def guide_by_pulses(task: Task, ask: Ask, say: Say, lines: OpenLines | None = None) -> Outcome:
    """Lets a person move the pulse of a servo until the joint is at known places, and works out its place in the map.

    Args:
        task: Which joint.
        ask: How the person is asked.
        say: How the person is told something.
        lines: Opens the bus; by its port where not given.

    Raises:
        Enough: The person wants to stop.
        LineError: The bus does not answer.
    """
    hand = PulseHand(task, lines)
    try:
        for note in hand.notes:
            say(note)
        start = hand.pulse or task.wire.zero or _MIDDLE
        word = answered(
            ask,
            f"{task.place}: '{task.name}' ({task.range_words}), channel {task.wire.id} on '{task.bus.name}'. Its servo "
            f"cannot tell where it is: it goes to {start:g} microseconds at once, as fast as it can. Keep clear, then "
            f"Enter (or type another pulse; k: skip, q: stop here).",
            None,
        )
        if word == "k":
            return Outcome(task, None, None, ("Skipped.",))
        hand.begin(_pulse(word, start, hand.range))
        while True:
            try:
                return _guided(task, hand, ask, say)
            except CalibrationError as error:
                say(f"{error} Once more.")
    finally:
        hand.close()


def _guided(task: Task, hand: PulseHand, ask: Ask, say: Say) -> Outcome:
    points: list[tuple[float, float]] = []
    wanted = [(0.0, "at 0")]
    wanted += [(one, f"at {task.shown(one)}") for one in task.limits if one is not None and one != 0.0]
    for value, words in wanted:
        at = _moved(hand, ask, say, f"Move it until the joint is {words}.")
        if at is not None:
            points.append((value, at))
    if not points or points[0][0] != 0.0:
        return Outcome(task, None, None, ("Skipped.",))
    zero = points[0][1]
    others = [(value, at) for value, at in points[1:]]
    if not others:
        return _by_direction(task, hand, zero, ask)
    slopes = [(at - zero) / value for value, at in others]
    for (value, at), slope in zip(others, slopes, strict=True):
        if abs(at - zero) < _LEAST:
            raise CalibrationError(
                f"'{task.name}' cannot be at 0 with {zero:.0f} microseconds and at {task.shown(value)} with {at:.0f}."
            )
        if (slope > 0.0) != (slopes[0] > 0.0):
            raise CalibrationError(f"Both ends of '{task.name}' lie on the same side of its zero.")
    notes = []
    if len(slopes) == 2 and abs(slopes[0] - slopes[1]) > _BENT * abs(slopes[0] + slopes[1]) / 2.0:
        notes.append(
            f"The servo of '{task.name}' turns unevenly: {abs(slopes[0]):.0f} and {abs(slopes[1]):.0f} microseconds a "
            f"unit on the two sides of 0. The middle of both is taken; was the joint where it should be?"
        )
        say(notes[-1])
    slope = sum(slopes) / len(slopes)
    lowest, highest = _reached(hand.range, [at for _, at in points], zero, slope, task)
    travel = (highest - lowest) * task.gear / abs(slope)
    wire = replace(
        task.wire,
        zero=round(zero, 2),
        sign=1 if slope > 0.0 else -1,
        lowest=lowest,
        highest=highest,
        travel=round(travel, 6),
    )
    return Outcome(task, wire, None, tuple(notes))


def _reached(
    allowed: tuple[float, float], pulses: list[float], zero: float, slope: float, task: Task
) -> tuple[float, float]:
    """The range that was gone through, and what the joint's limits ask for beside it by the rounding of a mean."""
    needed = [zero + slope * one for one in task.limits if one is not None]
    low = min([*pulses, *needed])
    high = max([*pulses, *needed])
    if len(needed) < 2:  # an open end: all that the servo takes
        return allowed
    return max(allowed[0], float(math.floor(low))), min(allowed[1], float(math.ceil(high)))


def _by_direction(task: Task, hand: PulseHand, zero: float, ask: Ask) -> Outcome:
    """Only the zero was found: one small move says the direction; how far a pulse turns it the map must know."""
    hand.go(zero + 60.0 if zero + 60.0 <= hand.range[1] else zero - 60.0)
    up = hand.pulse is not None and hand.pulse > zero
    word = answered(ask, "It moved a little. Was that towards positive? (Enter for yes, n)", None)
    sign = 1 if (word not in ("n", "no")) == up else -1
    model = None if task.joint.actuator is None or task.joint.actuator.servo is None else task.joint.actuator.servo
    known = task.wire.travel is not None or (model is not None and SERVOS[model].travel is not None)
    if not known:
        why = (
            f"Nothing says how far a pulse turns '{task.name}': move it to one of its limits too, or state its travel."
        )
        return Outcome(task, None, None, (why,))
    return Outcome(task, replace(task.wire, zero=round(zero, 2), sign=sign))


def _moved(hand: PulseHand, ask: Ask, say: Say, sentence: str) -> float | None:
    """Moves as the person types, until Enter; None where it is left out."""
    while True:
        lowest, highest = hand.range
        word = answered(
            ask,
            f"{sentence} Type +20, -5 or a pulse ({lowest:g} to {highest:g}); Enter where it is (k: leave this out). "
            f"Now {hand.pulse:.0f} microseconds.",
            None,
        )
        if word == "k":
            return None
        if not word:
            return hand.pulse
        try:
            goal = _pulse(word, hand.pulse or _MIDDLE, hand.range)
        except CalibrationError as error:
            say(str(error))
            continue
        trouble = hand.go(goal)
        if trouble:
            say(trouble)


def _pulse(word: str, now: float, allowed: tuple[float, float]) -> float:
    if not word:
        return now
    try:
        number = float(word)
    except ValueError:
        raise CalibrationError(f"'{word}' is no pulse; type such as +20, -5 or 1500.") from None
    goal = now + number if word[0] in "+-" else number
    if not (math.isfinite(goal) and allowed[0] <= goal <= allowed[1]):
        raise CalibrationError(
            f"{goal:g} microseconds is outside of {allowed[0]:g} to {allowed[1]:g}; if it may go there, widen "
            f"lowest and highest in the map."
        )
    return goal
