"""The coupled problem of `trace` in IPOPT: same unknowns, grid, limits and start, with exact derivatives by casadi."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.mechanics.tree.kinematics.packing import SLIDE, TURN, PackedTree, packed_tree
from animato.solvers.timing.arrays import FIXED_DURATION, RELATIVE
from animato.solvers.timing.times import times_kernel
from animato.spatial.basis import basis_matrix
from animato.trace.coupled.point import CoupledModel
from animato.trace.coupled.problem import CoupledProblem, step_columns


@dataclass(frozen=True, eq=False)
class _Robot:
    """The character as the problem sees it, gravity in its unit of time."""

    tree: PackedTree
    root: np.ndarray
    resting: np.ndarray
    coordinate: list[int]
    column: np.ndarray
    torque_row: np.ndarray


def _robot(problem: CoupledProblem) -> _Robot:
    tree, kinematics = packed_tree(problem.character), problem.path.kinematics
    row = np.full(len(tree.dof_names), -1)
    for r, d in enumerate(problem.torque_dofs):
        row[d] = r
    return _Robot(
        tree.arrays._replace(gravity=problem.arrays.gravity),
        np.concatenate([tree.root_rest.position, tree.root_rest.quaternion_wxyz]),
        kinematics.chains.resting,
        [tree.coordinate_names.index(name) for name in kinematics.names],
        step_columns(tree, kinematics.names),
        row,
    )


@dataclass(frozen=True, eq=False)
class PeerCoupled:
    """What IPOPT found.

    Attributes:
        control_points: [c, n].
        b: In the problem's unit of time, [N + 1].
        objective: The same objective.
        seconds: Of its solve alone; the problem and its derivatives are built before.
        cpu_seconds: The same as time of the processor.
        iterations: Its steps.
        solved: Whether it says that it is done.
    """

    control_points: np.ndarray
    b: np.ndarray
    objective: float
    seconds: float
    cpu_seconds: float
    iterations: int
    solved: bool


def solve_coupled_in_ipopt(
    problem: CoupledProblem,
    start_points: np.ndarray,
    start_b: np.ndarray,
    *,
    tolerance: float = 1e-8,
    lifted_path: bool = True,
) -> PeerCoupled:
    """From one start; arguments as of `PeerSolver`."""
    return PeerSolver(problem, tolerance=tolerance, lifted_path=lifted_path).solve(start_points, start_b)


class PeerSolver:
    """The problem written down once, to be solved from any start.

    Times, and if wanted the path at all places, are unknowns of their own: matrices are sparse, second derivatives
    cheap. The objective is that of the first start's size, so that the first barrier of IPOPT, 0.1, is neither too hot
    nor too cool for drawings of any size.
    """

    def __init__(
        self, problem: CoupledProblem, *, tolerance: float = 1e-8, lifted_path: bool = True, seconds: float = 120.0
    ) -> None:
        """Writes it down.

        Args:
            problem: The problem.
            tolerance: Of IPOPT.
            lifted_path: Whether the path at all places is unknown, beside the control points.
            seconds: Of the processor, at most, for one solve.
        """
        import casadi as ca

        self.problem, p = problem, problem.arrays
        c, n = problem.start_points.shape
        count, self.moving = len(p.timing.widths), np.flatnonzero(p.timing.moves)
        chosen = np.zeros((count + 1, len(self.moving)))
        chosen[self.moving, np.arange(len(self.moving))] = 1.0
        flat, unknown, times = ca.MX.sym("P", c * n), ca.MX.sym("b", len(self.moving)), ca.MX.sym("t", 2 * count)
        points = ca.reshape(flat, n, c).T
        b = ca.sparsify(ca.DM(chosen)) @ unknown
        grid_rows = [basis_matrix(problem.path.knots, problem.grid, derivative=d).toarray() for d in range(3)]
        self.path_rows = (*grid_rows, basis_matrix(problem.path.knots, problem.path.places).toarray())
        path_at = [ca.sparsify(ca.DM(rows)) @ points for rows in self.path_rows]
        extra = [ca.MX.sym(f"q{d}", len(rows), n) for d, rows in enumerate(self.path_rows)] if lifted_path else []
        self.lifted, path = lifted_path, extra or path_at
        self.scale = 1.0 / max(_start_cost(problem), 1e-300)
        objective = self.scale * (_path_cost(ca, problem, points, path[3]) + _timing_cost(ca, problem, times))
        equations = _time_equations(ca, problem, b, times)
        equations += [ca.vec(at - through) for at, through in zip(extra, path_at, strict=False)]
        equal = sum(one.numel() for one in equations)
        rows, low, high = _limit_rows(ca, problem, path, b)
        self.low, self.high = np.append(np.zeros(equal), low), np.append(np.zeros(equal), high)
        options: dict[str, Any] = {
            "ipopt.print_level": 0,
            "ipopt.sb": "yes",
            "ipopt.tol": tolerance,
            "ipopt.max_cpu_time": seconds,
            "ipopt.bound_relax_factor": 0.0,
            "print_time": False,
            "show_eval_warnings": False,
        }
        x = ca.vertcat(flat, unknown, times, *(ca.vec(at) for at in extra))
        self.solver = ca.nlpsol(
            "coupled", "ipopt", {"x": x, "f": objective, "g": ca.vertcat(*equations, *rows)}, options
        )

    def solve(self, start_points: np.ndarray, start_b: np.ndarray) -> PeerCoupled:
        """From control points [c, n] and b [N + 1]."""
        problem, p, moving = self.problem, self.problem.arrays, self.moving
        c, n = start_points.shape
        count = len(p.timing.widths)
        guess_times = np.empty((count, 3))
        times_kernel(p.timing, start_b, np.zeros(count), p.waits, np.zeros((count, 2)), guess_times)
        samples = [(rows @ start_points).ravel(order="F") for rows in self.path_rows] if self.lifted else []
        guess = np.concatenate([start_points.ravel(), start_b[moving], guess_times[:, 1:].ravel(), *samples])
        free = np.full(len(guess) - c * n - len(moving), np.inf)
        highest = np.where(p.lock[moving] > 0.0, 1.0 / np.where(p.lock[moving] > 0.0, p.lock[moving], 1.0), np.inf)
        begin, cpu = time.perf_counter(), time.process_time()
        answer = self.solver(
            x0=guess,
            lbx=np.concatenate([problem.path.lower.ravel(), np.full(len(moving), 1e-12), -free]),
            ubx=np.concatenate([problem.path.upper.ravel(), highest, free]),
            lbg=self.low,
            ubg=self.high,
        )
        seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
        found, stats = np.array(answer["x"]).ravel(), self.solver.stats()
        b = np.zeros(count + 1)
        b[moving] = found[c * n : c * n + len(moving)]
        objective = float(answer["f"]) / self.scale
        steps = stats["iter_count"]
        return PeerCoupled(found[: c * n].reshape(c, n), b, objective, seconds, cpu, steps, stats["success"])


def _start_cost(problem: CoupledProblem) -> float:
    model = CoupledModel(problem)
    return model.at(np.concatenate([problem.start_points.ravel(), problem.start_b])).cost


def _time_equations(ca: Any, problem: CoupledProblem, b: Any, times: Any) -> list[Any]:
    """How times follow from b, and the wanted duration."""
    p, t = problem.arrays, problem.arrays.timing
    root, middle = ca.sqrt(b), ca.sqrt(0.5 * (b[:-1] + b[1:]))
    starts = ca.vertcat(0, times[1:-1:2])
    first, second = t.widths / (root[:-1] + middle), t.widths / (root[1:] + middle)
    equations = [times[0::2] - starts - p.waits[:-1] - first, times[1::2] - times[0::2] - second]
    if t.mode == FIXED_DURATION:
        equations.append(times[-1] - t.duration)
    return equations


def _path_cost(ca: Any, problem: CoupledProblem, points: Any, q: Any) -> Any:
    path, robot = problem.path, _robot(problem)
    symbols = ca.SX.sym("q", points.shape[1])
    poses = _poses(ca, robot.tree, robot.root, _coordinates(ca, robot, symbols))
    chains = path.kinematics.chains
    targets = []
    for k, step in enumerate(chains.target_step):
        R, o = poses[int(step)]
        turned = R @ chains.local[k]
        targets.append(turned if chains.directional[k] else turned + o)
    place = ca.Function("place", [symbols], [ca.vertcat(*targets)]).map(len(path.places))
    off = place(q.T) - path.targets.T
    total = ca.sum2(ca.DM(path.share).T * (ca.DM(path.weight).T @ off**2))
    away = points - ca.repmat(ca.DM(problem.rest).T, points.shape[0], 1)
    gram = np.zeros((points.shape[0], points.shape[0]))
    for r in range(len(gram)):
        for d in range(min(4, r + 1)):
            gram[r, r - d] = gram[r - d, r] = path.gram[r, 3 - d]
    return total + ca.sum1(ca.sum2(away * (ca.sparsify(ca.DM(gram)) @ away)))


def _timing_cost(ca: Any, problem: CoupledProblem, times: Any) -> Any:
    t, waits = problem.arrays.timing, problem.arrays.waits
    starts = ca.vertcat(0, times[1:-1:2]) + waits[:-1]
    scale = times[-1] if t.mode == RELATIVE else 1.0
    total = t.gamma * times[-1]
    for k, when in enumerate((starts, times[0::2], times[1::2])):
        total += ca.sum1(t.weights[:, k] * (when - scale * t.drawn[:, k]) ** 2)
    return total


def _limit_rows(ca: Any, problem: CoupledProblem, samples: Any, b: Any) -> tuple[list[Any], np.ndarray, np.ndarray]:
    """Used shares of all limits, and what they must be between."""
    p = problem.arrays
    q, dq, ddq = (one.T for one in samples[:3])
    across = b.T
    push = (b[1:] - b[:-1]) / (2.0 * p.timing.widths)
    rows, low, high = [], [], []

    def put(shares: Any, least: float) -> None:
        rows.append(ca.vec(shares))
        low.append(np.full(shares.numel(), least))
        high.append(np.ones(shares.numel()))

    has_velocity = np.flatnonzero(p.velocity > 0.0).tolist()
    if has_velocity:
        shares = dq**2 * ca.repmat(ca.DM(p.velocity), 1, len(p.first)) * ca.repmat(across, dq.shape[0], 1)
        put(shares[has_velocity, p.timing.moves.nonzero()[0].tolist()], -np.inf)
    has_acceleration = np.flatnonzero(p.acceleration > 0.0).tolist()
    dynamics = _dynamics(ca, problem, dq.shape[0]).map(len(p.first))
    a, d, c = dynamics(q, dq, ddq)
    for end in (slice(0, -1), slice(1, None)):
        here = across[:, end]
        if has_acceleration:
            there = ca.repmat(push.T, dq.shape[0], 1), ca.repmat(here, dq.shape[0], 1)
            put(((dq[:, end] * there[0] + ddq[:, end] * there[1]) * p.acceleration)[has_acceleration, :], -1.0)
        if len(p.torque):
            dofs = p.row_dof.tolist()
            there = ca.repmat(push.T, len(dofs), 1), ca.repmat(here, len(dofs), 1)
            torque = a[dofs, end] * there[0] + d[dofs, end] * there[1] + c[dofs, end]
            if np.any(p.drag > 0.0):
                columns = np.maximum(p.dof_column[p.row_dof], 0).tolist()
                torque += p.drag * dq[columns, end] * ca.sqrt(there[1])
            put(torque * p.torque, -1.0)
    return rows, np.concatenate(low), np.concatenate(high)


def _coordinates(ca: Any, robot: _Robot, q: Any) -> Any:
    full = ca.SX(ca.DM(robot.resting))
    for k, at in enumerate(robot.coordinate):
        full[at] = q[k]
    return full


def _poses(ca: Any, tree: PackedTree, root: np.ndarray, q: Any) -> list[tuple[Any, Any]]:
    """Rotation and position of every step in the world; balls stay as they are at rest."""
    from scipy.spatial.transform import Rotation

    poses: list[tuple[Any, Any]] = []
    for s, kind in enumerate(tree.kind):
        R, o = ca.SX(ca.DM(tree.rotation[s])), ca.SX(ca.DM(tree.position[s]))
        if tree.parent[s] < 0 and kind not in (TURN, SLIDE):
            R = R if kind == 0 else ca.SX(ca.DM(Rotation.from_quat(root[[4, 5, 6, 3]]).as_matrix()))
            o = o if kind == 0 else ca.SX(ca.DM(root[:3]))
        elif kind in (TURN, SLIDE):
            at = tree.scale[s] * q[int(tree.coordinate[s])] + tree.offset[s]
            if kind == TURN:
                turn = ca.vertcat(
                    ca.horzcat(ca.cos(at), -ca.sin(at), 0), ca.horzcat(ca.sin(at), ca.cos(at), 0), ca.DM([[0, 0, 1]])
                )
                R = R @ turn
            else:
                o = o + R[:, 2] * at
        if tree.parent[s] >= 0:
            outer, centre = poses[int(tree.parent[s])]
            R, o = outer @ R, centre + outer @ o
        poses.append((R, o))
    return poses


def _dynamics(ca: Any, problem: CoupledProblem, n: int) -> Any:
    """Coefficients a, d, c of the torques as a function of q, q', q''."""
    robot = _robot(problem)
    q, v, a = (ca.SX.sym(name, n) for name in ("q", "v", "a"))
    poses = _poses(ca, robot.tree, robot.root, _coordinates(ca, robot, q))
    zero, none = ca.SX.zeros(n), ca.SX.zeros(3)
    gravity = ca.SX(ca.DM(robot.tree.gravity))
    outs = [
        _torques(ca, problem, robot, poses, zero, v, none),
        _torques(ca, problem, robot, poses, v, a, none),
        _torques(ca, problem, robot, poses, zero, zero, gravity),
    ]
    return ca.Function("dynamics", [q, v, a], outs)


def _torques(
    ca: Any, problem: CoupledProblem, robot: _Robot, poses: list[tuple[Any, Any]], v: Any, a: Any, gravity: Any
) -> Any:
    """Newton and Euler's recursion in world axes."""
    p, tree = problem.arrays, robot.tree
    motion: list[tuple[Any, Any, Any]] = []
    for s, kind in enumerate(tree.kind):
        R, o = poses[s]
        above = int(tree.parent[s])
        if above < 0:
            motion.append((ca.SX.zeros(3), ca.SX.zeros(3), -gravity))
            continue
        w, dw, acc = motion[above]
        arm = o - poses[above][1]
        acc = acc + ca.cross(dw, arm) + ca.cross(w, ca.cross(w, arm))
        column = int(robot.column[s])
        if column >= 0:
            axis, rate, push = R[:, 2], tree.scale[s] * v[column], tree.scale[s] * a[column]
            if kind == TURN:
                dw = dw + axis * push + ca.cross(w, axis * rate)
                w = w + axis * rate
            else:
                acc = acc + 2.0 * ca.cross(w, axis * rate) + axis * push
        motion.append((w, dw, acc))
    force = [ca.SX.zeros(3) for _ in poses]
    moment = [ca.SX.zeros(3) for _ in poses]  # about the step's own origin
    tau = ca.SX.zeros(len(p.armature))
    for s in range(len(poses) - 1, 0, -1):
        R, o = poses[s]
        w, dw, acc = motion[s]
        r = R @ tree.centre[s]
        inertia = R @ ca.DM(tree.inertia[s]) @ R.T
        pull = tree.mass[s] * (acc + ca.cross(dw, r) + ca.cross(w, ca.cross(w, r)))
        force[s] = force[s] + pull
        moment[s] = moment[s] + inertia @ dw + ca.cross(w, inertia @ w) + ca.cross(r, pull)
        if tree.kind[s] in (TURN, SLIDE):
            row = int(robot.torque_row[int(tree.dof[s])])
            if row >= 0:
                acting = moment[s] if tree.kind[s] == TURN else force[s]
                tau[row] += tree.scale[s] * ca.dot(R[:, 2], acting)
        above = int(tree.parent[s])
        force[above] = force[above] + force[s]
        moment[above] = moment[above] + moment[s] + ca.cross(o - poses[above][1], force[s])
    for row, column in enumerate(p.dof_column):
        if column >= 0:
            tau[row] += p.armature[row] * a[int(column)]
    return tau
