"""Rigs and lines for tests of the stage."""

from __future__ import annotations

import numpy as np

from animato.character import Bus, BusKind, Scale, Wire
from animato.stage.lines import Slot
from animato.stage.rig import Rig

PER_RADIAN = 4096.0 / (2.0 * np.pi)

LAMP_SERVOS = """animato: 1
buses: {arm: {kind: dynamixel, baud: 1000000}}
servos:
  turn: {bus: arm, id: 1, zero: 2048}
  shoulder: {bus: arm, id: 2, zero: 2048}
  elbow: {bus: arm, id: 3, zero: 1500}
  nod: {bus: arm, id: 4, zero: 2048, sign: -1}
  tilt: {bus: arm, id: 5, zero: 2048}
"""


def rig_of_two(speed: float = 3.0, acceleration: float = 20.0, port: str = "") -> Rig:
    """Two servos that reach 2 rad to both sides, on one bus."""
    bus = Bus("arm", BusKind.DYNAMIXEL, port, 1_000_000)
    reach = 2.0 * PER_RADIAN
    most = None if np.isinf(speed) else speed * PER_RADIAN
    slots = tuple(
        Slot(
            Wire(name, "arm", id, zero=2048.0, current=0.9),
            Scale(2048.0, PER_RADIAN, 0.0, 4095.0),
            most,
            2048.0 - reach,
            2048.0 + reach,
        )
        for id, name in enumerate(("left", "right"), start=1)
    )
    side = np.full(2, 2.0)
    return Rig(("left", "right"), (bus,), slots, ((0, 1),), -side, side, np.full(2, speed), np.full(2, acceleration))
