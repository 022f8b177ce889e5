"""Calibrates a joint whose servo can tell where it is: moved by hand, without torque."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from animato.character import COUNTS_PER_TURN, BusKind
from animato.stage.servos.encoder import LAST, Encoder, Placement, place
from animato.stage.servos.probe import Look, Probe
from animato.stage.servos.task import Ask, Enough, Outcome, Say, Task, bar
from animato.stage.servos.tracker import Tracker
from animato.stage.servos.working_out import CalibrationError, Readings, Worked, work_out

_DEGREES = 360.0 / COUNTS_PER_TURN


def guide_by_hand(task: Task, probe: Probe, ask: Ask, say: Say) -> Outcome:
    """Asks a person to move a joint, reads its servo, and works out its place in the map.

    Args:
        task: Which joint.
        probe: Of its bus.
        ask: How the person is asked.
        say: How the person is told something.

    Raises:
        Enough: The person wants to stop.
        LineError: The servo does not answer.
    """
    look = probe.look(task.wire.id)
    for remark in remarks(look, task):
        say(remark)
    probe.let_go(task.wire.id)
    tracker = Tracker(lambda: probe.present(task.wire.id))
    while True:
        try:
            readings = _read(task, tracker, ask, say, look)
            if readings is None:
                return Outcome(task, None, None, ("Skipped.",))
            worked = work_out(readings, task.limits, task.counts_per_unit, task.gear, task.name)
            break
        except CalibrationError as error:
            say(f"{error} Once more.")
    for note in worked.notes:
        say(note)
    return _placed(task, worked, readings.has_stops, look, ask, say)


def remarks(look: Look, task: Task) -> list[str]:
    """What a person should know of a servo before it is calibrated."""
    who = f"Servo {task.wire.id} ({look.model})"
    said = []
    if look.fault:
        said.append(
            f"{who} has shut down: {look.fault}. It can be read; find the cause and switch its power off and on."
        )
    if look.encoder.homing:
        most = "" if look.encoder.is_kept else ", which position mode ignores: it keeps -1024 to 1024"
        said.append(f"{who} has a homing offset of {look.encoder.homing}{most}; its counts are read with it.")
    if look.reverse:
        said.append(f"{who} is set to reverse; the map will say so.")
    if look.counts_turns:
        said.append(
            f"{who} counts whole turns (bit 4 of register 18), so that its positions overflow after some; that is put "
            f"off when it is first played."
        )
    return said


def _read(task: Task, tracker: Tracker, ask: Ask, say: Say, look: Look) -> Readings | None:
    """Where the servo stands at known places of the joint; None where the person skips it."""
    where = f"{task.place}: '{task.name}' ({task.range_words}), servo {task.wire.id} on '{task.bus.name}'."
    both = None not in task.limits

    def live() -> str:
        at = tracker.read()
        return f"{at % COUNTS_PER_TURN:5.0f} counts {bar(at % COUNTS_PER_TURN, 0.0, LAST)}"

    by_stops = "s: by its two stops, " if both else ""
    word = answered(ask, f"{where} Put the joint at 0, then Enter ({by_stops}k: skip, q: stop here).", live)
    if word == "k":
        return None
    if word == "s" and both:
        return _stops(Readings(), task, tracker, ask, live)
    readings = Readings(zero=tracker.read())
    word = answered(
        ask, f"Now move it by hand towards positive ({task.positive_words}), a few degrees or more, then Enter.", live
    )
    if word == "k":
        return None
    readings = replace(readings, positive=tracker.read())
    worked = work_out(readings, task.limits, task.counts_per_unit, task.gear, task.name)
    if worked.needed is not None:
        placed = place(*worked.needed, look.encoder)
        say(_lies(task, worked, placed))
        if not placed.fits and placed.homing is None:  # stops would not help
            return readings
    word = answered(ask, "Has it mechanical stops that are to be measured? (y, or Enter for none)", None)
    if word != "y":
        return readings
    return _stops(readings, task, tracker, ask, lambda: _inside(task, worked, tracker.read()))


def _stops(readings: Readings, task: Task, tracker: Tracker, ask: Ask, live: Callable[[], str]) -> Readings | None:
    for which in ("lower", "upper"):
        side = "least" if which == "lower" else "greatest"
        word = answered(ask, f"Move it to its {which} stop, where its value is {side}, then Enter.", live)
        if word == "k":
            return None
        readings = replace(readings, **{which: tracker.read()})
    return readings


def answered(ask: Ask, sentence: str, live: Callable[[], str] | None) -> str:
    """What the person typed, in small letters.

    Raises:
        Enough: That was q.
    """
    word = ask(sentence, live).strip().lower()
    if word in ("q", "quit"):
        raise Enough
    return word


def _inside(task: Task, worked: Worked, at: float) -> str:
    """The live line once zero and direction are known."""
    value = (at - worked.zero) / (worked.sign * task.counts_per_unit)
    lower, upper = task.limits
    half = math.pi / task.gear
    ends = (-half if lower is None else lower, half if upper is None else upper)
    return f"{at % COUNTS_PER_TURN:5.0f} counts {task.shown(value):>10} {bar(value, *ends)}"


def _lies(task: Task, worked: Worked, placed: Placement) -> str:
    """Where the joint's range lies in the servo's turn, before anything is written."""
    says = f"Counts {'rise' if worked.sign > 0 else 'fall'} with '{task.name}'."
    ends = f"{placed.lowest:.0f} to {placed.highest:.0f}"
    if placed.fits:
        room = placed.margin * _DEGREES
        near = " That is little: another position of the horn would leave more." if room < 2.0 else ""
        return f"{says} Its range is {ends} of 0 to {LAST}: {room:.1f} degrees of the servo to spare.{near}"
    return f"{says} Its range would be {ends}, and counts end at 0 and {LAST}: it overflows."


def _placed(task: Task, worked: Worked, has_stops: bool, look: Look, ask: Ask, say: Say) -> Outcome:
    """The servo's place in the map; where its range overflows, with another homing offset or not at all."""
    span = worked.needed or (worked.lowest, worked.highest)
    low, high = (worked.zero if one is None else one for one in span)
    placed = place(low, high, look.encoder)
    shift, homing = placed.turns, None
    if not placed.fits:
        if has_stops:  # else it was said when the direction was known
            say(_lies(task, worked, placed))
        refusal = _refusal(task, placed)
        if placed.homing is None:
            return Outcome(task, None, None, (*worked.notes, refusal))
        moved = Encoder(look.encoder.kind, placed.homing)
        across = moved.counts_with - look.encoder.counts_with
        there = place(low + across, high + across, moved)
        word = answered(
            ask,
            f"With a homing offset of {placed.homing} (now {look.encoder.homing}) it lies at {there.lowest:.0f} to "
            f"{there.highest:.0f}. Write that into the servo, together with the map? (Enter for yes, n)",
            None,
        )
        if word in ("n", "no"):
            return Outcome(task, None, None, (*worked.notes, refusal))
        shift, homing = across + there.turns, placed.homing
    lowest, highest = _ends(task, worked, has_stops, shift)
    zero = float(round(worked.zero + shift))
    wire = replace(
        task.wire, zero=zero, sign=worked.sign, lowest=lowest, highest=highest, reverse=look.reverse, travel=None
    )
    return Outcome(task, wire, homing, worked.notes)


def _ends(task: Task, worked: Worked, has_stops: bool, shift: float) -> tuple[float | None, float | None]:
    """What the servo may be told, by its stops; without, what the map had where that still covers the joint."""
    if has_stops and worked.lowest is not None and worked.highest is not None:
        return max(0.0, float(round(worked.lowest + shift))), min(float(LAST), float(round(worked.highest + shift)))
    had = task.wire.lowest, task.wire.highest
    if None in had or worked.needed is None:
        return had
    low, high = (one + shift for one in worked.needed)
    covers = had[0] is not None and had[1] is not None and had[0] <= low and high <= had[1]
    return had if covers else (None, None)


def _refusal(task: Task, placed: Placement) -> str:
    if placed.is_too_wide:
        return (
            f"The range of '{task.name}' takes {placed.highest - placed.lowest:.0f} counts and a turn has "
            f"{COUNTS_PER_TURN}: narrow its limits, or take a lower gear."
        )
    if task.bus.kind is BusKind.FEETECH or not placed.turn:
        return f"'{task.name}' overflows with the homing offset that its servo has; it was not calibrated."
    best, least = placed.turn * _DEGREES, placed.least_turn * _DEGREES
    rises = "rise" if placed.turn > 0 else "fall"
    return (
        f"A homing offset does not help: a Dynamixel counts within one turn of its own encoder again whenever its "
        f"torque goes on. Take the horn off, hold the joint where it is, turn the shaft by {abs(best):.0f} degrees so "
        f"that counts {rises} (or by {abs(least):.0f} at least so that they {'rise' if least > 0 else 'fall'}), put "
        f"the horn on and calibrate '{task.name}' again."
    )
