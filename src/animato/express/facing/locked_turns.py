"""Joints that cannot move, for chains that turn in fewer than three ways: with them they have corners like all others.

Neighbours with parallel axes turn the end-point in one and the same way. A chain such as z y y turns it in two ways, a
planar arm in one, and what they can face is a surface or a curve among all orientations. No three of their joints face
a target in closed form (see `vertices`); two of them do, or one, and the missing ones are added here behind the
end-point, about axes of their own, with limits 0 to 0. The closed form then gives the angle that the locked joint would
need: 0 where the target can be faced, and where it cannot, how much it is missed by.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.express.facing.packed_turns import PackedTurns

_PARALLEL = 1e-3  # sine below which two axes count as parallel; numbers in files are rounded
_WAYS = 3  # in which a chain must turn to have corners


def ways_of_turning(turns: PackedTurns) -> np.ndarray:
    """Which way each joint turns, counted from the first: neighbours with parallel axes turn the same way.

    Args:
        turns: Of a chain.

    Returns:
        0, 1, ... along the chain, [m].
    """
    apart = np.linalg.norm(np.cross(turns.axis[:-1], turns.axis[1:]), axis=1) > _PARALLEL
    return np.cumsum(np.insert(apart.astype(np.int64), 0, 0)) if len(turns.axis) else np.zeros(0, np.int64)


def with_locked_turns(turns: PackedTurns) -> PackedTurns:
    """The same turns with as many locked joints behind them as it takes to turn in three ways; often none.

    Args:
        turns: Of a chain, the roll joint included.
    """
    ways = ways_of_turning(turns)
    missing = _WAYS - (int(ways[-1]) + 1 if len(ways) else 0)
    if missing <= 0:
        return turns
    axis = turns.axis
    for _ in range(missing):
        axis = np.vstack([axis, _across(axis[-1]) if len(axis) else np.array((0.0, 0.0, 1.0))])
    locked = np.zeros(missing)
    places = np.zeros((missing, 4))
    places[:, :3] = turns.place[len(turns.axis), :3]  # where the eye is
    return replace(
        turns,
        axis=np.ascontiguousarray(axis),
        lower=np.append(turns.lower, locked),
        upper=np.append(turns.upper, locked),
        place=np.insert(turns.place, len(turns.axis), places, axis=0),
    )


def _across(axis: np.ndarray) -> np.ndarray:
    """A unit direction at right angles to an axis."""
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    return np.asarray(across / np.linalg.norm(across))
