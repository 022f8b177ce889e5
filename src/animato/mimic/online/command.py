"""What the robot is to do at one moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Command:
    """A pose to be sent to the robot.

    Attributes:
        time_s: Moment of the stream whose pose this is, `Loop.delay_s` before the one that was given [s].
        positions: Coordinates, in the order of `Loop.coordinate_names` [rad or m], [coordinate].
        base_position: Of the root body in the world [m], [3].
        base_quaternion_wxyz: Its orientation, [4].
        contacts: Which parts of the feet stand, in the order of `Loop.parts`.
        flags: What was not as it should be, each a few words; empty where all is well. "starting" means that the
            stream is not yet long enough, and that the pose is a guess of where the motion will begin.
    """

    time_s: float
    positions: np.ndarray
    base_position: np.ndarray
    base_quaternion_wxyz: np.ndarray
    contacts: tuple[bool, ...]
    flags: tuple[str, ...] = ()
