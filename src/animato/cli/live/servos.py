"""Servos behind a command that goes on live."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated

from tyro.conf import arg

from animato.cli.line import as_flags, say
from animato.errors import OptionError

if TYPE_CHECKING:
    from animato.character import Character
    from animato.stage.playing import LiveStage

LiveTo = Annotated[tuple[str, ...], arg(metavar="servos|dry|PORT|BUS=PORT", help_behavior_hint="(default: none)")]
ServoMap = Annotated[str | None, arg(metavar="FILE", help_behavior_hint="(default: that of the character's file)")]
Yes = Annotated[bool, arg(aliases=["-y"], help_behavior_hint="")]


def with_servos(character: Character, servos: str | None) -> Character:
    """The character with the servo map of a file, where one is given."""
    from animato.formats.character_yaml import with_servo_map

    return character if servos is None else with_servo_map(character, servos)


def live_stage(
    character: Character,
    start: Mapping[str, float],
    rate_hz: float,
    to: tuple[str, ...],
    *,
    yes: bool,
    ended: Callable[[], None],
) -> LiveStage:
    """Servos that follow commands; a person is asked before the torque goes on."""
    from animato.stage.playing import LiveStage

    def confirm(lines: list[str]) -> bool:
        for line in lines:
            say(line)
        return yes or to == ("dry",) or asked_for_torque()

    return LiveStage(character, start, rate_hz, to, confirm=confirm, say=lambda one: say(as_flags(one)), ended=ended)


def asked_for_torque() -> bool:
    """Whether the person at the terminal wants the torque on.

    Raises:
        OptionError: Nobody is there.
    """
    if not sys.stdin.isatty():
        raise OptionError("Nobody is there to be asked before the torque goes on; say `yes` to go ahead without.")
    print("Keep clear of the robot. Put the torque on and begin? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
