"""A servo map as people read it: where each joint's range lies in its servo's, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from animato.character import Bus, Character, Joint, Limits, Wire, scale_of
from animato.errors import AnimatoError
from animato.stage.rig import rig_of


@dataclass(frozen=True)
class MapRow:
    """One coordinate that a motor drives.

    Attributes:
        coordinate: Its name.
        wire: Its servo; None where it has none.
        bus: On which that hangs.
        told: What it is told at the joint's limits, from the least to the most [counts or microseconds]; None where
            that is not known.
        allowed: What it may be told.
        reach: The coordinates to which that leads [rad or m].
        limits: The joint's own [rad or m]; None is open.
        margin: From the joint's range to the nearer end of the servo's [counts or microseconds]; below 0 where it does
            not fit.
        trouble: Why it cannot be played, in a sentence; empty where it can.
    """

    coordinate: str
    wire: Wire | None
    bus: Bus | None
    told: tuple[float, float] | None
    allowed: tuple[float, float] | None
    reach: tuple[float, float] | None
    limits: tuple[float | None, float | None]
    margin: float | None
    trouble: str


def axis_of(character: Character, coordinate: str) -> tuple[Joint, Limits]:
    """The joint of a coordinate, and the limits of that axis."""
    joint = next(one for one in character.joints if coordinate in one.coordinate_names)
    number = joint.coordinate_names.index(coordinate)
    return joint, joint.limits[min(number, len(joint.limits) - 1)]


def map_rows(character: Character) -> tuple[MapRow, ...]:
    """A row for each coordinate that a motor drives, in order."""
    return tuple(_row(character, name) for name in character.actuated_coordinate_names)


def map_troubles(rows: Sequence[MapRow]) -> list[str]:
    """Why joints cannot be played, in sentences; the same of several said once."""
    said = []
    bare = [row.coordinate for row in rows if row.wire is None]
    if bare:
        said.append(f"No servo moves {', '.join(bare)}: write each into the map, with its bus and id.")
    blank = [row.coordinate for row in rows if row.wire is not None and row.wire.zero is None]
    if blank:
        said.append(f"No zero yet: {', '.join(blank)}. Calibrate them.")
    others = [row for row in rows if row.trouble and row.coordinate not in (*bare, *blank)]
    return [*said, *(row.trouble for row in others)]


def _row(character: Character, name: str) -> MapRow:
    joint, limits = axis_of(character, name)
    ends = limits.lower, limits.upper
    wire = next((one for one in character.wires if one.coordinate == name), None)
    bus = None if wire is None else next(one for one in character.buses if one.name == wire.bus)
    trouble = ""
    try:
        rig_of(character, [name])
    except AnimatoError as error:
        trouble = str(error)
    try:
        assert wire is not None
        assert bus is not None
        scale = scale_of(wire, bus, joint)
    except (AssertionError, AnimatoError):
        return MapRow(name, wire, bus, None, None, None, ends, None, trouble)
    stated = sorted(scale.told(one) for one in ends if one is not None)
    told = (stated[0], stated[-1]) if len(stated) == 2 else None
    margin = None if told is None else min(told[0] - scale.lowest, scale.highest - told[1])
    return MapRow(name, wire, bus, told, (scale.lowest, scale.highest), scale.reach, ends, margin, trouble)
