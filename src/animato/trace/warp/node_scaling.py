"""A warp and its t(r) as a time scaling: the same places, speeds and moments at every node."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.spatial.basis import basis_matrix
from animato.trace.timing import TimeScaling
from animato.trace.warp.motion_warp import Warp

_NARROWEST = 1e-10  # of s: nodes that are nearer to each other are one
_LARGEST = 1.0 - 1e-9


def node_scaling(warp: Warp, t: np.ndarray, like: TimeScaling) -> TimeScaling:
    """Squared speeds at the nodes and middles of pieces, and bends with which each segment takes just as long.

    Args:
        warp: s(r).
        t: Coefficients [s], [N + 3].
        like: Has all other attributes.
    """
    nodes = warp.nodes
    r = np.sort(np.concatenate([nodes, 0.5 * (nodes[1:] + nodes[:-1])]))
    s, when = warp.s_at(r), basis_matrix(warp.knots, r) @ t
    speed = np.maximum(warp.s_at(r, 1), 0.0) / (basis_matrix(warp.knots, r, derivative=1) @ t)
    s[0], s[-1] = 0.0, 1.0
    first, last = _runs(s)
    # the first and the last are rests that belong to nothing
    arrival, leaving = when[first], when[last]
    arrival[0] = leaving[0]
    leaving[-1] = arrival[-1]
    begin = arrival[0]
    rest = leaving > arrival
    speed = np.where(rest, 0.0, speed[first])
    speed[0] = speed[-1] = 0.0
    s = s[first]
    s[-1] = 1.0
    sums, lasting = speed[1:] + speed[:-1], arrival[1:] - leaving[:-1]
    y = _inverse_ratio(lasting * sums / (2.0 * np.diff(s)))
    return replace(
        like,
        s=s,
        b=speed**2,
        bends=-0.5 * y * sums**2,
        times=arrival - begin,
        waits=np.where(rest, leaving - arrival, 0.0),
    )


def _runs(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First and last index of every run of nodes at one place."""
    starts = np.flatnonzero(np.concatenate([[True], np.diff(s) > _NARROWEST]))
    return starts, np.append(starts[1:] - 1, len(s) - 1)


def _inverse_ratio(ratio: np.ndarray) -> np.ndarray:
    """Y with artanh(sqrt y) / sqrt y equal to a ratio, arctan for negative y; by bisection, which needs no guess."""
    low, high = np.full(len(ratio), -1e12), np.full(len(ratio), _LARGEST)
    # in z with y = 1 - exp(z) both ends are near: z from ln(1 - y)
    low, high = np.log1p(-high), np.log1p(-low)
    for _ in range(60):
        middle = 0.5 * (low + high)
        larger = _ratio(-np.expm1(middle)) > ratio
        low, high = np.where(larger, middle, low), np.where(larger, high, middle)
    return -np.expm1(0.5 * (low + high))


def _ratio(y: np.ndarray) -> np.ndarray:
    z = np.sqrt(np.maximum(np.abs(y), 1e-12))
    with np.errstate(invalid="ignore"):
        return np.where(y > 0.0, np.arctanh(np.minimum(z, 1.0 - 1e-15)), np.arctan(z)) / z
