"""A motion whose time can be bent: s as a smooth function of a running time r, and t as a spline of it.

With s = s(r) known and t = t(r) unknown, both cubic splines over the same pieces of r, every rate of the joints is a
rational function of the first three derivatives of t, and the timing error is a square of t itself. Near a rest s(r)
begins as r^3, as it does under a limit of jerk, so that t' stays well away from 0 there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import vstack
from scipy.sparse.linalg import spsolve

from animato.character import Character
from animato.mechanics.tree import packed_tree
from animato.spatial.basis import basis_matrix, basis_rows, clamped_knots
from animato.trace.path import JointPath
from animato.trace.timing import TimeScaling, path_dynamics

_FINE = 16  # samples a piece for the averages
_APART = 0.4  # of a piece: nodes that are nearer to a knot of the path give way to it


class Rates(NamedTuple):
    """The motion over r at places, and what torques are made of.

    Attributes:
        dq, ddq, dddq: Derivatives of the degrees of freedom with respect to r, [m, n].
        inertia: M dq: torque that a change of the speed takes, [m, n].
        dynamic: M ddq and what centrifugal and Coriolis forces take, [m, n].
        held: Torque at rest [N m or N], [m, n].
        most, least: Largest torque upward and downward in that pose, both positive [N m or N], [m, n].
    """

    dq: np.ndarray
    ddq: np.ndarray
    dddq: np.ndarray
    inertia: np.ndarray
    dynamic: np.ndarray
    held: np.ndarray
    most: np.ndarray
    least: np.ndarray


@dataclass(frozen=True, eq=False)
class Warp:
    """s(r) by its control points.

    Attributes:
        knots: Of r [s], [N + 7].
        points: s at the control points, never falling from 0 to 1, [N + 3].
    """

    knots: np.ndarray
    points: np.ndarray

    @property
    def nodes(self) -> np.ndarray:
        """Where pieces meet [s], [N + 1]."""
        return self.knots[3:-3]

    @property
    def centres(self) -> np.ndarray:
        """Control points of the spline that is r itself [s], [N + 3]."""
        return (self.knots[1:-3] + self.knots[2:-2] + self.knots[3:-1]) / 3.0

    def places(self, inside: np.ndarray) -> np.ndarray:
        """R at shares of every piece [s], [N * k]."""
        return (self.nodes[:-1, None] + np.diff(self.nodes)[:, None] * inside).ravel()

    def s_at(self, r: np.ndarray, derivative: int = 0) -> np.ndarray:
        """s, or a derivative with respect to r."""
        values: np.ndarray = basis_matrix(self.knots, r, derivative=derivative) @ self.points
        return np.clip(values, 0.0, 1.0) if derivative == 0 else values

    def basis(self, r: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """First of the four functions at each place, [m], and their values and three derivatives there, [m, 4, 4]."""
        rows = [basis_rows(self.knots, r, derivative=k) for k in range(4)]
        return rows[0][0], np.stack([values for _, values in rows], axis=1)


def rates_at(character: Character, path: JointPath, warp: Warp, r: np.ndarray, bounds: tuple[str, ...] = ()) -> Rates:
    """Evaluates the chain rule and, in three calls, the dynamics."""
    s, one, two, three = (warp.s_at(r, k)[:, None] for k in range(4))
    flat = np.ascontiguousarray(s[:, 0])
    dynamics = path_dynamics(character, path, flat, bounds)
    third = np.zeros_like(dynamics.dq)
    names = packed_tree(character).dof_names
    third[:, [names.index(name) for name in path.names]] = path.at(flat, 3)
    return Rates(
        dq=dynamics.dq * one,
        ddq=dynamics.dq * two + dynamics.ddq * one**2,
        dddq=dynamics.dq * three + 3.0 * dynamics.ddq * one * two + third * one**3,
        inertia=dynamics.a * one,
        dynamic=dynamics.a * two + dynamics.d * one**2,
        held=dynamics.c,
        most=dynamics.most,
        least=dynamics.least,
    )


def build_warp(scaling: TimeScaling, smoothing: float, pieces: int) -> Warp:
    """The motion of a time scaling with its accelerations smoothed, as a warp.

    The control points are s averaged over a window, so that s(r) never goes back and rests truly where the scaling
    does; rests are made longer by the window for that.

    Args:
        scaling: Switches its accelerations.
        smoothing: The window [s].
        pieces: N.
    """
    waits = np.flatnonzero(scaling.waits > 0.0)
    longer = 2.0 * smoothing
    # the clock of the scaling stands still for a while at the end of each rest
    clock = np.repeat(scaling.times[waits] + scaling.waits[waits], 2)
    clock = np.concatenate([[0.0], clock, [scaling.duration]])
    late = longer * np.repeat(np.arange(len(waits) + 1), 2)
    total = scaling.duration + longer * len(waits) + smoothing
    fine = np.linspace(-smoothing, total, _FINE * pieces + 1)
    s = np.where(fine <= 0.0, 0.0, scaling.s_at(np.interp(fine, clock + late, clock)))
    sums = np.concatenate([[0.0], np.cumsum(0.5 * (s[1:] + s[:-1]) * np.diff(fine))])
    knots = clamped_knots(np.linspace(0.0, total, pieces + 1))
    centres = Warp(knots, knots).centres
    mean = (np.interp(centres, fine, sums) - np.interp(centres - smoothing, fine, sums)) / smoothing
    points = np.maximum.accumulate(np.clip(mean, 0.0, 1.0))
    points[:3], points[-3:] = 0.0, 1.0
    return Warp(knots, points)


def rebased(warp: Warp, t: np.ndarray, knots: np.ndarray, pieces: int) -> Warp:
    """The same motion with pieces that are even in t, and that end where the third derivative of the path jumps.

    Args:
        warp: s(r).
        t: Coefficients of t(r) [s], [N + 3].
        knots: Of the path.
        pieces: About how many.
    """
    fine = np.linspace(0.0, warp.nodes[-1], _FINE * len(t))
    when, s = np.maximum.accumulate(basis_matrix(warp.knots, fine) @ t), np.maximum.accumulate(warp.s_at(fine))
    jumps = np.unique(knots[(knots > 0.0) & (knots < 1.0)])
    jump_times = np.interp(jumps, s, when)
    even = np.linspace(0.0, float(t[-1]), pieces + 1)
    apart = _APART * even[1]
    near = np.abs(even[:, None] - jump_times).min(axis=1, initial=np.inf) < apart
    near[0] = near[-1] = False
    inner = (jump_times > apart) & (jump_times < even[-1] - apart)
    inner[inner] = np.diff(jump_times[inner], prepend=-np.inf) > 0.1 * apart
    nodes = np.concatenate([even[~near], jump_times[inner]])
    values = np.concatenate([np.interp(even[~near], when, s), jumps[inner]])
    order = np.argsort(nodes)
    return _through(nodes[order], np.maximum.accumulate(values[order]))


def _through(nodes: np.ndarray, values: np.ndarray) -> Warp:
    """The warp through values at its nodes, at rest at both ends; never falling."""
    knots = clamped_knots(nodes)
    ends = nodes[[0, -1]]
    matrix = vstack([basis_matrix(knots, nodes), basis_matrix(knots, ends, derivative=1)]).tocsc()
    points = np.maximum.accumulate(np.clip(spsolve(matrix, np.append(values, [0.0, 0.0])), 0.0, 1.0))
    points[:3], points[-3:] = 0.0, 1.0
    return Warp(knots, points)
