"""The two steps of the published method in IPOPT, with exact second derivatives by casadi.

The inner fit is lifted: configurations are unknowns beside the markers, and the gradient of the fit is an equality. So
neither the nested fit nor its derivatives are shared, nor finite differences, ZMP or kinematics.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, factorial
from typing import Any

import numpy as np

from animato.mechanics.tree import SLIDE, TURN
from animato.mimic.mesh import ANCHOR, Link, MeshSequence, meshes_of
from animato.mimic.published import Postures, PublishedProblem, PublishedResult
from animato.mimic.published.fitting import BARRIER, HELD_WEIGHT
from animato.mimic.published.result import joint_ranges
from animato.spatial import quaternions

_TERMS = 14  # of series in squares of angles, which have no corner at 0
OPTIONS: dict[str, Any] = {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False, "ipopt.tol": 1e-10}
NEAR: dict[str, Any] = {"ipopt.mu_init": 1e-6, "ipopt.bound_push": 1e-8, "ipopt.bound_frac": 1e-8}
"""Stays near its start, where a first barrier would lead joints away from limits and the fit to another minimum."""


@dataclass(frozen=True, eq=False)
class PeerMarkers:
    """What IPOPT found.

    Attributes:
        positions: Markers [m], [frame, marker, 3].
        objective: The cost [m^2].
        solved: Whether it says that it is done.
    """

    positions: np.ndarray
    objective: float
    solved: bool


def presolve_in_ipopt(
    meshes: MeshSequence, links: tuple[Link, ...], held: np.ndarray, start: np.ndarray, alpha: float
) -> PeerMarkers:
    """The first step, from the same start."""
    import casadi as ca

    V = ca.MX.sym("V", start.size)
    rows = _link_rows(ca, V, links, held)
    program: Any = {"x": V, "f": _cost(ca, V, meshes, alpha), "g": rows}
    solver = ca.nlpsol("first", "ipopt", program, OPTIONS)
    lower, upper = (np.where(np.isfinite(held), held, bound).ravel() for bound in (-np.inf, np.inf))
    answer = solver(x0=start.ravel(), lbx=lower, ubx=upper, lbg=0.0, ubg=0.0)
    return PeerMarkers(np.array(answer["x"]).reshape(start.shape), float(answer["f"]), solver.stats()["success"])


def solve_in_ipopt(problem: PublishedProblem, ours: PublishedResult) -> PeerMarkers:
    """The second step with the ZMP's square and the ranges of joints, from our first step and its fit."""
    import casadi as ca

    meshes, first, before = meshes_of(problem.source), ours.presolved.positions, ours.before.fit.postures
    robot = _Robot(problem)
    frames, width = len(first), 6 + len(robot.joints)
    V, Q = ca.MX.sym("V", first.size), ca.MX.sym("Q", width, frames)
    gradient, zmp = robot.fit_gradient(ca), robot.zmp(ca)
    size = first[0].size
    turns = quaternions.matrix_from_quaternion(before.root[:, 3:])
    weights = np.where(np.isfinite(problem.held), HELD_WEIGHT, 1.0).reshape(frames, size)
    fits = [gradient(Q[:, t], V[t * size : (t + 1) * size], ca.DM(turns[t]), ca.DM(weights[t])) for t in range(frames)]
    offsets = []
    for t in range(frames):
        a, b = (t - 1, t + 1) if 0 < t < frames - 1 else (t, t)  # at both ends the robot rests
        three = [each for k in (a, t, b) for each in (Q[:, k], ca.DM(turns[k]))]
        offsets.append(zmp(*three, ca.DM(problem.shares[t])) / (0.5 * problem.options.square_m))
    links = _link_rows(ca, V, problem.links, problem.held)
    rows = ca.vertcat(links, *fits, *offsets)
    x = ca.vertcat(V, ca.vec(Q))
    cost = _cost(ca, V, meshes, problem.options.alpha)
    program: Any = {"x": x, "f": cost, "g": rows}
    solver = ca.nlpsol("second", "ipopt", program, OPTIONS | NEAR)
    lower, upper = (np.where(np.isfinite(problem.held), problem.held, bound).ravel() for bound in (-np.inf, np.inf))
    low, high = robot.bounds(frames)
    equal = links.numel() + frames * width
    ones = np.ones(2 * frames)
    answer = solver(
        x0=np.concatenate([first.ravel(), robot.start(before).ravel()]),
        lbx=np.concatenate([lower, low]),
        ubx=np.concatenate([upper, high]),
        lbg=np.concatenate([np.zeros(equal), -ones]),
        ubg=np.concatenate([np.zeros(equal), ones]),
    )
    found = np.array(answer["x"]).ravel()[: first.size].reshape(first.shape)
    return PeerMarkers(found, float(answer["f"]), solver.stats()["success"])


def _cost(ca: Any, V: Any, meshes: MeshSequence, alpha: float) -> Any:
    """Eq. 4 over all frames, and the anchor of means."""
    frames, count = meshes.source.shape[:2]
    size, total = 3 * count, 0.0
    each = [ca.reshape(V[t * size : (t + 1) * size], 3, count).T for t in range(frames)]
    for t, points in enumerate(each):
        total += ca.sumsqr(ca.DM(meshes.matrices[t]) @ points - ca.DM(meshes.targets[t]))
        total += ANCHOR * ca.sumsqr(ca.sum1(points) / count - ca.DM(meshes.source[t].mean(0)).T)
        if alpha > 0.0 and 0 < t < frames - 1:
            total += 0.5 * alpha * ca.sumsqr(each[t - 1] - 2.0 * points + each[t + 1])
    return total


def _link_rows(ca: Any, V: Any, links: tuple[Link, ...], held: np.ndarray) -> Any:
    """Eq. 5 with squares on both sides, where not both ends are held."""
    frames, count = held.shape[:2]
    rows = []
    for t in range(frames):
        for link in links:
            if np.isfinite(held[t, [link.first, link.second]]).all():
                continue
            a, b = (3 * (t * count + k) for k in (link.first, link.second))
            rows.append(ca.sumsqr(V[a : a + 3] - V[b : b + 3]) - link.length**2)
    return ca.vertcat(*rows)


class _Robot:
    """Kinematics and dynamics in casadi; the root is a shift and a turn by exp from a given one."""

    def __init__(self, problem: PublishedProblem) -> None:
        self.problem, self.tree = problem, problem.markers.tree
        moving = problem.markers.moving()
        self.joints = (moving[moving >= 6] - 6).tolist()
        self.ranges = joint_ranges(problem).angle[:, 6:][:, self.joints]

    def bounds(self, frames: int) -> tuple[np.ndarray, np.ndarray]:
        """Of configurations, frame by frame; the barrier of the fit needs them inside."""
        free = np.full(6, np.inf)
        low, high = np.concatenate([-free, self.ranges[0]]), np.concatenate([free, self.ranges[1]])
        if not self.problem.options.joint_limits:
            low, high = np.full_like(low, -np.inf), np.full_like(high, np.inf)
        return np.tile(low, frames), np.tile(high, frames)

    def start(self, postures: Postures) -> np.ndarray:
        """Configurations as unknowns, [frame, 6 + joint]."""
        zero = np.zeros((len(postures), 3))
        return np.concatenate([postures.root[:, :3], zero, postures.q[:, self.joints]], axis=1)

    def fit_gradient(self, ca: Any) -> Any:
        """The gradient of the fit, a function of configuration, markers, the root's turn and weights."""
        x, V, turn = (
            ca.SX.sym("x", 6 + len(self.joints)),
            ca.SX.sym("V", 3 * len(self.problem.markers.places)),
            ca.SX.sym("R", 3, 3),
        )
        options = self.problem.options
        R, o = self._poses(ca, x, turn)
        points = self.problem.markers.points()
        places = [o[s] + R[s] @ ca.DM(p) for s, p in zip(points.steps.tolist(), points.positions, strict=True)]
        rest = ca.DM(self.problem.rest[self.joints])
        weights = ca.SX.sym("w", V.numel())
        cost = 0.5 * ca.dot(weights, (ca.vertcat(*places) - V) ** 2) + 0.5 * options.damping * ca.sumsqr(x[6:] - rest)
        if options.joint_limits:
            for k, (low, high) in enumerate(self.ranges.T):
                cost -= BARRIER * (ca.log(x[6 + k] - low) + ca.log(high - x[6 + k]))
        return ca.Function("gradient", [x, V, turn, weights], [ca.gradient(cost, x)])

    def zmp(self, ca: Any) -> Any:
        """The ZMP seen from the middle of the feet, a function of three configurations with their turns, and shares."""
        names = ("before", "here", "after")
        x = [ca.SX.sym(name, 6 + len(self.joints)) for name in names]
        turns = [ca.SX.sym(f"R_{name}", 3, 3) for name in names]
        shares, h = ca.SX.sym("shares", 2), float(self.problem.times[1] - self.problem.times[0])
        roots = [turn @ _exp(ca, each[3:6]) for each, turn in zip(x, turns, strict=True)]
        ahead, behind = (_log(ca, roots[1].T @ roots[k]) for k in (2, 0))
        spin, spin_rate = roots[1] @ (ahead - behind) / (2.0 * h), roots[1] @ (ahead + behind) / h**2
        shift = (x[0][:3] - 2.0 * x[1][:3] + x[2][:3]) / h**2
        v, a = (x[2][6:] - x[0][6:]) / (2.0 * h), (x[0][6:] - 2.0 * x[1][6:] + x[2][6:]) / h**2
        R, o = self._poses(ca, x[1], turns[1])
        force, moment = self._wrench(ca, R, o, (spin, spin_rate, shift), v, a)
        at = ca.vertcat(-moment[1], moment[0]) / force[2]
        feet = self.problem.markers.feet_points()
        places = [o[s] + R[s] @ ca.DM(p) for s, p in zip(feet.steps.tolist(), feet.positions, strict=True)]
        centre = shares[0] * places[0][:2] + shares[1] * places[1][:2]
        inputs = [each for pair in zip(x, turns, strict=True) for each in pair]
        return ca.Function("zmp", [*inputs, shares], [at - centre])

    def _poses(self, ca: Any, x: Any, turn: Any) -> tuple[list[Any], list[Any]]:
        """Rotations and origins of all steps in the world."""
        tree, rotations, origins = self.tree.arrays, [], []
        for s, kind in enumerate(tree.kind):
            if tree.parent[s] < 0:
                rotations.append(turn @ _exp(ca, x[3:6]))
                origins.append(x[:3])
                continue
            R, o = ca.SX(ca.DM(tree.rotation[s])), ca.SX(ca.DM(tree.position[s]))
            if kind in (TURN, SLIDE):
                at = tree.scale[s] * self._coordinate(x, int(tree.coordinate[s])) + tree.offset[s]
                if kind == TURN:
                    c, d = ca.cos(at), ca.sin(at)
                    R = R @ ca.vertcat(ca.horzcat(c, -d, 0), ca.horzcat(d, c, 0), ca.DM([[0, 0, 1]]))
                else:
                    o = o + R[:, 2] * at
            above = int(tree.parent[s])
            origins.append(origins[above] + rotations[above] @ o)
            rotations.append(rotations[above] @ R)
        return rotations, origins

    def _coordinate(self, x: Any, c: int) -> Any:
        return x[6 + self.joints.index(c)] if c in self.joints else float(self.problem.rest[c])

    def _wrench(
        self, ca: Any, R: list[Any], o: list[Any], root: tuple[Any, Any, Any], v: Any, a: Any
    ) -> tuple[Any, Any]:
        """Force and moment about the world's origin that the floor has to give."""
        tree, motion = self.tree.arrays, [root]
        gravity = ca.DM(tree.gravity)
        force, moment = ca.SX.zeros(3), ca.SX.zeros(3)
        for s, kind in enumerate(tree.kind):
            above = int(tree.parent[s])
            if above >= 0:
                w, dw, acc = motion[above]
                arm = o[s] - o[above]
                acc = acc + ca.cross(dw, arm) + ca.cross(w, ca.cross(w, arm))
                c = int(tree.coordinate[s])
                if kind in (TURN, SLIDE) and c in self.joints:
                    k, axis = self.joints.index(c), R[s][:, 2]
                    rate, push = tree.scale[s] * v[k], tree.scale[s] * a[k]
                    if kind == TURN:
                        dw = dw + axis * push + ca.cross(w, axis * rate)
                        w = w + axis * rate
                    else:
                        acc = acc + 2.0 * ca.cross(w, axis * rate) + axis * push
                motion.append((w, dw, acc))
            w, dw, acc = motion[s]
            r = R[s] @ ca.DM(tree.centre[s])
            inertia = R[s] @ ca.DM(tree.inertia[s]) @ R[s].T
            pull = tree.mass[s] * (acc + ca.cross(dw, r) + ca.cross(w, ca.cross(w, r)) - gravity)
            force += pull
            moment += inertia @ dw + ca.cross(w, inertia @ w) + ca.cross(o[s] + r, pull)
        return force, moment


def _exp(ca: Any, w: Any) -> Any:
    """The rotation matrix of a rotation vector."""
    square = ca.sumsqr(w)
    first = sum((-square) ** k / factorial(2 * k + 1) for k in range(_TERMS))
    second = sum((-square) ** k / factorial(2 * k + 2) for k in range(_TERMS))
    K = ca.skew(w)
    return ca.DM.eye(3) + first * K + second * (K @ K)


def _log(ca: Any, R: Any) -> Any:
    """The rotation vector of a rotation matrix, for turns of less than 40 degrees."""
    sine = 0.5 * ca.vertcat(R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1])
    square = ca.sumsqr(sine)
    return sine * sum(comb(2 * k, k) / 4**k / (2 * k + 1) * square**k for k in range(2 * _TERMS))
