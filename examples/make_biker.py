"""The biker: a figure on a fixed bicycle.

One motor turns the crank, which moves the legs; one turns the handlebar, which moves arms and torso. Counts as in
Maloisel et al. (2023), Table 5: 40 components, 15 hinges, 3 ball joints, 2 motors and 23 ball joints that a design
sets. Four loops: each leg between crank and pelvis, each arm between handlebar and chest.
"""

from __future__ import annotations

import numpy as np
from mechanism_sketch import DARK, GREEN, GREY, RED, WHITE, Hinge, Sketch, block, disc, egg, limb, mirrored

import animato as an

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
JERSEY, SHORTS, SKIN, FRAME = (0.90, 0.36, 0.28), (0.16, 0.20, 0.32), (0.91, 0.72, 0.56), (0.16, 0.52, 0.55)

BRACKET, CRANK = np.array((0.0, 0.0, 0.135)), 0.042
PEDAL_SIDE, ANKLE_OVER = 0.062, np.array((-0.030, 0.0, 0.034))
SEAT, HIP_SIDE, HIP = np.array((-0.10, 0.0, 0.345)), 0.045, np.array((-0.088, 0.0, 0.365))
SHIN, THIGH = 0.158, 0.172
WAIST, SHOULDER = (-0.085, 0.0, 0.40), (0.005, 0.075, 0.545)
HEAD_TUBE, STEERING, GRIP = np.array((0.165, 0.0, 0.34)), (-0.32, 0.0, 1.0), (0.135, 0.115, 0.425)
ELBOW = (0.060, 0.135, 0.455)

# Of grip, elbow and twice the shoulder. Not a mirror image: the torso rolls farther to one side than to the other.
LEFT_AXES = ((-0.87, -0.07, -0.5), (0.76, -0.52, -0.39), (0.3, -0.32, -0.9), (0.96, -0.26, 0.12))
RIGHT_AXES = ((0.86, -0.5, 0.13), (-0.71, -0.46, 0.53), (-0.16, -0.02, 0.99), (-0.95, -0.03, -0.31))


def biker() -> an.Character:
    """The character, in the design it starts from."""
    sketch = Sketch(
        "biker",
        "Figure on a bicycle, two motors, four loops; a design sets the axes of its hinges (Maloisel et al. 2023)",
        servo="XL430-W250",
        hinge_size=0.036,
    )
    _bicycle(sketch)
    pelvis = [egg(np.add(HIP, (0.0, 0.0, 0.008)), (0.042, 0.05, 0.032), SHORTS), egg(SEAT, (0.012,) * 3, GREEN)]
    sketch.body("pelvis", SEAT, 0.2, pelvis)
    low, high = np.array(WAIST), np.array((0.0, 0.0, 0.55))
    chest = [
        limb(low, high, 0.04, JERSEY, short=0.035),
        limb((0.005, -0.075, 0.545), (0.005, 0.075, 0.545), 0.02, JERSEY, short=0.02),
    ]
    chest += [
        egg((0.045, 0.0, 0.625), (0.038, 0.034, 0.042), SKIN),
        egg((0.032, 0.0, 0.648), (0.052, 0.040, 0.032), WHITE, pitch=-12.0),
    ]
    chest += [limb(high, (0.035, 0.0, 0.60), 0.016, SKIN)]
    sketch.body("chest", low, 0.4, chest)
    sketch.joint("seat", "spherical", "frame", "pelvis", SEAT)
    sketch.bend("waist", "pelvis", "chest", low, [Hinge(Y, motor=False)], last=False)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        _leg(sketch, side, sign)
        _arm(sketch, side, sign)
    return sketch.character()


def _bicycle(sketch: Sketch) -> None:
    frame = [block((0.03, 0.0, -0.005), (0.62, 0.16, 0.012), DARK)]
    for x in (-0.19, 0.26):
        frame += [disc((x, 0.0, 0.135), Y, 0.125, 0.012, DARK), disc((x, 0.0, 0.135), Y, 0.105, 0.016, GREY)]
        frame += [disc((x, 0.0, 0.135), Y, 0.018, 0.03, FRAME)]
    seat_top, head = np.add(SEAT, (0.0, 0.0, -0.03)), HEAD_TUBE
    for a, b in (
        (BRACKET, seat_top),
        (BRACKET, head),
        (seat_top, head),
        (BRACKET, (-0.19, 0.0, 0.135)),
        (head, (0.26, 0.0, 0.135)),
    ):
        frame.append(limb(a, b, 0.009, FRAME))
    frame += [egg(np.add(seat_top, (0.0, 0.0, 0.012)), (0.055, 0.03, 0.014), DARK)]
    sketch.body("frame", (0.0, 0.0, 0.0), 2.0, frame)
    sketch.ground("frame")
    crank = [disc(BRACKET, Y, 0.028, 0.01, GREY)]
    for sign in (1.0, -1.0):
        pedal = _pedal(sign)
        arm = np.add(BRACKET, (0.0, sign * 0.03, 0.0))
        crank += [
            limb(arm, (pedal[0], arm[1], pedal[2]), 0.006, RED),
            limb((pedal[0], arm[1], pedal[2]), pedal, 0.005, RED),
        ]
    sketch.body("crank", BRACKET, 0.15, crank)
    sketch.hinge("pedalling", "frame", "crank", BRACKET, Hinge(Y, lower=-36000.0, upper=36000.0))
    bar = [
        limb(head, np.add(head, (-0.028, 0.0, 0.09)), 0.008, RED),
        limb((GRIP[0], -0.115, 0.425), (GRIP[0], 0.115, 0.425), 0.008, RED),
    ]
    sketch.body("handlebar", HEAD_TUBE, 0.15, bar)
    sketch.hinge("steering", "frame", "handlebar", HEAD_TUBE, Hinge(STEERING, lower=-40.0, upper=40.0))


def _pedal(sign: float) -> np.ndarray:
    """Centre of a pedal at rest: the left one in front, the right one behind."""
    return np.asarray(np.add(BRACKET, (sign * CRANK, sign * PEDAL_SIDE, 0.0)))


def _leg(sketch: Sketch, side: str, sign: float) -> None:
    pedal = _pedal(sign)
    ankle, hip = pedal + ANKLE_OVER, np.add(HIP, (0.0, sign * HIP_SIDE, 0.0))
    knee = np.add(_knee(ankle, hip), (0.0, sign * 0.02, 0.0))
    foot, shin, thigh = f"{side}_foot", f"{side}_shin", f"{side}_thigh"
    sketch.body(
        foot,
        pedal,
        0.05,
        [
            block(np.add(pedal, (0.004, 0.0, 0.008)), (0.085, 0.03, 0.012), WHITE),
            limb(np.add(pedal, (-0.028, 0.0, 0.01)), ankle, 0.009, WHITE),
        ],
    )
    sketch.body(shin, ankle, 0.1, [limb(ankle, knee, 0.013, SKIN, short=0.014)])
    sketch.body(thigh, knee, 0.15, [limb(knee, hip, 0.019, SHORTS, short=0.018), egg(hip, (0.013,) * 3, GREEN)])
    sketch.bend(f"{side}_pedal", "crank", foot, pedal, [Hinge(Y, motor=False)], first=False)
    sketch.bend(f"{side}_ankle", foot, shin, ankle, [Hinge((1.0, 0.0, 0.5), motor=False)])
    sketch.bend(f"{side}_knee", shin, thigh, knee, [Hinge(Y, motor=False)])
    sketch.joint(f"{side}_hip", "spherical", thigh, "pelvis", hip)


def _knee(ankle: np.ndarray, hip: np.ndarray) -> np.ndarray:
    """Where thigh and shin meet in front of the line from ankle to hip, seen from the side."""
    across = hip - ankle
    distance = float(np.hypot(across[0], across[2]))
    along = (SHIN**2 - THIGH**2 + distance**2) / (2.0 * distance)
    forward = np.array((across[2], 0.0, -across[0])) / distance
    return np.asarray(ankle + across * along / distance + forward * np.sqrt(SHIN**2 - along**2))


def _arm(sketch: Sketch, side: str, sign: float) -> None:
    grip, elbow, shoulder = (mirrored(point, sign) for point in (GRIP, ELBOW, SHOULDER))
    forearm, upper = f"{side}_forearm", f"{side}_upper_arm"
    sketch.body(
        forearm, grip, 0.06, [limb(grip, elbow, 0.011, SKIN, short=0.012), egg(grip, (0.016, 0.014, 0.016), SKIN)]
    )
    sketch.body(upper, elbow, 0.08, [limb(elbow, shoulder, 0.014, JERSEY, short=0.016)])
    axes = LEFT_AXES if sign > 0.0 else RIGHT_AXES
    at_grip, at_elbow, *at_shoulder = (Hinge(axis, motor=False) for axis in axes)
    sketch.bend(f"{side}_grip", "handlebar", forearm, grip, [at_grip], first=False)
    sketch.bend(f"{side}_elbow", forearm, upper, elbow, [at_elbow])
    sketch.bend(f"{side}_shoulder", upper, "chest", shoulder, at_shoulder)
    sketch.marker(f"{side}_elbow", upper, elbow)


if __name__ == "__main__":
    an.save("src/animato/library/characters/biker.yaml", biker())
