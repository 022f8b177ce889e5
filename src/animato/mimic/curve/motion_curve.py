"""Motion of a floating robot as a uniform cubic B-spline: control points, states at the knots, clips.

The curve stays in the convex hull of its control points, so what bounds these bounds the motion at every moment: angles
by the control points themselves, velocities by their differences over the time step. Accelerations are straight
between knots, so that what holds at the knots nearly holds between them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.tree import Tree
from animato.mimic.curve.root_kernel import put_root_states
from animato.motion import Clip
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class ControlPoints:
    """One more than knots at each end.

    Attributes:
        places: Of the root in the world [m], [knot + 2, 3].
        turns_wxyz: Of the root, signs continuous, [knot + 2, 4].
        joints: Coordinates of the joints, [knot + 2, coordinate].
    """

    places: np.ndarray
    turns_wxyz: np.ndarray
    joints: np.ndarray

    def moved(self, x: np.ndarray) -> ControlPoints:
        """By unknowns [knot + 2, 6 + coordinate]: places, right-hand turns, and joints."""
        turns = quaternions.multiply(self.turns_wxyz, quaternions.quaternion_from_rotation_vector(x[:, 3:6]))
        return ControlPoints(self.places + x[:, :3], quaternions.continuous(turns), self.joints + x[:, 6:])


@dataclass(frozen=True, eq=False)
class Knots:
    """States at the knots.

    Attributes:
        q: Coordinates, [knot, coordinate].
        v, a: Velocities and accelerations, root first, [knot, dof].
        root: Pose of the root, [knot, 7].
        tangents: How the root's part changes with control points, see `put_root_states`, [knot, 18, 18].
    """

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    root: np.ndarray
    tangents: np.ndarray


def knots_of(controls: ControlPoints, increments: np.ndarray, step: float) -> Knots:
    """States at the knots of a curve.

    Args:
        controls: Of the curve.
        increments: Right-hand turns of the root from the references of its unknowns, [knot + 2, 3].
        step: Between knots [s].
    """
    joints = controls.joints
    count, width = len(joints) - 2, joints.shape[1]
    before, here, after = joints[:-2], joints[1:-1], joints[2:]
    v, a, root = np.empty((count, 6 + width)), np.empty((count, 6 + width)), np.empty((count, 7))
    v[:, 6:] = (after - before) / (2.0 * step)
    a[:, 6:] = (before - 2.0 * here + after) / step**2
    tangents = np.empty((count, 18, 18))
    put_root_states(controls.places, controls.turns_wxyz, np.ascontiguousarray(increments), step, root, v, a, tangents)
    return Knots((before + 4.0 * here + after) / 6.0, v, a, root, tangents)


def controls_through(places: np.ndarray, turns_wxyz: np.ndarray, joints: np.ndarray) -> ControlPoints:
    """The curve whose knots are given poses, [knot, ...]; its ends have no acceleration."""
    turns = quaternions.continuous(turns_wxyz)
    wanted = np.hstack([places, turns, joints])
    solved = np.empty((len(wanted) + 2, wanted.shape[1]))
    solved[1:-1] = _interior(wanted)
    solved[0], solved[-1] = 2.0 * solved[1] - solved[2], 2.0 * solved[-2] - solved[-3]
    return ControlPoints(solved[:, :3].copy(), quaternions.normalized(solved[:, 3:7]), solved[:, 7:].copy())


def _interior(wanted: np.ndarray) -> np.ndarray:
    """Control points (P_- + 4 P_0 + P_+) / 6 = wanted, with the first and the last equal to what is wanted there."""
    from scipy.linalg import solve_banded

    count = len(wanted)
    if count < 3:
        return wanted.copy()
    bands = np.full((3, count), 1.0 / 6.0)
    bands[1] = 4.0 / 6.0
    bands[1, [0, -1]] = 1.0
    bands[0, 1] = bands[2, -2] = 0.0
    return np.asarray(solve_banded((1, 1), bands, wanted))


def sampled_clip(
    tree: Tree, controls: ControlPoints, step: float, rate_hz: float, *, start: float, source: str
) -> Clip:
    """The curve as a clip of so many frames a second, or a few more, so that every knot is a frame.

    A clip is the cubic spline through its frames, and with a frame at every knot that is the curve itself.
    """
    parts = max(1, round(step * rate_hz))
    values = np.hstack([controls.places, controls.turns_wxyz, controls.joints])
    count = len(values) - 2
    frames = (count - 1) * parts + 1
    index, share = np.divmod(np.arange(frames), parts)
    s = (share / parts)[:, None]
    at_end = index == count - 1
    index = np.where(at_end, count - 2, index)
    s = np.where(at_end[:, None], 1.0, s)
    weights = ((1.0 - s) ** 3, 3.0 * s**3 - 6.0 * s**2 + 4.0, -3.0 * s**3 + 3.0 * s**2 + 3.0 * s + 1.0, s**3)
    curve = sum(weight * values[index + k] for k, weight in enumerate(weights)) / 6.0
    times = start + np.arange(frames) * (step / parts)
    return Clip(times, tree.coordinate_names, curve[:, 7:], curve[:, :3], quaternions.normalized(curve[:, 3:7]), source)
