"""The kickbot: a small humanoid with 14 motors that stands on its left foot and kicks with the right one.

Counts as in Maloisel et al. (2023), Table 5: 37 components, 14 motors, 20 ball joints and 2 hinges that a design sets.
"""

from __future__ import annotations

import numpy as np
from mechanism_sketch import DARK, WHITE, Hinge, Sketch, block, disc, egg, limb, mirrored

import animato as an

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
COAT, SKIN = (0.95, 0.62, 0.22), (0.16, 0.52, 0.55)

SOLE, ANKLE, KNEE, HIP = (0.0, 0.06, 0.02), (0.0, 0.06, 0.075), (0.02, 0.06, 0.275), (0.0, 0.06, 0.47)
SHOULDER, ELBOW, WRIST = (0.0, 0.125, 0.70), (0.0, 0.165, 0.575), (0.02, 0.19, 0.45)
NECK, CROWN = (0.0, 0.0, 0.755), (0.0, 0.0, 0.90)


def kickbot() -> an.Character:
    """The character, in the design it starts from: every axis along an axis of the world."""
    sketch = Sketch(
        "kickbot",
        "Humanoid with 14 motors that kicks; a design places their axes (Maloisel et al. 2023)",
        servo="XM540-W150",
        hinge_size=0.078,
    )
    sketch.body("base", (0.0, 0.0, 0.0), 2.0, [disc((0.0, 0.0, 0.008), Z, 0.19, 0.016, DARK)])
    sketch.ground("base")
    torso = [egg((0.0, 0.0, 0.615), (0.058, 0.082, 0.115), COAT), egg((0.0, 0.0, 0.48), (0.05, 0.055, 0.045), SKIN)]
    torso.append(limb((0.0, -0.125, 0.70), (0.0, 0.125, 0.70), 0.019, COAT, short=0.03))
    sketch.body("torso", (0.0, 0.0, 0.47), 1.2, torso)
    head = [egg((0.01, 0.0, 0.835), (0.068, 0.062, 0.072), WHITE)]
    head += [egg((0.066, y, 0.85), (0.012, 0.014, 0.016), DARK) for y in (-0.026, 0.026)]
    sketch.body("head", NECK, 0.3, head)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        _limbs(sketch, side, sign)
    sketch.joint("stand", "spherical", "base", "left_foot", SOLE, role="configurable")
    _leg(sketch, "left", 1.0, up=True)
    _leg(sketch, "right", -1.0, up=False)
    sketch.bend("neck", "torso", "head", NECK, [Hinge(Z), Hinge(Y)])
    for side, sign in (("left", 1.0), ("right", -1.0)):
        sketch.bend(f"{side}_shoulder", "torso", f"{side}_upper_arm", mirrored(SHOULDER, sign), [Hinge(Y)])
        elbow = mirrored(ELBOW, sign)
        upper, lower = f"{side}_upper_arm", f"{side}_forearm"
        sketch.joint(
            f"{side}_elbow", "revolute", upper, lower, elbow, role="configurable", axis=Y, limits=(-140.0, 5.0)
        )
    return sketch.character()


def _limbs(sketch: Sketch, side: str, sign: float) -> None:
    """Feet, shins, thighs and arms of one side."""
    sole, ankle, knee, hip, shoulder, elbow, wrist = (
        mirrored(point, sign) for point in (SOLE, ANKLE, KNEE, HIP, SHOULDER, ELBOW, WRIST)
    )
    foot = [
        block(np.add(sole, (0.025, 0.0, 0.012)), (0.15, 0.07, 0.024), DARK),
        limb(np.add(sole, (0.0, 0.0, 0.02)), ankle, 0.016, DARK),
    ]
    sketch.body(f"{side}_foot", sole, 0.15, foot)
    sketch.body(f"{side}_shin", ankle, 0.25, [limb(ankle, knee, 0.022, SKIN, short=0.03)])
    sketch.body(f"{side}_thigh", knee, 0.35, [limb(knee, hip, 0.027, COAT, short=0.035)])
    sketch.body(f"{side}_upper_arm", shoulder, 0.15, [limb(shoulder, elbow, 0.019, COAT, short=0.03)])
    hand = egg(wrist, (0.026, 0.02, 0.032), WHITE)
    sketch.body(f"{side}_forearm", elbow, 0.15, [limb(elbow, wrist, 0.016, SKIN, short=0.01), hand])
    sketch.marker(f"{side}_hand", f"{side}_forearm", wrist)
    sketch.marker(f"{side}_toe", f"{side}_foot", sole + np.array((0.09, 0.0, 0.01)))


def _leg(sketch: Sketch, side: str, sign: float, *, up: bool) -> None:
    """Joints of a leg, from the ground up or from the torso down."""
    ankle, knee, hip = (mirrored(point, sign) for point in (ANKLE, KNEE, HIP))
    places = [
        (f"{side}_ankle", f"{side}_foot", f"{side}_shin", ankle),
        (f"{side}_knee", f"{side}_shin", f"{side}_thigh", knee),
        (f"{side}_hip", f"{side}_thigh", "torso", hip),
    ]
    for name, low, high, at in places if up else reversed(places):
        parent, child = (low, high) if up else (high, low)
        if name.endswith("knee"):
            sketch.hinge(name, parent, child, at, Hinge(Y))
        else:
            sketch.bend(name, parent, child, at, [Hinge(Y), Hinge(X)])


if __name__ == "__main__":
    an.save("src/animato/library/characters/kickbot.yaml", kickbot())
