"""The twist: a pelvis that turns farther to one side than hips built straight allow."""

from __future__ import annotations

from animato.character import Character
from animato.design.terms import TrackingTarget
from animato.gallery.design.rig import Bone, Keys, animated_rig

RATE_HZ = 40.0
STEPS = 120

STRAIGHT: dict[str, float] = {
    "pelvis.x": 0.0, "pelvis.y": 0.0, "pelvis.z": 0.0, "pelvis.dx": 0.0, "pelvis.dy": 0.0, "pelvis.dz": 0.0
}  # fmt: skip

TWIST: Keys = (
    (0.0, STRAIGHT),
    (0.4, {"pelvis.x": 3.0, "pelvis.y": 2.0, "pelvis.z": -5.0, "pelvis.dy": -1.5, "pelvis.dz": -2.5}),
    (1.1, {"pelvis.x": -4.0, "pelvis.y": 5.0, "pelvis.z": 42.0, "pelvis.dx": 1.0, "pelvis.dy": 2.0, "pelvis.dz": -3.5}),
    (1.5, {"pelvis.x": 0.0, "pelvis.y": 2.0, "pelvis.z": 24.0, "pelvis.dx": 0.0, "pelvis.dy": 0.5, "pelvis.dz": -1.5}),
    (
        2.0,
        {"pelvis.x": -5.0, "pelvis.y": -3.0, "pelvis.z": 44.0, "pelvis.dx": -1.5, "pelvis.dy": 2.5, "pelvis.dz": -4.0},
    ),
    (2.9, STRAIGHT),
)


def legs_targets(character: Character) -> tuple[TrackingTarget, ...]:
    """The pelvis twists to its left, twice, sinks and sways with it."""
    rig = animated_rig(character, [Bone("pelvis")], TWIST, step_count=STEPS, rate_hz=RATE_HZ)
    return (rig.target("pelvis", position_weight=100.0, orientation_weight=1.0),)
