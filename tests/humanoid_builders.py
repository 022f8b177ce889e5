"""Small humanoids under whatever names, axes and shapes a test gives them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import Body, Box, Character, Coupling, Frame, Joint, JointType, Limits, Shape
from animato.spatial import quaternions

LEG = (
    ("hip_yaw", (0.0, 0.0, 1.0), (0.0, 0.08, -0.05)),
    ("hip_roll", (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("hip_pitch", (0.0, 1.0, 0.0), (0.0, 0.0, -0.03)),
    ("knee", (0.0, 1.0, 0.0), (0.0, 0.0, -0.30)),
    ("ankle_pitch", (0.0, 1.0, 0.0), (0.0, 0.0, -0.32)),
    ("ankle_roll", (1.0, 0.0, 0.0), (0.0, 0.0, -0.01)),
)
ARM = (
    ("shoulder_pitch", (0.0, 1.0, 0.0), (0.0, 0.12, 0.25)),
    ("shoulder_roll", (1.0, 0.0, 0.0), (0.0, 0.03, 0.0)),
    ("shoulder_yaw", (0.0, 0.0, 1.0), (0.0, 0.0, -0.08)),
    ("elbow", (0.0, 1.0, 0.0), (0.0, 0.0, -0.12)),
    ("wrist_yaw", (0.0, 0.0, 1.0), (0.0, 0.0, -0.15)),
    ("wrist_pitch", (0.0, 1.0, 0.0), (0.0, 0.0, -0.03)),
)
"""Name, axis, and offset from the joint before, of the left side [m]; z up, facing x."""

FOOT = Shape(Box((0.2, 0.08, 0.02)), Frame((0.03, 0.0, -0.05)))
HAND = Shape(Box((0.03, 0.06, 0.12)), Frame((0.0, 0.0, -0.07)))
HEAD = Shape(Box((0.14, 0.14, 0.2)), Frame((0.0, 0.0, 0.12)))
LIMITS = (Limits(-2.0, 2.0, 10.0, torque=40.0),)


@dataclass(frozen=True)
class Plan:
    """What a humanoid is to be like.

    Attributes:
        names: Of the two sides in names of bodies and joints.
        foot: Shape of the feet, None for none.
        toes: Whether toes have a joint.
        fingers: How many hang on each hand.
        root_is_torso: Whether the torso is the root and the pelvis hangs on it by the waist.
        arms: Whether there are any.
        wrist: Whether arms have joints after the elbow.
        turn: Angle about z by which everything is turned in the root's frame [rad].
        y_up: Whether y is up in the root's frame.
        zero_knee: Angle of the knees where their coordinates are zero [rad].
        coupled_knee: Whether a second half of each knee follows the first, as with geared double joints.
    """

    names: tuple[str, str] = ("left", "right")
    foot: Shape | None = FOOT
    toes: bool = False
    fingers: int = 0
    root_is_torso: bool = False
    arms: bool = True
    wrist: bool = True
    turn: float = 0.0
    y_up: bool = False
    zero_knee: float = 0.0
    coupled_knee: bool = False


def humanoid(plan: Plan | None = None, **changes: object) -> Character:
    """A humanoid of 0.7 m legs, as the plan or the changes of it say."""
    return _Builder(replace(plan or Plan(), **changes)).character()  # type: ignore[arg-type]


class _Builder:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.bodies: list[Body] = []
        self.joints: list[Joint] = []
        turn = quaternions.quaternion_from_rotation_vector((0.0, 0.0, plan.turn))
        if plan.y_up:
            turn = quaternions.multiply(quaternions.quaternion_from_rotation_vector((-np.pi / 2.0, 0.0, 0.0)), turn)
        self.turn = tuple(turn.tolist())

    def character(self) -> Character:
        first, second = ("torso", "pelvis") if self.plan.root_is_torso else ("pelvis", "torso")
        way = -0.1 if self.plan.root_is_torso else 0.1
        self.body(first, 4.0)
        # all that is turned is turned by the joints of the root
        self.joint("waist", first, second, (0.0, 0.0, 1.0), (0.0, 0.0, way))
        self.body(second, 5.0)
        for index, sign in enumerate((1.0, -1.0)):
            self.limb(self.plan.names[index], "pelvis", self.leg(), sign, first)
            if self.plan.arms:
                self.limb(self.plan.names[index], "torso", ARM if self.plan.wrist else ARM[:4], sign, first)
        if self.plan.arms:
            self.joint("neck", "torso", "head", (0.0, 0.0, 1.0), (0.0, 0.0, 0.32), root=first)
            self.body("head", 1.0, HEAD)
        return Character("small", tuple(self.bodies), tuple(self.joints))

    def leg(self) -> tuple[tuple[str, tuple[float, ...], tuple[float, ...]], ...]:
        chain = LEG
        if self.plan.coupled_knee:
            chain = (*LEG[:4], ("second_knee", (0.0, 1.0, 0.0), (0.0, 0.0, -0.02)), *LEG[4:])
        return (*chain, ("toes", (0.0, 1.0, 0.0), (0.14, 0.0, -0.03))) if self.plan.toes else chain

    def limb(self, side: str, base: str, chain: tuple, sign: float, root: str) -> None:  # type: ignore[type-arg]
        above = base
        for name, axis, at in chain:
            body = f"{side}_{name}_link"
            mirrored = (at[0], sign * at[1], at[2])
            self.joint(f"{side}_{name}", above, body, axis, mirrored, root=root)
            hand = HAND if base == "torso" and name == chain[-1][0] else None
            self.body(body, 0.5, self.plan.foot if name == "ankle_roll" else hand)
            above = body
        for finger in range(self.plan.fingers if base == "torso" else 0):
            body = f"{side}_finger_{finger}_link"
            place = (0.02 * finger - 0.02, 0.0, -0.12)
            self.joint(f"{side}_finger_{finger}", above, body, (0.0, 1.0, 0.0), place, root=root)
            self.body(body, 0.02)

    def joint(
        self,
        name: str,
        parent: str,
        child: str,
        axis: tuple[float, ...],
        at: tuple[float, ...],
        *,
        root: str = "",
    ) -> None:
        turn = (1.0, 0.0, 0.0, 0.0)
        place = np.array(at)
        if parent in (root, self.bodies[0].name):
            turn, place = self.turn, quaternions.rotate(self.turn, place)
        side = "" if "knee" not in name or "second" in name else name.removesuffix("_knee")
        if side and self.plan.zero_knee:
            bend = quaternions.quaternion_from_rotation_vector((0.0, self.plan.zero_knee, 0.0))
            turn = tuple(quaternions.multiply(turn, bend).tolist())
        coupling = Coupling(name.replace("second_", "")) if "second_knee" in name else None
        self.joints.append(
            Joint(
                name,
                JointType.REVOLUTE,
                parent,
                child,
                frame_parent=Frame(tuple(place.tolist()), turn),
                axis=axis,  # type: ignore[arg-type]
                stated_limits=LIMITS,
                coupling=coupling,
            )
        )

    def body(self, name: str, mass: float, shape: Shape | None = None) -> None:
        inertia = (1e-2 * mass,) * 3 + (0.0,) * 3
        shapes = () if shape is None else (shape,)
        self.bodies.append(Body(name, mass, (0.0, 0.0, 0.0), inertia, shapes=shapes))
