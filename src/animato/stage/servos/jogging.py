"""Moves one joint by hand of a keyboard: slowly, inside its limits, through the same guard as a performance."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from animato.character import Character, JointType
from animato.errors import OptionError, unknown_name
from animato.stage.lines import Line
from animato.stage.playing import Move, Options, Stream, StreamReport, interruptible, open_lines, with_ports
from animato.stage.rig import Rig, rig_of

SLOW, SOFT = 0.5, 2.0
"""The fastest that a joint is jogged, and how quickly it gets there [rad/s, rad/s^2]; a tenth of it where it slides."""

Step = Literal["up", "down", "finer", "coarser", "zero", "quit"]
"""What a key means."""

_LAG_S = 0.5  # a joint that creeps may be told late: it only stands a little longer
_STEPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # degrees, or millimetres


@dataclass(frozen=True)
class Jogged:
    """What became of a jog.

    Attributes:
        coordinate: Which.
        started: Where it stood [rad or m]; NaN where its servo cannot tell.
        wanted: Where it should go.
        reached: Where it was told to be at last.
        clipped: Whether it was held at an end of its range.
        holds: Whether its torque is still on.
        report: Of the stream; None where nothing was moved.
    """

    coordinate: str
    started: float
    wanted: float
    reached: float
    clipped: bool
    holds: bool
    report: StreamReport | None


def jog(
    character: Character,
    coordinate: str,
    value: float | None = None,
    *,
    by: bool = False,
    keys: Iterable[Step] | None = None,
    to: str | Sequence[str] = "servos",
    lines: Sequence[Line] | None = None,
    hold: bool = False,
    confirm: Callable[[list[str]], bool] | None = None,
    say: Callable[[str], None] | None = None,
    show: Callable[[str], None] | None = None,
) -> Jogged:
    """Moves one joint, to a value or as keys say; its torque goes off at the end.

    Args:
        character: With a servo map in which this joint is calibrated.
        coordinate: Of the joint.
        value: Where to [rad or m].
        by: Whether `value` counts from where the joint stands.
        keys: In place of a value: steps, as they come; the last may end before the joint is there.
        to: As for `play`.
        lines: The bus, opened already, in place of `to`; it is closed at the end.
        hold: Leave the torque on at the end.
        confirm: Shown in sentences what will happen, before the torque goes on; where it says no, nothing moves.
        say: Told in sentences what happens.
        show: Told all the time where the joint is, while there are keys.

    Raises:
        CharacterError: The joint has no servo, no zero, or its range is not covered.
        LineError: The servo does not answer.
    """
    if coordinate not in character.actuated_coordinate_names:
        raise unknown_name("coordinate", coordinate, character.actuated_coordinate_names, character.name)
    if (value is None) == (keys is None):
        raise OptionError("`value` says where to go, or `keys` do: one of them.")
    if value is not None and not math.isfinite(value):
        raise OptionError(f"`value` is a number, not {value}.")
    slides = _slides(character, coordinate)
    rig = _slow(with_ports(rig_of(character, [coordinate]), to), 0.1 if slides else 1.0)
    options = Options(longest_lag_s=_LAG_S)
    tell = say or (lambda _: None)
    opened = open_lines(rig, to, options.send_rate_hz) if lines is None else lines
    with Stream(rig, opened, options) as stream:
        for note in stream.prepare():
            tell(note)
        started = float(stream.where()[0])
        known = not math.isnan(started)
        stands = started if known else float(np.clip(0.0, rig.lower[0], rig.upper[0]))
        goal = stands if value is None else value + (stands if by else 0.0)
        inside = float(np.clip(goal, rig.lower[0], rig.upper[0]))
        if confirm is not None and not confirm(_plan(coordinate, rig, started, inside, goal, slides)):
            return Jogged(coordinate, started, goal, stands, False, False, None)
        with interruptible(stream):
            stream.begin(np.array([stands]))
            if keys is None:
                report = stream.run(Move(rig, np.array([stands]), np.array([inside])))
            else:
                source = KeySource(rig, lambda: stream.guard.position, slides, show)
                source.follow(keys)
                report = stream.run(source)
                goal = source.wanted
            reached = float(stream.positions[0])
            stream.end("hold" if hold or report.fault is not None else "limp")
    if report.fault is not None:
        tell(report.fault.sentence("It holds where it is; the torque is on."))
    clipped = abs(goal - float(np.clip(goal, rig.lower[0], rig.upper[0]))) > 1e-9
    return Jogged(coordinate, started, goal, reached, clipped, hold or report.fault is not None, report)


class KeySource:
    """Where a joint should be by the keys that came; keys are taken in a thread of their own.

    Args:
        rig: Of one coordinate.
        where: Where it was told to be last.
        slides: Whether steps are millimetres.
        show: Told where it is.

    Attributes:
        wanted: Where it should be [rad or m].
    """

    is_path = False

    def __init__(
        self, rig: Rig, where: Callable[[], np.ndarray], slides: bool, show: Callable[[str], None] | None = None
    ) -> None:
        self._rig, self._where, self._show, self._slides = rig, where, show, slides
        self.wanted = float(np.clip(where()[0], rig.lower[0], rig.upper[0]))
        self._unit = 1e-3 if slides else math.pi / 180.0
        self._size = 3
        self._ended = False

    def follow(self, keys: Iterable[Step]) -> None:
        """Begins to take keys."""
        threading.Thread(target=self._take, args=(keys,), name="keys", daemon=True).start()

    def __call__(self, time_s: float) -> np.ndarray | None:
        """Where to be; ends when the keys have ended and the joint is there."""
        there = abs(float(self._where()[0]) - self.wanted) < 1e-6
        return None if self._ended and there else np.array([self.wanted])

    def _take(self, keys: Iterable[Step]) -> None:
        try:
            for key in keys:
                if key == "quit":  # it stands still as softly as it may, near to where it is
                    self._aim(float(self._where()[0]))
                    return
                self._press(key)
                if self._show is not None:
                    self._show(self._line())
        finally:
            self._ended = True

    def _press(self, key: Step) -> None:
        step = _STEPS[self._size] * self._unit
        if key == "zero":
            self._aim(0.0)
        elif key in ("finer", "coarser"):
            self._size = min(max(self._size + (1 if key == "coarser" else -1), 0), len(_STEPS) - 1)
        else:
            self._aim(self.wanted + (step if key == "up" else -step))

    def _aim(self, value: float) -> None:
        self.wanted = float(np.clip(value, self._rig.lower[0], self._rig.upper[0]))

    def _line(self) -> str:
        unit = "mm" if self._slides else "deg"
        told = self._rig.told(np.array([self.wanted]))[0]
        at, low, high = (one / self._unit for one in (self.wanted, self._rig.lower[0], self._rig.upper[0]))
        return f"{at:.1f} {unit} ({low:.1f} to {high:.1f}), told {told:.0f}, step {_STEPS[self._size]:g} {unit}"


def _slow(rig: Rig, share: float) -> Rig:
    speed, acceleration = np.minimum(rig.speed, SLOW * share), np.minimum(rig.acceleration, SOFT * share)
    slots = tuple(
        replace(slot, speed=float(one) * abs(slot.scale.per_unit)) for slot, one in zip(rig.slots, speed, strict=True)
    )
    return replace(rig, slots=slots, speed=speed, acceleration=acceleration)


def _slides(character: Character, coordinate: str) -> bool:
    joint = next(one for one in character.joints if coordinate in one.coordinate_names)
    if joint.type is JointType.CYLINDRICAL:
        return joint.coordinate_names.index(coordinate) == 1
    return joint.type is JointType.PRISMATIC


def _plan(name: str, rig: Rig, started: float, inside: float, goal: float, slides: bool) -> list[str]:
    def words(value: float) -> str:
        return f"{1e3 * value:.1f} mm" if slides else f"{math.degrees(value):z.1f} degrees"

    said = []
    if math.isnan(started):
        first = words(float(np.clip(0.0, rig.lower[0], rig.upper[0])))
        said.append(
            f"The servo of {name} cannot tell where it is: it goes to {first} at once, as fast as it can, and from "
            f"there slowly."
        )
    else:
        said.append(f"{name} stands at {words(started)}, told {rig.told(np.array([started]))[0]:.0f}.")
        if not rig.lower[0] - 1e-9 <= started <= rig.upper[0] + 1e-9:
            said.append("That is outside of its range: it comes back in first.")
    if abs(goal - inside) > 1e-9:
        said.append(f"{words(goal)} is outside of its range: it stops at {words(inside)}.")
    return said
