"""Where a performance goes: the ports of the servo map, other ports, or nowhere."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from animato.character import Character
from animato.errors import OptionError, UnknownNameError, did_you_mean
from animato.stage.lines import DryLine, Line, open_line
from animato.stage.rig import Rig, rig_of, with_pretended_servos

SERVOS, DRY = "servos", "dry"


def rig_for(character: Character, to: str | Sequence[str], say: Callable[[str], None] | None = None) -> Rig:
    """The servos of a character at the ports that are wanted.

    Args:
        character: With a servo map; a dry run also takes one without, and pretends.
        to: As for `with_ports`.
        say: Told where it pretends.

    Raises:
        CharacterError: A coordinate has no servo, or a servo does not cover its joint.
    """
    if not character.wires and DRY in ([to] if isinstance(to, str) else to):
        character = with_pretended_servos(character)
        if say is not None:
            say(f"'{character.name}' has no servo map; this dry run pretends that every motor is a servo.")
    return with_ports(rig_of(character), to)


def with_ports(rig: Rig, to: str | Sequence[str]) -> Rig:
    """The rig with its buses at other ports.

    Args:
        rig: As the servo map says.
        to: "servos" for the ports of the map; "dry" for none; a port, where there is one bus; NAME=PORT for the bus of
            that name. Or several of them.

    Raises:
        UnknownNameError: There is no such bus.
        OptionError: A port is given and it is not clear for which bus.
    """
    ports: dict[str, str] = {}
    names = [bus.name for bus in rig.buses]
    for word in [to] if isinstance(to, str) else to:
        name, equals, port = word.partition("=")
        if word in (SERVOS, DRY):
            continue
        if not equals:
            if len(names) != 1:
                raise OptionError(
                    f"'{word}' is a port, and there are {len(names)} buses: write NAME=PORT for each of "
                    f"{', '.join(names)}."
                )
            name, port = names[0], word
        if name not in names:
            raise UnknownNameError(
                f"Bus '{name}' is not in the servo map.{did_you_mean(name, names)} Buses: {', '.join(names)}."
            )
        ports[name] = port
    return replace(rig, buses=tuple(replace(bus, port=ports.get(bus.name, bus.port)) for bus in rig.buses))


def open_lines(rig: Rig, to: str | Sequence[str], rate_hz: float) -> tuple[Line, ...]:
    """Opens all buses of a rig, or none.

    Args:
        rig: With ports, as from `with_ports`.
        to: As for `with_ports`.
        rate_hz: How often servos are told where to be; a bus may have a lower rate of its own.

    Raises:
        LineError: A port cannot be opened; those that were are closed again.
        OptionError: A bus has no port.
    """
    words = [to] if isinstance(to, str) else list(to)
    if DRY in words:
        if len(words) > 1:
            raise OptionError(f"'{DRY}' opens no port, so nothing else can be given beside it: {', '.join(words)}.")
        return tuple(DryLine(bus) for bus in rig.buses)
    with contextlib.ExitStack() as opened:
        lines: list[Line] = []
        for bus in rig.buses:
            lines.append(open_line(replace(bus, rate_hz=min(bus.rate_hz or rate_hz, rate_hz))))
            opened.callback(lines[-1].close)
        opened.pop_all()
    return tuple(lines)
