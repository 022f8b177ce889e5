"""The swipe: a bear shifts its weight, lifts a forepaw and swipes across."""

from __future__ import annotations

from animato.character import Character
from animato.design.terms import TrackingTarget
from animato.gallery.design.rig import Bone, Keys, animated_rig

RATE_HZ = 25.0
STEPS = 101

BONES = (
    Bone("body"),
    Bone("fore_right_upper", "body", "fore_right_shoulder"),
    Bone("fore_right_lower", "fore_right_upper", "fore_right_elbow"),
    Bone("paw", "fore_right_lower", "fore_right_wrist"),
)

STANDING: dict[str, float] = {
    "body.x": 0.0, "body.y": 0.0, "body.z": 0.0, "body.dx": 0.0, "body.dy": 0.0, "body.dz": 0.0,
    "fore_right_upper.x": 0.0, "fore_right_upper.y": 0.0, "fore_right_upper.z": 0.0,
    "fore_right_lower.x": 0.0, "fore_right_lower.y": 0.0, "fore_right_lower.z": 0.0,
    "paw.x": 0.0, "paw.y": 0.0, "paw.z": 0.0,
}  # fmt: skip

SWIPE: Keys = (
    (0.0, STANDING),
    (0.9, {  # weight back and left, the paw goes out
        "body.x": -3.0, "body.y": -6.0, "body.z": -8.0, "body.dx": -2.5, "body.dy": 2.0, "body.dz": 1.0,
        "fore_right_upper.x": -38.0, "fore_right_upper.y": -38.0, "fore_right_upper.z": -22.0,
        "fore_right_lower.y": -12.0, "fore_right_lower.z": -16.0, "paw.y": -10.0, "paw.z": -18.0,
    }),
    (1.2, {"fore_right_upper.x": -42.0, "fore_right_upper.y": -44.0, "paw.z": -22.0, "body.z": -9.0}),
    (1.7, {  # the swipe
        "body.x": 2.0, "body.y": -4.0, "body.z": 9.0, "body.dx": 0.5, "body.dy": 2.5, "body.dz": 0.5,
        "fore_right_upper.x": -6.0, "fore_right_upper.y": -58.0, "fore_right_upper.z": 26.0,
        "fore_right_lower.y": -4.0, "fore_right_lower.z": 18.0, "paw.y": 16.0, "paw.z": 24.0,
    }),
    (2.1, {  # follow through
        "body.x": 3.0, "body.y": 1.0, "body.z": 10.0, "body.dx": 1.0, "body.dy": 2.0, "body.dz": -0.5,
        "fore_right_upper.x": 8.0, "fore_right_upper.y": -40.0, "fore_right_upper.z": 32.0,
        "fore_right_lower.y": 6.0, "fore_right_lower.z": 20.0, "paw.y": 22.0, "paw.z": 22.0,
    }),
    (3.6, STANDING),
    (4.0, STANDING),
)  # fmt: skip


def bear_targets(character: Character) -> tuple[TrackingTarget, ...]:
    """Body and free paw do what the rig's do; the three paws on the ground stay there by themselves."""
    rig = animated_rig(character, BONES, SWIPE, step_count=STEPS, rate_hz=RATE_HZ)
    return (
        rig.target("body", position_weight=100.0, orientation_weight=1.0),
        rig.target("paw", position_weight=100.0, orientation_weight=0.5),
    )
