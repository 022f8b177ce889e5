"""Characters whose arms can meet."""

from __future__ import annotations

import numpy as np

from animato.character import Body, Capsule, Character, EndPoint, Frame, Joint, JointType, Limits, Shape
from animato.motion import Clip

RATE = 50.0


def two_arms(velocity: float = 6.0, acceleration: float = 80.0) -> Character:
    """Two arms of three joints each, side by side; their hands can meet."""
    limits = (Limits(lower=-2.5, upper=2.5, velocity=velocity, acceleration=acceleration, torque=50.0),)
    bodies, joints = [Body("base", mass=1.0)], [Joint("ground", JointType.GROUND, "world", "base")]
    for side, y in (("left", 0.2), ("right", -0.2)):
        yoke, upper, hand = f"{side}_yoke", f"{side}_upper", f"{side}_hand"
        bodies += [_link(yoke, 0.02, 0.02), _link(upper, 0.22, 0.02), _link(hand, 0.22, 0.025)]
        for name, parent, child, axis, place in (
            ("pan", "base", yoke, (0.0, 1.0, 0.0), (0.0, y, 0.0)),
            ("roll", yoke, upper, (1.0, 0.0, 0.0), (0.0, 0.0, 0.02)),
            ("elbow", upper, hand, (1.0, 0.0, 0.0), (0.0, 0.0, 0.24)),
        ):
            own = {"axis": axis, "frame_parent": Frame(place), "stated_limits": limits}
            joints.append(Joint(f"{side}_{name}", JointType.REVOLUTE, parent, child, **own))  # type: ignore[arg-type]
    tips = tuple(EndPoint(f"{side}_tip", f"{side}_hand", Frame((0.0, 0.0, 0.22))) for side in ("left", "right"))
    return Character("two_arms", tuple(bodies), tuple(joints), end_points=tips)


def _link(name: str, length: float, radius: float) -> Body:
    middle = (0.0, 0.0, length / 2.0)
    shapes = (Shape(Capsule(radius, length), Frame(middle)),)
    return Body(name, mass=0.3, centre=middle, inertia=(1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0), shapes=shapes)


def moved(character: Character, seconds: float = 3.0, **columns: object) -> Clip:
    """A clip with curves of some coordinates over the share of its time, 0 for the others."""
    share = np.linspace(0.0, 1.0, round(seconds * RATE) + 1)
    positions = np.zeros((len(share), len(character.coordinate_names)))
    for name, curve in columns.items():
        value = np.asarray(curve(share) if callable(curve) else curve, dtype=np.float64)
        positions[:, character.coordinate_names.index(name)] = value
    return Clip(seconds * share, character.coordinate_names, positions)


def hands_meet(character: Character, far: float = 0.75) -> Clip:
    """Both hands go to the middle, each where the other is, and back."""
    return moved(
        character,
        left_roll=lambda s: far * np.sin(np.pi * s) ** 2,
        right_roll=lambda s: -far * np.sin(np.pi * s) ** 2,
    )


def hand_passes(character: Character, far: float = 0.6) -> Clip:
    """The left hand goes from before the right one to behind it, right through it."""
    return moved(character, left_roll=0.7, right_roll=-0.7, left_pan=lambda s: far * np.cos(np.pi * s))
