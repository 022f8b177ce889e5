"""Characters in words and tables, for the terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from animato.character import Character, Joint, JointType, Limits, mass_properties_of
from animato.character.structure import rigidified, topology_of


def character_list(characters: Sequence[Character]) -> RenderableType:
    """One line a character."""
    table = Table("name", "joints", "mass", "what it is", box=None, pad_edge=False)
    for character in characters:
        joints = len(character.free_joints)
        table.add_row(escape(character.name), str(joints), f"{_mass(character):.2f} kg", escape(character.description))
    return table


def character_text(character: Character) -> RenderableType:
    """All a person may want to know before using a character."""
    topology = topology_of(rigidified(character))  # flexible parts hold bodies together, too
    stands = "floats freely" if character.floats else "is held on the ground"
    loops = f", {len(topology.loop_joints)} closed loops" if topology.loop_joints else ""
    lines = [
        f"[bold]{escape(character.name)}[/bold]  {escape(character.description)}",
        f"{len(character.bodies)} bodies, {len(character.joints)} joints{loops}; "
        f"{_mass(character):.2f} kg; it {stands}.",
    ]
    for title, names in (
        ("Flexible parts", [part.name for part in character.flexible_parts]),
        ("End-points", [point.name for point in character.end_points]),
        ("Soles", [sole.name for sole in character.soles]),
        ("Markers", [marker.name for marker in character.markers]),
        ("Postures", [posture.name for posture in character.postures]),
    ):
        if names:
            lines.append(f"{title}: {escape(', '.join(names))}")
    return Group(*lines, _joint_table(character))


def _mass(character: Character) -> float:
    return float(np.sum([mass_properties_of(body).mass for body in rigidified(character).bodies]))


def _joint_table(character: Character) -> Table:
    table = Table("joint", "type", "role", "servo", "range", "top speed", "torque", box=None, pad_edge=False)
    for joint in character.joints:
        if joint.type is JointType.GROUND:
            continue
        servo = joint.actuator.servo if joint.actuator is not None and joint.actuator.servo else ""
        limits = joint.limits[0] if joint.limits else Limits()
        table.add_row(
            escape(joint.name),
            joint.type.value,
            str(joint.role),
            servo,
            *(_limit_words(joint, limits) if joint.limits else [""] * 3),
        )
    return table


def _limit_words(joint: Joint, limits: Limits) -> list[str]:
    slides = joint.type in (JointType.PRISMATIC, JointType.CARTESIAN, JointType.CYLINDRICAL)
    factor, unit = (1000.0, "mm") if slides else (math.degrees(1.0), "deg")

    def shown(value: float | None) -> str:
        return "free" if value is None else f"{factor * value:.0f}"

    span = (
        "free"
        if limits.lower is None and limits.upper is None
        else f"{shown(limits.lower)} to {shown(limits.upper)} {unit}"
    )
    speed = "" if limits.velocity is None else f"{factor * limits.velocity:.0f} {unit}/s"
    torque = "" if limits.torque is None else f"{limits.torque:.3g} {'N' if slides else 'N m'}"
    return [span, speed, torque]
