"""The bear: an animatronic figure that stands on three limbs and swipes with its right forepaw.

Counts as in Maloisel et al. (2023), Table 5: 53 components, 9 hinges, 12 motors and 33 ball joints that a design sets.
Each limb has one motor at every joint of the animator's rig. A limb that stands has three more hinges, which gives it
the six degrees of freedom that the body asks for: 9 motors for the body's 6, 3 for the free arm.
"""

from __future__ import annotations

import numpy as np
from mechanism_sketch import DARK, Hinge, Sketch, disc, egg, limb, mirrored

import animato as an

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
FUR, LIGHT, NOSE = (0.50, 0.33, 0.22), (0.72, 0.53, 0.36), (0.12, 0.10, 0.10)

HIND = ((-0.26, 0.13, 0.055), (-0.16, 0.13, 0.22), (-0.24, 0.12, 0.40))  # ankle, knee, hip
FORE = ((0.25, 0.13, 0.055), (0.18, 0.14, 0.23), (0.24, 0.12, 0.42))  # wrist, elbow, shoulder
REACH = ((0.36, -0.14, 0.17), (0.19, -0.16, 0.25), (0.24, -0.12, 0.42))  # the same of the free arm


def bear() -> an.Character:
    """The character, in the design it starts from: every axis along an axis of the world."""
    sketch = Sketch(
        "bear",
        "Bear on three limbs that swipes with the fourth, 12 motors, 9 degrees of freedom (Maloisel et al. 2023)",
        servo="XM540-W150",
        hinge_size=0.085,
    )
    ground = [disc((0.02, 0.0, 0.01), Z, 0.44, 0.02, (0.36, 0.45, 0.33))]
    for ankle in (HIND[0], mirrored(HIND[0], -1.0), FORE[0]):
        ground += [egg(np.add(ankle, (0.03, 0.0, -0.022)), (0.075, 0.05, 0.025), FUR)]
    sketch.body("base", (0.0, 0.0, 0.0), 10.0, ground)
    sketch.ground("base")
    body = [
        egg((-0.02, 0.0, 0.47), (0.31, 0.135, 0.14), FUR, pitch=-4.0),
        egg((0.36, 0.0, 0.55), (0.11, 0.10, 0.10), FUR),
    ]
    body += [egg((0.46, 0.0, 0.525), (0.06, 0.05, 0.045), LIGHT), egg((0.515, 0.0, 0.54), (0.018, 0.022, 0.016), NOSE)]
    body += [egg((0.34, y, 0.645), (0.02, 0.035, 0.035), FUR) for y in (-0.075, 0.075)]
    body += [egg((0.445, y, 0.585), (0.011, 0.013, 0.014), NOSE) for y in (-0.045, 0.045)]
    body += [egg((-0.33, 0.0, 0.50), (0.035, 0.03, 0.03), FUR)]
    sketch.body("body", (0.0, 0.0, 0.42), 5.0, body)
    _standing(sketch, "hind_left", HIND, 1.0, ("ankle", "knee", "hip"))
    _standing(sketch, "hind_right", HIND, -1.0, ("ankle", "knee", "hip"))
    _standing(sketch, "fore_left", FORE, 1.0, ("wrist", "elbow", "shoulder"))
    _free(sketch)
    return sketch.character()


def _standing(sketch: Sketch, name: str, points: tuple, side: float, places: tuple[str, str, str]) -> None:  # type: ignore[type-arg]
    low, middle, high = (mirrored(point, side) for point in points)
    lower, upper = f"{name}_lower", f"{name}_upper"
    sketch.body(lower, low, 0.5, [limb(low, middle, 0.04, FUR, short=0.045)])
    sketch.body(upper, middle, 0.8, [limb(middle, high, 0.05, FUR, short=0.055)])
    sketch.bend(f"{name}_{places[0]}", "base", lower, low, [Hinge(Y), Hinge(X, motor=False)])
    sketch.bend(f"{name}_{places[1]}", lower, upper, middle, [Hinge(Y)])
    following = [Hinge(Y, motor=False), Hinge(Z, motor=False)]
    sketch.bend(f"{name}_{places[2]}", upper, "body", high, [Hinge(X), *following])


def _free(sketch: Sketch) -> None:
    wrist, elbow, shoulder = (np.array(point) for point in REACH)
    sketch.body("fore_right_upper", shoulder, 0.6, [limb(shoulder, elbow, 0.048, FUR, short=0.055)])
    sketch.body("fore_right_lower", elbow, 0.4, [limb(elbow, wrist, 0.038, FUR, short=0.045)])
    centre = np.add(wrist, (0.035, 0.0, -0.03))
    paw = [egg(centre, (0.055, 0.05, 0.04), LIGHT, pitch=30.0)]
    for y in (-0.03, 0.0, 0.03):
        paw.append(limb(np.add(centre, (0.035, y, -0.012)), np.add(centre, (0.062, y, -0.045)), 0.006, DARK))
    sketch.body("paw", wrist, 0.2, paw)
    sketch.bend("fore_right_shoulder", "body", "fore_right_upper", shoulder, [Hinge(Y)])
    sketch.bend("fore_right_elbow", "fore_right_upper", "fore_right_lower", elbow, [Hinge(Y)])
    sketch.bend("fore_right_wrist", "fore_right_lower", "paw", wrist, [Hinge(Y)])
    sketch.marker("claws", "paw", np.add(centre, (0.062, 0.0, -0.045)))
    sketch.marker("nose", "body", (0.53, 0.0, 0.54))


if __name__ == "__main__":
    an.save("src/animato/library/characters/bear.yaml", bear())
