"""A first servo map, to be calibrated: one bus, ids in the order of the joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from animato.character import Bus, BusKind, Character, JointType, Wire
from animato.errors import OptionError

_FIRST_ID = {BusKind.DYNAMIXEL: 1, BusKind.FEETECH: 1, BusKind.MAESTRO: 0, BusKind.BOTTANGO: 2}
"""Where ids begin; pins 0 and 1 of an Arduino are its serial port."""


def first_map(
    character: Character,
    kind: BusKind | str,
    port: str = "",
    baud: int | None = None,
    ids: Sequence[int] = (),
) -> Character:
    """The character with a servo for every coordinate that a motor drives, none calibrated yet.

    Args:
        character: Without a servo map, or with one on other buses: what it has is kept.
        kind: What is spoken on the bus.
        port: Of the bus.
        baud: Of the bus; None is what the kind usually has.
        ids: Of the servos, in the order of the coordinates that have none yet; counted up where not given.

    Raises:
        OptionError: No joint is driven, all have a servo, or there are not as many ids as coordinates.
        CharacterError: An id is taken or out of range.
    """
    kind = BusKind(kind)
    wired = {wire.coordinate for wire in character.wires}
    turning = [name for name in character.actuated_coordinate_names if name not in balls(character)]
    bare = [name for name in turning if name not in wired]
    if not turning:
        raise OptionError(
            f"No motor drives a joint of '{character.name}' that a servo could turn: there is nothing to map."
        )
    if not bare:
        raise OptionError(f"Every joint of '{character.name}' that a motor drives has a servo already.")
    first = _FIRST_ID[kind]
    numbers = tuple(ids) or tuple(range(first, first + len(bare)))
    if len(numbers) != len(bare):
        raise OptionError(f"`ids` has {len(numbers)} ids for {len(bare)} joints without a servo: {', '.join(bare)}.")
    taken = {bus.name for bus in character.buses}
    name = next(one for one in (kind.value, *(f"{kind.value}{n}" for n in range(2, 1000))) if one not in taken)
    return replace(
        character,
        buses=(*character.buses, Bus(name, kind, port, baud)),
        wires=(*character.wires, *(Wire(one, name, id) for one, id in zip(bare, numbers, strict=True))),
    )


def balls(character: Character) -> frozenset[str]:
    """Coordinates of joints that turn like a ball, which no servo does."""
    return frozenset(
        name for joint in character.free_joints if joint.type is JointType.SPHERICAL for name in joint.coordinate_names
    )
