"""The kick: what an animator's rig with ball joints does, for a robot with 14 hinges."""

from __future__ import annotations

import numpy as np

from animato.character import Body, Character, Frame, Joint, JointType, Vector3
from animato.design.terms import TrackingTarget
from animato.gallery.design.rig import Bone, Keys, RigMotion, animated_rig

RATE_HZ = 60.0
STEPS = 466
LONGER_STEPS = 523
"""With the built robot: the same kick, and a while of standing after it."""

BONES = (
    Bone("left_foot"),
    Bone("left_shin", "left_foot", "left_shin"),
    Bone("left_thigh", "left_shin", "left_thigh"),
    Bone("torso", "left_thigh", "torso"),
    Bone("right_thigh", "torso", "right_thigh"),
    Bone("right_shin", "right_thigh", "right_shin"),
    Bone("right_foot", "right_shin", "right_foot"),
    Bone("head", "torso", "head"),
    Bone("left_upper_arm", "torso", "left_upper_arm"),
    Bone("left_forearm", "left_upper_arm", "left_forearm"),
    Bone("right_upper_arm", "torso", "right_upper_arm"),
    Bone("right_forearm", "right_upper_arm", "right_forearm"),
)

SOLE, ANKLE, KNEE, HIP = (0.0, 0.06, 0.02), (0.0, 0.06, 0.075), (0.02, 0.06, 0.275), (0.0, 0.06, 0.47)
SHOULDER, ELBOW, HAND = (0.0, 0.125, 0.70), (0.0, 0.165, 0.575), (0.02, 0.19, 0.45)
TORSO, NECK = (0.0, 0.0, 0.47), (0.0, 0.0, 0.755)
"""Of the kickbot's left side, standing straight [m]."""

ORIGINS = {
    "foot": SOLE,
    "shin": ANKLE,
    "thigh": KNEE,
    "upper_arm": SHOULDER,
    "forearm": ELBOW,
    "torso": TORSO,
    "head": NECK,
}
UPWARD = {"shin": ANKLE, "thigh": KNEE, "torso": HIP}
DOWNWARD = {"thigh": HIP, "shin": KNEE, "foot": ANKLE, "head": NECK, "upper_arm": SHOULDER, "forearm": ELBOW}
"""Where bones turn that stand on the left foot, and where those do that hang from the torso."""

STANDING: dict[str, float] = {
    "left_shin.x": 0.0, "left_shin.y": 0.0, "left_thigh.y": 0.0,
    "torso.x": 0.0, "torso.y": 0.0, "torso.z": 0.0,
    "right_thigh.x": 0.0, "right_thigh.y": 0.0, "right_thigh.z": 0.0,
    "right_shin.y": 0.0, "right_foot.y": 0.0, "right_foot.x": 0.0,
    "head.z": 0.0, "head.y": 0.0, "head.x": 0.0,
    "left_upper_arm.x": 28.0, "left_upper_arm.z": 0.0, "left_forearm.y": -32.0,
    "right_upper_arm.x": -28.0, "right_upper_arm.z": 0.0, "right_forearm.y": -32.0,
}  # fmt: skip

APEX_S = 3.0
"""When the foot is farthest [s]."""
APEX_WEIGHT = 10000.0
"""What the kicking foot counts more there [1/m^2]."""
CHEST = (0.0, 0.0, 0.15)
"""On the torso [m]."""

KICK: Keys = (
    (0.0, STANDING),
    (0.5, STANDING),
    (1.4, {  # weight on the left leg
        "left_shin.x": -9.0, "left_shin.y": 8.0, "left_thigh.y": -14.0, "torso.x": 7.0, "torso.y": 6.0, "torso.z": -6.0,
        "right_thigh.y": 4.0, "right_thigh.x": 2.0, "right_shin.y": 12.0, "head.z": 6.0, "head.x": 3.0,
    }),
    (2.3, {  # the leg goes back, the body turns after it, the arms go the other way
        "left_shin.x": -11.0, "left_shin.y": 14.0, "left_thigh.y": -24.0,
        "torso.x": 6.0, "torso.y": 20.0, "torso.z": -26.0,
        "right_thigh.y": 34.0, "right_thigh.x": -8.0, "right_thigh.z": -12.0,
        "right_shin.y": 58.0, "right_foot.y": 22.0,
        "head.z": 24.0, "head.y": -14.0, "head.x": 0.0,
        "left_upper_arm.x": 56.0, "left_upper_arm.z": -44.0, "left_forearm.y": -44.0,
        "right_upper_arm.x": -60.0, "right_upper_arm.z": -36.0, "right_forearm.y": -30.0,
    }),
    (APEX_S, {  # the kick: forward, up and across
        "left_shin.x": -12.0, "left_shin.y": 6.0, "left_thigh.y": -18.0,
        "torso.x": 4.0, "torso.y": -8.0, "torso.z": 24.0,
        "right_thigh.y": -76.0, "right_thigh.x": 8.0, "right_thigh.z": 26.0, "right_shin.y": 6.0, "right_foot.y": 30.0,
        "right_foot.x": 12.0, "head.z": -22.0, "head.y": 8.0, "head.x": -4.0,
        "left_upper_arm.x": 66.0, "left_upper_arm.z": 34.0, "left_forearm.y": -28.0,
        "right_upper_arm.x": -58.0, "right_upper_arm.z": 42.0, "right_forearm.y": -42.0,
    }),
    (3.25, {"right_thigh.y": -74.0, "right_shin.y": 10.0, "torso.z": 25.0}),
    (4.1, {  # knee up, looking after the ball
        "left_shin.x": -11.0, "left_shin.y": 8.0, "left_thigh.y": -16.0,
        "torso.x": 5.0, "torso.y": 2.0, "torso.z": 10.0,
        "right_thigh.y": -50.0, "right_thigh.x": 2.0, "right_thigh.z": 8.0, "right_shin.y": 62.0, "right_foot.y": 10.0,
        "right_foot.x": 4.0, "head.z": -14.0, "head.y": -6.0, "head.x": 0.0,
        "left_upper_arm.x": 48.0, "left_upper_arm.z": 8.0, "left_forearm.y": -34.0,
        "right_upper_arm.x": -46.0, "right_upper_arm.z": 12.0, "right_forearm.y": -36.0,
    }),
    (5.1, {  # a little hop of the knee
        "left_shin.y": 12.0, "left_thigh.y": -24.0, "torso.y": 8.0, "torso.z": 4.0, "right_thigh.y": -34.0,
        "right_shin.y": 50.0, "head.z": 4.0, "head.y": 4.0, "left_upper_arm.z": -14.0, "right_upper_arm.z": -8.0,
    }),
    (6.9, STANDING),
    (8.0, STANDING),
)  # fmt: skip


def kick_skeleton() -> Character:
    """The animator's rig: the kickbot's bodies, standing straight, with ball joints between them."""
    places = {bone.body: _on_side(ORIGINS[_part(bone.body)], bone.body) for bone in BONES}
    joints = [Joint("ground", JointType.GROUND, "world", "left_foot", frame_parent=Frame(places["left_foot"]))]
    for bone in BONES[1:]:
        stands = bone.body in ("left_shin", "left_thigh", "torso")
        pivot = np.array(_on_side((UPWARD if stands else DOWNWARD)[_part(bone.body)], bone.body))
        parent, child = (Frame(tuple(pivot - places[name])) for name in (str(bone.parent), bone.body))
        joints.append(Joint(bone.body, JointType.SPHERICAL, str(bone.parent), bone.body, None, parent, child))
    return Character("kick rig", tuple(Body(name) for name in places), tuple(joints))


def kick_rig(step_count: int = STEPS) -> RigMotion:
    """The rig, kicking."""
    return animated_rig(kick_skeleton(), BONES, KICK, step_count=step_count, rate_hz=RATE_HZ)


def kickbot_targets(character: Character) -> tuple[TrackingTarget, ...]:
    """Torso, head, feet and hands of the kickbot do what the rig's do."""
    rig = kick_rig()
    return (
        rig.target("left_foot", position_weight=100.0, orientation_weight=1.0),
        rig.target("torso", at=CHEST, position_weight=100.0, orientation_weight=1.0),
        rig.target("head", orientation_weight=0.5),
        rig.target("right_foot", position_weight=100.0, orientation_weight=0.5),
        *_hands(character, rig),
    )


def built_kickbot_targets(character: Character) -> tuple[TrackingTarget, ...]:
    """The same for the robot as built; the kicking foot counts most when it is farthest."""
    rig = kick_rig(LONGER_STEPS)
    apex = at_apex(LONGER_STEPS)
    return (
        rig.target("torso", at=CHEST, position_weight=100.0, orientation_weight=1.0),
        rig.target("head", orientation_weight=0.5),
        rig.target(
            "right_foot",
            position_weight=np.outer(100.0 + APEX_WEIGHT * apex, np.ones(3)),
            orientation_weight=0.5 + 0.01 * APEX_WEIGHT * apex,
        ),
        *_hands(character, rig),
    )


def _hands(character: Character, rig: RigMotion) -> list[TrackingTarget]:
    """Wherever the hands are on the character: its elbows may be stiff."""
    found = []
    for side in ("left", "right"):
        hand, forearm = character.marker(f"{side}_hand"), f"{side}_forearm"
        reach = np.subtract(_on_side(HAND, side), _on_side(ELBOW, side))
        path = rig.poses[forearm].apply(reach)
        found.append(
            TrackingTarget(hand.body, np.array(hand.position), path, position_weights=np.full(3, 50.0), name=hand.name)
        )
    return found


def at_apex(step_count: int, *, width_s: float = 0.12) -> np.ndarray:
    """1 at the apex of the kick and nearly 0 elsewhere, shape [step]."""
    times = np.arange(step_count) / RATE_HZ
    return np.asarray(np.exp(-0.5 * ((times - APEX_S) / width_s) ** 2))


def _part(body: str) -> str:
    """What a body is, on either side."""
    return body.removeprefix("left_").removeprefix("right_")


def _on_side(point: Vector3, name: str) -> Vector3:
    """A point of the left side, mirrored for names of the right."""
    return (point[0], -point[1] if name.startswith("right") else point[1], point[2])
