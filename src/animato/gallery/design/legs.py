"""The twist: a pelvis that turns farther to one side than hips built straight allow."""

from __future__ import annotations

from animato.character import Character
from animato.design.terms import TrackingTarget
from animato.errors import unknown_name
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


BOW: Keys = (
    (0.0, STRAIGHT),
    (0.9, {"pelvis.x": 0.0, "pelvis.y": 9.0, "pelvis.z": 18.0, "pelvis.dx": 2.0, "pelvis.dz": -3.0}),
    (1.6, {"pelvis.x": 0.0, "pelvis.y": -3.0, "pelvis.z": 26.0, "pelvis.dx": -1.0, "pelvis.dz": -1.0}),
    (2.3, {"pelvis.x": 0.0, "pelvis.y": 7.0, "pelvis.z": 14.0, "pelvis.dx": 1.5, "pelvis.dz": -3.0}),
    (2.9, STRAIGHT),
)
SWAY: Keys = (
    (0.0, STRAIGHT),
    (0.7, {"pelvis.x": 4.0, "pelvis.z": 12.0, "pelvis.dy": -2.5, "pelvis.dz": -2.0}),
    (1.5, {"pelvis.x": -4.0, "pelvis.z": 34.0, "pelvis.dy": 2.5, "pelvis.dz": -2.5}),
    (2.2, {"pelvis.x": 3.0, "pelvis.z": 16.0, "pelvis.dy": -2.0, "pelvis.dz": -2.0}),
    (2.9, STRAIGHT),
)
RIGHT: Keys = (
    (0.0, STRAIGHT),
    (1.2, {"pelvis.x": 3.0, "pelvis.y": 3.0, "pelvis.z": -30.0, "pelvis.dy": -2.0, "pelvis.dz": -3.0}),
    (2.0, {"pelvis.x": 0.0, "pelvis.y": 0.0, "pelvis.z": -18.0, "pelvis.dy": -1.0, "pelvis.dz": -1.5}),
    (2.9, STRAIGHT),
)
DANCES: dict[str, Keys] = {"twist": TWIST, "bow": BOW, "sway": SWAY, "right": RIGHT}
"""The twist is what the hips are set for; the others are danced on them as they then are."""


def legs_targets(character: Character, dance: str = "twist") -> tuple[TrackingTarget, ...]:
    """What the pelvis does in a dance of `DANCES`; in the twist it turns left, twice, sinks and sways with it."""
    if dance not in DANCES:
        raise unknown_name("dance", dance, DANCES, "the legs")
    rig = animated_rig(character, [Bone("pelvis")], DANCES[dance], step_count=STEPS, rate_hz=RATE_HZ)
    return (rig.target("pelvis", position_weight=100.0, orientation_weight=1.0),)
