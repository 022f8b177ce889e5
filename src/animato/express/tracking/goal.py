"""What is faced at one moment, as the kernels of tracking take it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing import NOWHERE
from animato.kernels.quaternions import Vector


class Goal(NamedTuple):
    """An orientation to face, or a point to look at.

    Attributes:
        aims: What exp(a_1 q_1) ... exp(a_m q_m) should be, wxyz, and the same upside down where that is as good; with
            a point the twist before it is upright, [1 or 2, 4].
        point: To look at [m], or NOWHERE.
        pivot: About which the point is thought to turn: the root of the chain [m].
    """

    aims: np.ndarray
    point: Vector = NOWHERE
    pivot: Vector = (0.0, 0.0, 0.0)
