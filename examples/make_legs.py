"""Legs: a pelvis on two legs of nested loops, 8 motors for 6 degrees of freedom, both feet on the ground.

Counts as in Maloisel et al. (2023), Table 5: 26 components, 14 hinges, 4 universal and 4 ball joints, 8 motors, 2
hinges that are set after the robot is built; 6 redundant constraints, 2 redundant motors. In each leg two motors on
the shin tip the foot through push rods, one on the thigh bends the knee through a parallelogram, and one at the hip
twists the leg. The ring that holds the hip's motor in the pelvis can be turned and clamped.
"""

from __future__ import annotations

import numpy as np
from mechanism_sketch import BLUE, DARK, GREEN, GREY, RED, WHITE, Hinge, Sketch, block, disc, egg, limb, mirrored

import animato as an

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TEAL, SAND = (0.16, 0.52, 0.55), (0.93, 0.73, 0.36)

ANKLE, KNEE, HIP = (0.0, 0.11, 0.085), (0.09, 0.11, 0.42), (0.0, 0.11, 0.75)
LEVER = (-0.075, 0.0, 0.0)  # of the knee's parallelogram: on the motor and behind the knee
MOTOR_UP = 0.72  # share of the way from knee to hip at which the knee's motor sits
PUSH_UP = 0.62  # share of the way from ankle to knee at which the ankle's motors sit
CRANK = (-0.065, 0.0, 0.0)
RODS_APART = 0.055  # of the ankle's rods from the middle of the leg [m]
CANTED = (0.0, 0.82, 0.57)  # axis about which the left thigh swings in the hip
RING = (0.35, 0.0, 1.0)  # axis of the ring that is set by hand, in the pelvis


def legs() -> an.Character:
    """The character, in the design it starts from."""
    sketch = Sketch(
        "legs",
        "Two legs with nested loops, 8 motors for 6 degrees of freedom, hips that can be reset (Maloisel et al. 2023)",
        servo="XM540-W270",
        hinge_size=0.07,
    )
    ground = [block((0.0, 0.0, 0.01), (0.36, 0.46, 0.02), DARK)]
    for y in (-0.11, 0.11):
        ground += [block((0.03, y, 0.035), (0.21, 0.10, 0.03), GREY), block((0.0, y, 0.06), (0.03, 0.05, 0.05), GREY)]
        ground += [block((-0.065, y, 0.055), (0.025, 0.13, 0.02), GREY)]
    sketch.body("base", (0.0, 0.0, 0.0), 6.0, ground)
    sketch.ground("base")
    pelvis = [
        egg((0.0, 0.0, 0.855), (0.075, 0.11, 0.075), TEAL),
        limb((0.02, -0.12, 0.825), (0.02, 0.12, 0.825), 0.034, TEAL),
    ]
    pelvis += [egg((0.06, y, 0.885), (0.02, 0.022, 0.026), WHITE) for y in (-0.04, 0.04)]
    pelvis += [egg((0.076, y, 0.885), (0.008, 0.01, 0.012), DARK) for y in (-0.04, 0.04)]
    sketch.body("pelvis", (0.0, 0.0, 0.75), 4.0, pelvis)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        _leg(sketch, side, sign)
    sketch.marker("front", "pelvis", (0.08, 0.0, 0.86))
    return sketch.character()


def _leg(sketch: Sketch, side: str, sign: float) -> None:
    ankle, knee, hip = (mirrored(point, sign) for point in (ANKLE, KNEE, HIP))
    knee_motor = knee + MOTOR_UP * (hip - knee)
    cross, shin, thigh = f"{side}_ankle_cross", f"{side}_shin", f"{side}_thigh"
    sketch.body(cross, ankle, 0.1)
    sketch.body(shin, ankle, 0.9, [limb(ankle, knee, 0.024, SAND, short=0.035), limb(knee, knee + LEVER, 0.012, SAND)])
    sketch.body(thigh, knee, 1.0, [limb(knee, hip, 0.028, TEAL, short=0.04)])
    sketch.hinge(f"{side}_ankle_roll", "base", cross, ankle, Hinge(X, motor=False))
    sketch.hinge(f"{side}_ankle_pitch", cross, shin, ankle, Hinge(Y, motor=False))
    sketch.hinge(f"{side}_knee", shin, thigh, knee, Hinge(Y, motor=False))
    for place, offset in (("inner", -sign * RODS_APART), ("outer", sign * RODS_APART)):
        _push_rod(sketch, f"{side}_{place}", shin, ankle, knee, offset)
    crank, rod = f"{side}_knee_crank", f"{side}_knee_rod"
    sketch.body(crank, knee_motor, 0.1, [limb(knee_motor, knee_motor + LEVER, 0.011, RED)])
    sketch.body(rod, knee_motor + LEVER, 0.15, [limb(knee_motor + LEVER, knee + LEVER, 0.009, GREY)])
    sketch.hinge(f"{side}_knee_motor", thigh, crank, knee_motor, Hinge(Y, lower=-55.0, upper=55.0))
    sketch.hinge(f"{side}_knee_crank_pin", crank, rod, knee_motor + LEVER, Hinge(Y, motor=False))
    sketch.hinge(f"{side}_knee_rod_pin", rod, shin, knee + LEVER, Hinge(Y, motor=False))
    _hip(sketch, side, thigh, hip)


def _push_rod(sketch: Sketch, name: str, shin: str, ankle: np.ndarray, knee: np.ndarray, offset: float) -> None:
    """A motor on the shin that pulls at the foot behind the ankle."""
    motor = ankle + PUSH_UP * (knee - ankle) + (0.0, offset, 0.0)
    pin = motor + CRANK
    heel = np.array((-0.065, ankle[1] + offset, 0.065))
    sketch.body(f"{name}_crank", motor, 0.08, [limb(motor, pin, 0.01, RED)])
    sketch.body(f"{name}_rod", pin, 0.1, [limb(pin, heel, 0.007, GREY), egg(heel, (0.012,) * 3, GREEN)])
    sketch.hinge(f"{name}_motor", shin, f"{name}_crank", motor, Hinge(Y, lower=-60.0, upper=60.0))
    sketch.joint(f"{name}_pin", "universal", f"{name}_crank", f"{name}_rod", pin, axis=Y, second_axis=X)
    sketch.joint(f"{name}_heel", "spherical", f"{name}_rod", "base", heel)


def _hip(sketch: Sketch, side: str, thigh: str, hip: np.ndarray) -> None:
    """Two axes that follow, the motor that twists, and the ring that is set by hand."""
    fork, cross, ring = f"{side}_hip_fork", f"{side}_hip_cross", f"{side}_hip_ring"
    sketch.body(fork, hip, 0.1)
    sketch.body(cross, hip, 0.1)
    sketch.body(ring, hip, 0.3, [disc(hip + np.array((0.012, 0.0, 0.045)), RING, 0.045, 0.03, BLUE)])
    # Were both of these axes level, they would be one line, about which the pelvis could pitch freely.
    canted = mirrored(CANTED, 1.0 if hip[1] > 0.0 else -1.0)
    sketch.hinge(f"{side}_hip_pitch", thigh, fork, hip, Hinge(canted, motor=False))
    sketch.hinge(f"{side}_hip_roll", fork, cross, hip, Hinge(X, motor=False))
    sketch.hinge(f"{side}_hip_twist", cross, ring, hip, Hinge(Z, lower=-28.0, upper=28.0))
    sketch.joint(
        f"{side}_hip_set", "revolute", ring, "pelvis", hip, role="configurable", axis=RING, limits=(-60.0, 60.0)
    )


if __name__ == "__main__":
    an.save("src/animato/library/characters/legs.yaml", legs())
