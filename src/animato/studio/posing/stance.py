"""Where a character stands at one moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Closed:
    """Where the bodies of a mechanism are, its loops closed.

    Attributes:
        state: Position and quaternion of each body, one after the other, shape [state].
        slope: How it changes with the controls, shape [state, control].
        side: On which side of singular poses it is: the sign of the constraints' determinant.
        beyond: By how much passive joints are beyond their limits, at most [rad or m].
    """

    state: np.ndarray
    slope: np.ndarray
    side: float
    beyond: float


@dataclass(frozen=True, eq=False)
class Stance:
    """One pose. It never changes; a move makes another one.

    Attributes:
        coordinates: All of the character, in its order [rad or m; quaternion components], shape [coordinate].
        root: x, y, z [m] and qw, qx, qy, qz of the root body in the world, shape [7].
        closed: Where closed loops were solved; None for characters that are trees.
    """

    coordinates: np.ndarray
    root: np.ndarray
    closed: Closed | None = None
