"""The servos of a character as one: coordinates in, what each servo is told out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.character import Bus, Character, Joint, JointRole, JointType, Limits, scale_of
from animato.errors import CharacterError
from animato.stage.lines import Slot

_CLOSE = 1.0
"""A range that falls short of the joint's by less than this many counts or microseconds is no shortfall."""


@dataclass(frozen=True)
class Rig:
    """Which coordinate goes to which slot of which bus.

    Attributes:
        names: Coordinates that are moved, in the order of all arrays.
        buses: Those in use.
        slots: One a coordinate.
        members: For each bus the numbers of its coordinates, in the order of its slots.
        lower: The least each coordinate is ever told [rad or m], shape [coordinate].
        upper: And the most.
        speed: The fastest that each may move [rad/s or m/s]; infinite where open.
        acceleration: The most that each may speed up or slow down [rad/s^2 or m/s^2]; infinite where open.
    """

    names: tuple[str, ...]
    buses: tuple[Bus, ...]
    slots: tuple[Slot, ...]
    members: tuple[tuple[int, ...], ...]
    lower: np.ndarray
    upper: np.ndarray
    speed: np.ndarray
    acceleration: np.ndarray

    @cached_property
    def zero(self) -> np.ndarray:
        """What each servo is told where its coordinate is 0 [counts or microseconds]."""
        return np.array([slot.scale.zero for slot in self.slots])

    @cached_property
    def per_unit(self) -> np.ndarray:
        """Counts or microseconds a radian (or metre) of each coordinate, with its sign."""
        return np.array([slot.scale.per_unit for slot in self.slots])

    def told(self, values: np.ndarray) -> np.ndarray:
        """What servos are told when coordinates are at `values` [rad or m], not rounded, shape [..., coordinate]."""
        return self.zero + self.per_unit * values

    def read(self, told: np.ndarray) -> np.ndarray:
        """The coordinates [rad or m] when servos stand at `told`, shape [..., coordinate]."""
        return (told - self.zero) / self.per_unit

    def slots_of(self, bus: int) -> tuple[Slot, ...]:
        """The slots of a bus, in its order."""
        return tuple(self.slots[number] for number in self.members[bus])


def rig_of(character: Character, names: Sequence[str] | None = None) -> Rig:
    """The servos of a character, checked.

    Args:
        character: With a servo map.
        names: Coordinates that are to be moved; all that motors drive where not given.

    Raises:
        CharacterError: A coordinate that a motor drives has no servo, the servo has no zero, or its range does not
            cover the joint's; the message names all of them.
    """
    wanted = [name for name in character.actuated_coordinate_names if names is None or name in names]
    wires = {wire.coordinate: wire for wire in character.wires}
    bare = [name for name in wanted if name not in wires]
    if bare:
        raise CharacterError(
            f"No servo moves {', '.join(bare)} of '{character.name}'. Write each into the section 'servos' of the "
            f"character file, with its bus and id (animato servos map does it), or give a map in a file of its own."
        )
    buses = {bus.name: bus for bus in character.buses}
    used = tuple(bus for bus in character.buses if any(wires[name].bus == bus.name for name in wanted))
    slots = [_slot(character, name, buses) for name in wanted]
    members = tuple(tuple(number for number, name in enumerate(wanted) if wires[name].bus == bus.name) for bus in used)
    ends = [sorted((one.scale.read(one.lowest), one.scale.read(one.highest))) for one in slots]
    lower, upper = (np.array([end[side] for end in ends]) for side in (0, 1))
    speed = np.array([np.inf if one.speed is None else one.speed / abs(one.scale.per_unit) for one in slots])
    eager = [_axis(character, name)[1].acceleration for name in wanted]
    acceleration = np.array([np.inf if one is None else one for one in eager])
    return Rig(tuple(wanted), used, tuple(slots), members, lower, upper, speed, acceleration)


def _slot(character: Character, name: str, buses: dict[str, Bus]) -> Slot:
    wire = next(wire for wire in character.wires if wire.coordinate == name)
    joint, limits = _axis(character, name)
    scale = scale_of(wire, buses[wire.bus], joint)
    stated = [scale.told(one) for one in (limits.lower, limits.upper) if one is not None]
    for limit, told in zip((one for one in (limits.lower, limits.upper) if one is not None), stated, strict=True):
        if not scale.lowest - _CLOSE <= told <= scale.highest + _CLOSE:
            least, most = scale.reach
            raise CharacterError(
                f"The servo of '{name}' does not cover the joint's range: the joint may stand at {limit:.4g}, which is "
                f"{told:.0f}, and the servo may be told {scale.lowest:g} to {scale.highest:g} ({least:.4g} to "
                f"{most:.4g}). Move its zero, widen its range, or narrow the joint's limits."
            )
    lowest, highest = max(scale.lowest, min(stated, default=scale.lowest)), scale.highest
    if len(stated) == 2:
        highest = min(highest, max(stated))
    elif len(stated) == 1:  # one end is open: which side the stated one closes depends on the sign
        closes_below = (limits.lower is not None) == (scale.per_unit > 0.0)
        lowest = max(scale.lowest, stated[0]) if closes_below else scale.lowest
        highest = scale.highest if closes_below else min(scale.highest, stated[0])
    speed = None if limits.velocity is None else limits.velocity * abs(scale.per_unit)
    return Slot(wire, scale, speed, lowest, highest)


def _axis(character: Character, name: str) -> tuple[Joint, Limits]:
    """The joint of a coordinate and the limits of that axis."""
    for joint in character.free_joints:
        if name in joint.coordinate_names and joint.role is JointRole.ACTUATED:
            if joint.type is JointType.SPHERICAL:
                raise CharacterError(
                    f"Joint '{joint.name}' turns like a ball; no servo does. Model it as three joints that turn."
                )
            return joint, joint.limits[joint.coordinate_names.index(name)]
    raise CharacterError(f"No motor moves '{name}' of '{character.name}'.")
