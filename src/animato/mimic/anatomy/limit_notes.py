"""Warnings about limits that look like placeholders, or are not there."""

from __future__ import annotations

from animato.character import Character, JointRole
from animato.described import shortened

_NO_MOTOR = 1e3
"""Torques [N m] and speeds [rad/s] from here on are no motor's."""
_FEWEST_ALIKE = 10  # motors of different joints that all state one torque, which no robot of that many has


def limit_notes(character: Character) -> tuple[str, ...]:
    """Sentences on limits of driven joints that are missing or look like placeholders, with names."""
    driven = [
        (name, limits)
        for joint in character.free_joints
        if joint.role is JointRole.ACTUATED
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=False)
    ]
    lacking = {
        "range": [name for name, one in driven if one.lower is None or one.upper is None],
        "speed limit": [name for name, one in driven if one.velocity is None],
        "torque limit": [name for name, one in driven if one.torque is None and one.curve is None],
    }
    notes = [f"No {what} is stated for {_names(names, len(driven))}." for what, names in lacking.items() if names]
    huge = [name for name, one in driven if (one.torque or 0.0) >= _NO_MOTOR or (one.velocity or 0.0) >= _NO_MOTOR]
    if huge:
        notes.append(f"Torques or speeds of 1000 and more are no motor's: {shortened(huge)}.")
    for what, unit, values in (
        ("torque", "N m", [one.torque for _, one in driven]),
        ("speed", "rad/s", [one.velocity for _, one in driven]),
    ):
        if len(values) >= _FEWEST_ALIKE and None not in values and len(set(values)) == 1:
            notes.append(
                f"All {len(values)} joints state the same {what} limit, {values[0]:g} {unit}: it looks like a "
                f"placeholder, so shares of it mean little."
            )
    return tuple(notes)


def _names(names: list[str], driven: int) -> str:
    return "any joint" if len(names) == driven else shortened(names)
