"""A clip on servos, from where they stand to rest."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from animato.character import Character
from animato.formats.character_yaml import with_servo_map
from animato.loading import as_character, as_clip
from animato.motion import Clip
from animato.stage.lines import Line
from animato.stage.playing.interrupting import Interrupts, interruptible
from animato.stage.playing.opening import open_lines, rig_for
from animato.stage.playing.performance import Performance
from animato.stage.playing.plan import Plan, build_plan, refuse_too_much, rest_posture
from animato.stage.playing.streaming import Fault, Move, Options, Source, Still, Stream, StreamReport
from animato.stage.playing.way_back import ways_to_rest

_DONE = {
    "rest": "It went to rest and the torque is off.",
    "hold": "It holds where it is; the torque is on.",
    "limp": "The torque is off where it stood.",
}


def play(
    character: Character | str | Path,
    clip: Clip | str | Path,
    to: str | Sequence[str] = "servos",
    options: Options | None = None,
    *,
    servos: str | Path | None = None,
    lines: Sequence[Line] | None = None,
    confirm: Callable[[Plan], bool] | None = None,
    say: Callable[[str], None] | None = None,
    record: bool = False,
) -> Performance:
    """Performs a clip on servos.

    In this order: the clip is held against the limits; buses are opened; every servo is found and given its limits;
    where they are is read; the way from there to the first frame and to rest is planned inside the limits; watchdog
    and torque go on where the servos are; frames go out in time, while temperature, current, voltage and following
    error are watched; it goes to rest; the torque goes off. Nothing moves before all of the plan is known.

    Args:
        character: Who performs, with a servo map; or its name or file.
        clip: What to perform; or its name or file.
        to: "servos" for the ports of the servo map, "dry" for none, a port, or NAME=PORT for a bus; or several.
        options: What is wanted.
        servos: A servo map in a file of its own.
        lines: Buses that are open already, one a bus of the servo map, in place of `to`; they are closed at the end.
        confirm: Shown the plan before the torque goes on; where it says no, nothing moves.
        say: Told in sentences what happens.
        record: Whether to keep what was sent.

    Raises:
        MotionError: The clip is too much for the robot, or there is no way from where it stands.
        CharacterError: A coordinate has no servo, or a servo does not cover its joint.
        LineError: A bus or a servo does not answer before anything moves. Later troubles do not raise; the outcome
            says them.
    """
    options, tell = options or Options(), say or (lambda _: None)
    model = as_character(character)
    if servos is not None:
        model = with_servo_map(model, servos)
    rig = rig_for(model, to, tell)
    motion = as_clip(clip, model)
    refuse_too_much(model, rig, motion, options)
    rest_posture(model, options.rest)
    opened = open_lines(rig, to, options.send_rate_hz) if lines is None else lines
    with Stream(rig, opened, options, record=record) as stream:
        notes = stream.prepare()
        for note in notes:
            tell(note)
        plan = build_plan(model, rig, motion, stream.where(), options)
        if confirm is not None and not confirm(plan):
            return Performance(plan, (), "No torque was put on.", notes)
        source = plan.source()
        ways_to_rest(plan, plan.inside, 0.0)  # what is made at the first use is made before anything moves
        with interruptible(stream) as interrupts:
            stream.begin(plan.where)
            tell("The torque is on.")
            reports: list[StreamReport] = []
            for one in _sources(plan, source):
                reports.append(stream.run(one))
                if reports[-1].stopped:
                    break
            done = ended(stream, plan, reports, interrupts, options)
    performance = Performance(plan, tuple(reports), done, notes, interrupts.count > 0)
    tell(performance.outcome.reason)
    return performance


def _sources(plan: Plan, source: Source) -> list[Source]:
    """What is streamed one after the other: back into the range, waiting for those who cannot tell, all the rest."""
    first: list[Source] = [Move(plan.rig, plan.where, plan.inside)] if plan.outside else []
    if plan.unknown:
        first.append(Still(plan.inside, plan.settling_s))
    return [*first, source]


def ended(stream: Stream, plan: Plan, reports: list[StreamReport], interrupts: Interrupts, options: Options) -> str:
    """Rests, holds or goes limp, as the options say and the fault allows; what was done, in a sentence.

    Args:
        stream: Which has run.
        plan: Where rest is.
        reports: Of what was streamed; that of a way to rest is added. A last one that was not stopped ended at rest.
        interrupts: How often a person asked for an end.
        options: What is wanted at the end.
    """
    last = reports[-1]
    if interrupts.count > 1:
        return _left(stream, "limp" if options.after == "limp" else "hold")
    if not last.stopped:  # the plan ends at rest
        return _left(stream, "hold" if options.after == "hold" else "limp", at_rest=options.after == "rest")
    how = options.after if last.fault is None else _after(last.fault, stream, options)
    if how != "rest":
        return _left(stream, how)
    ways = ways_to_rest(plan, stream.positions, sum(one.seconds for one in reports))
    if ways is None:
        return f"{_left(stream, 'hold')} Bodies would meet on the way to rest: lead it there by hand."
    for way in ways:
        reports.append(stream.run(way, despite=() if last.fault is None else (last.fault.kind,)))
        if reports[-1].stopped:
            return _left(stream, "hold")
    return _left(stream, "limp", at_rest=True)


def _after(fault: Fault, stream: Stream, options: Options) -> Literal["rest", "hold", "limp"]:
    if options.after_fault != "auto":
        return options.after_fault
    return "rest" if fault.kind.can_move_on and not stream.ensemble.dead else "hold"


def _left(stream: Stream, how: Literal["hold", "limp"], *, at_rest: bool = False) -> str:
    with contextlib.suppress(Exception):
        stream.end(how)
    said = _DONE["rest" if at_rest else how]
    if stream.ensemble.dead:
        gone = ", ".join(f"'{stream.rig.buses[n].name}'" for n in stream.ensemble.dead)
        said += f" Nothing more could be said to bus {gone}: its servos stand where they were told last."
    return said
