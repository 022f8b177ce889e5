"""Peers of the temporal stage: the same problem in IPOPT, minimum time as a cone program in Clarabel, and toppra."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character.character import Character
from animato.mechanics.tree.packing import packed_tree
from animato.mechanics.tree.rnea_kernel import inverse_dynamics_kernel
from animato.solvers.timing.arrays import FIXED_DURATION, RELATIVE, TimingArrays
from animato.solvers.timing.times import times_kernel
from animato.trace.path.joint_path import JointPath
from animato.trace.timing.axis_limits import axis_limits
from animato.trace.timing.path_dynamics import path_states, rest_root


@dataclass(frozen=True, eq=False)
class PeerTiming:
    """What a peer found.

    Attributes:
        b: s'^2 at the grid, [N + 1].
        objective: In the peer's own units.
        seconds: Time of its solve alone, the problem being built before.
        solved: Whether it says that it is done.
    """

    b: np.ndarray
    objective: float
    seconds: float
    solved: bool


def solve_in_ipopt(p: TimingArrays, start: np.ndarray, *, max_seconds: float = 60.0) -> PeerTiming:
    """The same objective, rows and start, with times as unknowns of their own so that all matrices are sparse."""
    import casadi as ca

    count = len(p.widths)
    moving = np.flatnonzero(p.moves)
    unknown = ca.SX.sym("b", len(moving))
    b = ca.SX.zeros(count + 1)
    b[moving.tolist()] = unknown
    t = ca.SX.sym("t", 2 * count)  # middles and ends
    bends = ca.SX.sym("k", count)
    starts = ca.vertcat(0, t[1:-1:2])
    middles, ends = t[0::2], t[1::2]
    middle = ca.sqrt(0.5 * (b[:-1] + b[1:] + bends))
    first = p.widths * _half(ca.sqrt(b[:-1]) + middle, bends)
    second = p.widths * _half(ca.sqrt(b[1:]) + middle, bends)
    scale = ends[-1] if p.mode == RELATIVE else 1.0
    objective = p.gamma * ends[-1]
    for k, when in enumerate((starts, middles, ends)):
        objective += ca.sum1(p.weights[:, k] * (when - scale * p.drawn[:, k]) ** 2)
    segment = np.repeat(np.arange(count), np.diff(p.first_row))
    rows = p.rows[:, 0] * b[segment.tolist()] + p.rows[:, 1] * b[(segment + 1).tolist()]
    rows += p.rows[:, 2] * bends[segment.tolist()]
    low = np.concatenate([np.zeros(2 * count), np.full(len(p.rows), -np.inf)])
    high = np.concatenate([np.zeros(2 * count), p.rows[:, 3]])
    equations = [middles - starts - first, ends - middles - second, rows]
    if p.mode == FIXED_DURATION:
        equations.append(ends[-1] - p.duration)
        low, high = np.append(low, 0.0), np.append(high, 0.0)
    options: dict[str, Any] = {
        "ipopt.print_level": 0,
        "ipopt.sb": "yes",
        "ipopt.max_wall_time": max_seconds,
        "ipopt.bound_relax_factor": 0.0,  # b must not become negative, not even a little
        "print_time": False,
        "show_eval_warnings": False,
    }
    solver = ca.nlpsol(
        "timing", "ipopt", {"x": ca.vertcat(unknown, bends, t), "f": objective, "g": ca.vertcat(*equations)}, options
    )
    times = np.empty((count, 3))
    times_kernel(p, start, np.zeros(count), np.zeros(count + 1), np.zeros((count, 2)), times)
    guess = np.concatenate([start[moving], np.zeros(count), times[:, 1:].ravel()])
    begin = time.perf_counter()
    answer = solver(
        x0=guess,
        lbx=np.concatenate([np.full(len(moving), 1e-12), np.full(count, -np.inf), np.zeros(2 * count)]),
        ubx=np.full(len(guess), np.inf),
        lbg=low,
        ubg=high,
    )
    seconds = time.perf_counter() - begin
    found = np.zeros(count + 1)
    found[moving] = np.array(answer["x"]).ravel()[: len(moving)]
    return PeerTiming(found, float(answer["f"]), seconds, bool(solver.stats()["success"]))


def _half(speeds: Any, bends: Any) -> Any:
    """Time of a half segment over its width: artanh(sqrt y) / sqrt y / speeds as a series, y = -k / 2 / speeds^2."""
    y = -0.5 * bends / speeds**2
    series = 1.0 / 17.0
    for odd in (15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0):
        series = 1.0 / odd + y * series
    return series / speeds


def minimum_time_in_clarabel(p: TimingArrays) -> PeerTiming:
    """The shortest motion under the same rows with s'' constant on segments, as a second-order cone program.

    With c_i <= sqrt b_i and d_i >= 1 / (c_i + c_{i+1}) the time is sum 2 ds d_i (Verscheure et al.: Time-Optimal Path
    Tracking for Robots: A Convex Optimization Approach, 2009).
    """
    import clarabel
    from scipy import sparse

    count = len(p.widths)
    nodes = count + 1
    size = 2 * nodes + count
    segment = np.repeat(np.arange(count), np.diff(p.first_row))
    number = np.arange(len(p.rows))
    rows = sparse.csc_matrix(
        (
            np.concatenate([p.rows[:, 0], p.rows[:, 1]]),
            (np.concatenate([number, number]), np.concatenate([segment, segment + 1])),
        ),
        shape=(len(p.rows), size),
    )
    rest = np.flatnonzero(~p.moves)
    fixed = sparse.csc_matrix((np.ones(len(rest)), (np.arange(len(rest)), rest)), shape=(len(rest), size))
    entries, right = [], []
    row = 0
    for i in range(nodes):  # |(2 c, b - 1)| <= b + 1
        entries += [(row, i, -1.0), (row + 1, nodes + i, -2.0), (row + 2, i, -1.0)]
        right += [1.0, 0.0, -1.0]
        row += 3
    for i in range(count):  # |(2, c0 + c1 - d)| <= c0 + c1 + d
        c0, c1, d = nodes + i, nodes + i + 1, 2 * nodes + i
        entries += [(row, c0, -1.0), (row, c1, -1.0), (row, d, -1.0)]
        entries += [(row + 2, c0, -1.0), (row + 2, c1, -1.0), (row + 2, d, 1.0)]
        right += [0.0, 2.0, 0.0]
        row += 3
    at, column, value = (np.array(part) for part in zip(*entries, strict=True))
    cones = sparse.csc_matrix((value, (at, column)), shape=(row, size))
    A = sparse.vstack([fixed, rows, cones]).tocsc()
    bound = np.concatenate([np.zeros(len(rest)), p.rows[:, 3], right])
    kinds = [clarabel.ZeroConeT(len(rest)), clarabel.NonnegativeConeT(len(p.rows))]
    kinds += [clarabel.SecondOrderConeT(3)] * (nodes + count)
    cost = np.concatenate([np.zeros(2 * nodes), 2.0 * p.widths])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_rel = settings.tol_feas = 1e-9
    solver = clarabel.DefaultSolver(sparse.csc_matrix((size, size)), cost, A, bound, kinds, settings)
    begin = time.perf_counter()
    answer = solver.solve()
    seconds = time.perf_counter() - begin
    b = np.maximum(np.array(answer.x)[:nodes], 0.0)
    return PeerTiming(b, float(answer.obj_val), seconds, str(answer.status) in ("Solved", "AlmostSolved"))


def solve_in_toppra(
    character: Character, path: JointPath, grid: np.ndarray, duration: float | None = None
) -> PeerTiming:
    """The shortest motion, or one of a wanted duration, at the same grid and with the same limits."""
    import toppra
    from toppra import algorithm, constraint

    toppra.setup_logging("ERROR")
    tree, limits = packed_tree(character), axis_limits(character)
    columns = [tree.dof_names.index(name) for name in path.names]
    _, dq, _ = path_states(tree, character, path, grid[:1])
    q = path_states(tree, character, path, grid[:1])[0]
    coordinates = [tree.coordinate_names.index(name) for name in path.names]
    root = rest_root(tree, 1)

    def torques(position: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
        q[0, coordinates] = position
        v, a, tau = np.zeros_like(dq), np.zeros_like(dq), np.zeros_like(dq)
        v[0, columns], a[0, columns] = velocity, acceleration
        inverse_dynamics_kernel(tree.arrays, q, v, a, root, tau)
        return tau[0, columns] + tree.armature[columns] * acceleration

    class Path(toppra.interpolator.AbstractGeometricPath):  # type: ignore[misc]
        def __call__(self, s: np.ndarray, order: int = 0) -> np.ndarray:
            return path.at(s, order)

        @property
        def dof(self) -> int:
            return len(path.names)

        @property
        def path_interval(self) -> np.ndarray:
            return np.array([0.0, 1.0])

        @property
        def waypoints(self) -> None:
            return None

    held = []
    velocity, acceleration = limits.velocity[columns], limits.acceleration[columns]
    if np.all(np.isfinite(velocity)):
        held.append(constraint.JointVelocityConstraint(np.stack([-velocity, velocity], axis=1)))
    if np.all(np.isfinite(acceleration)):
        held.append(constraint.JointAccelerationConstraint(np.stack([-acceleration, acceleration], axis=1)))
    torque = limits.torque[columns]
    if np.all(np.isfinite(torque)):
        held.append(
            constraint.JointTorqueConstraint(torques, np.stack([-torque, torque], axis=1), np.zeros(len(torque)))
        )
    kind = algorithm.TOPPRA if duration is None else algorithm.TOPPRAsd
    instance = kind(held, Path(), gridpoints=grid, solver_wrapper="seidel")
    if duration is not None:
        instance.set_desired_duration(duration)
    begin = time.perf_counter()
    _, speed, _ = instance.compute_parameterization(0.0, 0.0)
    seconds = time.perf_counter() - begin
    if speed is None:
        return PeerTiming(np.full(len(grid), np.nan), np.nan, seconds, False)
    total = float(np.sum(2.0 * np.diff(grid) / (speed[1:] + speed[:-1])))
    return PeerTiming(speed**2, total, seconds, True)
