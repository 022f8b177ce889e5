"""Servos and their map as tables on a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from animato.character import Character
    from animato.stage.servos import FoundBus, MapRow


def found_table(found: Sequence[FoundBus]) -> Table:
    """Servos that answered."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in ("port", "kind", "baud", "id", "model", "position", "temperature"):
        table.add_column(head, justify="right" if head in ("baud", "id", "position", "temperature") else "left")
    for bus in found:
        kind = "" if bus.kind is None else bus.kind.value
        for one in bus.servos:
            where = "" if one.position is None else f"{one.position:g}"
            warm = "" if one.temperature is None else f"{one.temperature:.0f} C"
            table.add_row(bus.port, kind, str(bus.baud), str(one.id), one.model, where, warm)
    return table


def map_table(character: Character, rows: Sequence[MapRow]) -> Table:
    """The servo map: what each servo is told at the limits of its joint, and how much room is left."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in ("joint", "bus", "id", "zero", "sign", "limits", "told", "allowed", "room"):
        table.add_column(head, justify="left" if head in ("joint", "bus") else "right", no_wrap=True)
    slides = sliding(character)
    for row in rows:
        limits = "..".join(_value(one, row.coordinate in slides) for one in row.limits)
        if row.wire is None:
            table.add_row(row.coordinate, "-", "", "", "", limits, "", "", "")
            continue
        zero = "-" if row.wire.zero is None else f"{row.wire.zero:g}"
        unit = "" if row.bus is None or row.bus.is_counted else " us"
        room = "" if row.margin is None else f"{row.margin:.0f}{unit}"
        table.add_row(
            row.coordinate,
            row.wire.bus,
            str(row.wire.id),
            zero,
            f"{row.wire.sign:+d}",
            limits,
            _span(row.told),
            _span(row.allowed),
            room,
        )
    return table


def _span(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f"{ends[0]:.0f}..{ends[1]:.0f}"


def _value(value: float | None, slides: bool) -> str:
    if value is None:
        return "open"
    return f"{1e3 * value:z.4g} mm" if slides else f"{math.degrees(value):z.4g}"


def sliding(character: Character) -> frozenset[str]:
    """Coordinates that are lengths."""
    from animato.character import JointType

    found = [joint.coordinate_names for joint in character.joints if joint.type is JointType.PRISMATIC]
    found += [joint.coordinate_names[1:] for joint in character.joints if joint.type is JointType.CYLINDRICAL]
    return frozenset(name for names in found for name in names)
