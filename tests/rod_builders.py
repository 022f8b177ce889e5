"""A rod that is held at one end, with a body at the other."""

from __future__ import annotations

from animato.character import (
    Bar,
    Body,
    Character,
    FlexiblePart,
    Frame,
    Interface,
    Joint,
    JointRole,
    JointType,
    Material,
    Rod,
)

STEEL = Material(7850.0, 200e9, 0.3)
NO_GRAVITY = (0.0, 0.0, 0.0)


def held_rod(
    geometry: Rod | Bar,
    material: Material = STEEL,
    *,
    tip_mass: float = 0.0,
    tip_inertia: float = 0.0,
    gravity: tuple[float, float, float] = NO_GRAVITY,
    spins: bool = False,
) -> Character:
    """The rod stands upright on the body 'base' and carries the body 'tip'.

    Args:
        geometry: Of the rod.
        material: Of the rod.
        tip_mass: [kg].
        tip_inertia: About all axes of the tip [kg m^2].
        gravity: [m/s^2].
        spins: Whether a motor 'motor' about x turns the base.
    """
    tip = Body("tip", tip_mass, (0.0, 0.0, 0.0), (tip_inertia, tip_inertia, tip_inertia, 0.0, 0.0, 0.0))
    ground = Joint("ground", JointType.GROUND, "world", "floor")
    kind, role = (JointType.REVOLUTE, JointRole.ACTUATED) if spins else (JointType.FIXED, JointRole.PASSIVE)
    hub = Joint("motor", kind, "floor", "base", role)
    clamps = (Interface("base"), Interface("tip", frame_part=Frame((0.0, 0.0, geometry.length))))
    part = FlexiblePart("rod", geometry, material, clamps)
    return Character("held rod", (Body("floor"), Body("base"), tip), (ground, hub), (part,), gravity=gravity)
