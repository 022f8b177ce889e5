"""Calibrates the servos of a character joint by joint; the map and the servos change at the end, or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from animato.character import Bus, Character
from animato.errors import CharacterError, unknown_name
from animato.stage.lines import LineError
from animato.stage.servos.beginning import balls
from animato.stage.servos.hand_guide import guide_by_hand
from animato.stage.servos.map_file import MapFile, changes_between, save_changes
from animato.stage.servos.probe import Probe
from animato.stage.servos.pulse_guide import OpenLines, guide_by_pulses
from animato.stage.servos.task import Ask, Enough, Outcome, Say, Task, task_of

OpenProbe = Callable[[Bus], Probe]


@dataclass(frozen=True)
class Calibration:
    """What came of a session.

    Attributes:
        before: The character as it was.
        after: With what was found.
        outcomes: One a joint that was gone through.
    """

    before: Character
    after: Character
    outcomes: tuple[Outcome, ...]

    @property
    def done(self) -> tuple[Outcome, ...]:
        """Those that came to a zero."""
        return tuple(one for one in self.outcomes if one.wire is not None)

    def lines(self) -> list[str]:
        """The outcome for people, one line a joint."""
        said = []
        for one in self.outcomes:
            name = one.task.name
            if one.wire is None:
                said.append(f"{name}: not calibrated. {one.notes[-1] if one.notes else ''}".rstrip())
                continue
            wire, was = one.wire, one.task.wire.zero
            before = "" if was is None else f" (was {was:g})"
            homing = "" if one.homing is None else f", homing offset {one.homing} into the servo"
            said.append(f"{name}: zero {wire.zero:g}{before}, sign {wire.sign:+d}{homing}")
        return said


def calibrate(
    character: Character,
    ask: Ask,
    say: Say,
    coordinates: Sequence[str] = (),
    *,
    probe: OpenProbe = Probe,
    lines: OpenLines | None = None,
) -> Calibration:
    """Goes through the joints of a character with a person who moves them.

    Nothing is written here, neither into a file nor into what a servo keeps: see `save_calibration`.

    Args:
        character: With a servo map; zeros need not be there yet.
        ask: How the person is asked.
        say: How the person is told something.
        coordinates: Which joints; all that have a servo where not given.
        probe: Opens a bus whose servos can tell where they are.
        lines: Opens a bus whose servos cannot; by its port where not given.

    Raises:
        CharacterError: There is no servo map.
        UnknownNameError: There is no such coordinate, or it has no servo.
        LineError: A bus or a servo does not answer. What was found before is lost, and nothing was changed.
    """
    tasks = _tasks(character, coordinates)
    counted = [task for task in tasks if task.bus.is_counted]
    if counted and ask(
        "The torque of each servo goes off when the turn of its joint comes: hold what could fall, then Enter.",
        None,
    ).strip().lower() in ("q", "quit"):
        return Calibration(character, character, ())
    outcomes: list[Outcome] = []
    with contextlib.ExitStack() as opened, contextlib.suppress(Enough):
        probes: dict[str, Probe] = {}
        for task in tasks:
            if not task.bus.is_counted:
                outcomes.append(guide_by_pulses(task, ask, say, lines))
                continue
            if task.bus.name not in probes:
                probes[task.bus.name] = opened.enter_context(probe(task.bus))
            outcomes.append(guide_by_hand(task, probes[task.bus.name], ask, say))
    found = {one.task.name: one.wire for one in outcomes if one.wire is not None}
    wires = tuple(found.get(wire.coordinate, wire) for wire in character.wires)
    return Calibration(character, replace(character, wires=wires), tuple(outcomes))


def save_calibration(calibration: Calibration, file: MapFile, *, probe: OpenProbe = Probe) -> Character:
    """Writes homing offsets into servos and the map into its file: both, or neither.

    Args:
        calibration: What was found.
        file: Where the map stands.
        probe: Opens a bus.

    Returns:
        The character with the map as it stands in the file now.

    Raises:
        AnimatoError: A servo or the file cannot be written. Offsets that were written are put back.
    """
    written: list[tuple[Bus, int, int]] = []
    try:
        for one in calibration.done:
            if one.homing is None:
                continue
            with probe(one.task.bus) as bus:
                was = bus.look(one.task.wire.id).encoder.homing
                written.append((one.task.bus, one.task.wire.id, was))
                bus.set_homing(one.task.wire.id, one.homing)
        return save_changes(file, calibration.before, *changes_between(calibration.before, calibration.after))
    except BaseException:
        for place, id, was in reversed(written):
            with contextlib.suppress(LineError), probe(place) as bus:
                bus.set_homing(id, was)
        raise


def _tasks(character: Character, coordinates: Sequence[str]) -> list[Task]:
    wires = {wire.coordinate: wire for wire in character.wires}
    if not wires:
        raise CharacterError(
            f"'{character.name}' has no servo map. Make a first one with `animato servos map`, or give one by `servos`."
        )
    for name in coordinates:
        if name not in wires:
            raise unknown_name("servo", name, wires, f"the map of {character.name}")
    wanted = [wire for name, wire in wires.items() if not coordinates or name in coordinates]
    ball = [wire.coordinate for wire in wanted if wire.coordinate in balls(character)]
    if ball:
        raise CharacterError(
            f"{', '.join(ball)} of '{character.name}' turns like a ball; no servo does. Model it as three joints."
        )
    return [task_of(character, wire, f"{number} of {len(wanted)}") for number, wire in enumerate(wanted, 1)]
