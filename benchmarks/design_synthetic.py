"""Stage problems shaped like robots: a tree of bodies with some loops, joints that touch two bodies each.

A body has three position and four quaternion columns. A joint to the parent gives three point rows and up
to three rows of turning, a body one row of unit length. Closing a loop adds rows and takes as many from
joints along the loop. Numbers follow the derivatives of the real rows: turning is passed on by
orthogonal matrices, so that chains stay well conditioned.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from animato.solvers.stage_qp.program import StageQP, StepMatrices, Tracked, UnitRows


@dataclass(frozen=True)
class Sizes:
    """Counts of a robot: bodies, scalar controls, ball joints and hinges to be designed, loops, tracked bodies."""

    bodies: int
    controls: int
    design_balls: int
    design_hinges: int
    loops: int
    tracked: int = 1
    control_balls: int = 0


BIKER = Sizes(bodies=40, controls=2, design_balls=23, design_hinges=0, loops=4, tracked=1)
KICKBOT = Sizes(bodies=37, controls=14, design_balls=20, design_hinges=2, loops=0, tracked=6)
SMALL = Sizes(bodies=10, controls=2, design_balls=2, design_hinges=1, loops=1, tracked=1, control_balls=1)


@dataclass
class Entries:
    """A shared pattern that grows, with a value at every step."""

    rows: list[int] = field(default_factory=list)
    cols: list[int] = field(default_factory=list)
    values: list[np.ndarray] = field(default_factory=list)

    def add(self, rows: list[int], cols: list[int], block: np.ndarray) -> None:
        """Adds a dense block [step, row, col]."""
        for i, row in enumerate(rows):
            for j, col in enumerate(cols):
                self.rows.append(row)
                self.cols.append(col)
                self.values.append(block[:, i, j])

    def packed(self, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, columns and values [step, entry]."""
        values = np.array(self.values).T if self.values else np.empty((steps, 0))
        return np.array(self.rows, dtype=np.int64), np.array(self.cols, dtype=np.int64), np.ascontiguousarray(values)


def tangents(q: np.ndarray) -> np.ndarray:
    """Three unit vectors across a unit quaternion, shape [..., 4, 3]."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.stack([np.stack([-x, w, z, -y], -1), np.stack([-y, -z, w, x], -1), np.stack([-z, y, -x, w], -1)], -1)


def wandering_quaternions(rng: np.random.Generator, steps: int, count: int) -> np.ndarray:
    """Unit quaternions that change slowly, shape [step, count, 4]."""
    phase = np.linspace(0.0, 1.0, steps)[:, None, None]
    q = rng.normal(size=(1, count, 4)) + 0.4 * np.sin(2 * np.pi * phase + rng.normal(size=(1, count, 4)))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def turning_quaternions(rng: np.random.Generator, steps: int, count: int, turns: float) -> np.ndarray:
    """Unit quaternions that turn about an axis of their own, half of them from rest, shape [step, count, 4]."""
    start = rng.normal(size=(count, 4))
    start[::2] = (1.0, 0.0, 0.0, 0.0)
    start /= np.linalg.norm(start, axis=-1, keepdims=True)
    axis = rng.normal(size=(count, 3))
    axis[::3] = (0.0, 0.0, 1.0)
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    half = np.pi * turns * np.linspace(0.0, 1.0, steps)[:, None, None]
    return np.cos(half) * start + np.sin(half) * (tangents(start) @ axis[:, :, None])[:, :, 0]


def tree_parents(rng: np.random.Generator, bodies: int) -> list[int]:
    """Parents of a tree with long limbs; -1 is the ground."""
    return [-1, *(b - 1 if rng.random() < 0.8 else int(rng.integers(0, b)) for b in range(1, bodies))]


def path(parents: list[int], a: int, b: int) -> list[int]:
    """Bodies whose joint to their parent lies on the way from a to b."""

    def up(body: int) -> list[int]:
        way = []
        while body >= 0:
            way.append(body)
            body = parents[body]
        return way

    first, second = up(a), up(b)
    return [c for c in first if c not in second] + [c for c in second if c not in first]


class Robot:
    """The rows of a random robot at every step, and where its variables enter."""

    def __init__(self, sizes: Sizes, steps: int, seed: int = 0, turns: float = 0.0) -> None:
        self.rng = np.random.default_rng(seed)
        self.sizes, self.steps = sizes, steps
        self.parents = tree_parents(self.rng, sizes.bodies)
        self.q = wandering_quaternions(self.rng, steps, sizes.bodies)
        if turns:
            self.q = turning_quaternions(self.rng, steps, sizes.bodies, turns)
        self.Cs, self.Cp, self.Cu = Entries(), Entries(), Entries()
        self.Hss, self.Hps, self.Hus = Entries(), Entries(), Entries()
        self.Hpp, self.Huu = Entries(), Entries()
        self.row_count = 0
        self._joints()

    def _joints(self) -> None:
        sizes, rng = self.sizes, self.rng
        self.free = dict.fromkeys(range(sizes.bodies), 0)
        for closing in self._loops():
            self._closure(*closing)
        kinds = ["ball"] * sizes.design_balls + ["hinge"] * sizes.design_hinges + ["turn"] * sizes.controls
        kinds += ["control ball"] * sizes.control_balls
        whole = [b for b in range(1, sizes.bodies) if self.free[b] == 0]
        owners = dict(zip(rng.permutation(whole).tolist(), kinds, strict=False))
        if len(whole) < len(kinds):
            raise ValueError(f"{len(kinds)} parameters need as many joints without loops, there are {len(whole)}")
        counts = {"ball": 0, "hinge": 0, "turn": 0, "control ball": 0}
        self.design_columns: list[list[int]] = []
        self.control_columns: list[list[int]] = []
        self.design_count = self.control_count = 0
        for body in range(sizes.bodies):
            kind = owners.get(body, "")
            rows = self._joint(body)
            if kind:
                counts[kind] += 1
                self._parameters(body, rows, kind)
            self.unit_row(body)

    def _loops(self) -> list[tuple[int, int]]:
        """Pairs of bodies to be joined by a hinge: five turns become free on the way between them.

        A ball and two hinges give five, or five hinges; of every four loops the last has the hinges.
        """
        found: list[tuple[int, int]] = []
        for _ in range(20000):
            if len(found) == self.sizes.loops:
                break
            frees = [1, 1, 1, 1, 1] if len(found) % 4 == 3 else [3, 1, 1]
            a, b = (int(x) for x in self.rng.choice(self.sizes.bodies, 2, replace=False))
            way = [c for c in path(self.parents, a, b) if self.free[c] == 0 and c > 0]
            if len(frees) <= len(way) <= 10 and self.parents[a] != b and self.parents[b] != a:
                self.free.update(zip(way, frees, strict=False))
                found.append((a, b))
        return found

    def columns(self, body: int) -> tuple[list[int], list[int]]:
        return list(range(7 * body, 7 * body + 3)), list(range(7 * body + 3, 7 * body + 7))

    def _next(self, count: int) -> list[int]:
        self.row_count += count
        return list(range(self.row_count - count, self.row_count))

    def point_rows(self, body: int, other: int) -> None:
        """x_b + S_b q_b - x_a - S_a q_a = 0, one position column and four quaternion columns each."""
        rows = self._next(3)
        for member, sign in ((body, 1.0), (other, -1.0)):
            if member < 0:
                continue
            position, turn = self.columns(member)
            for row, column in zip(rows, position, strict=True):
                self.Cs.add([row], [column], np.full((self.steps, 1, 1), sign))
            arm = 0.3 * self.rng.normal(size=(1, 3, 3))
            self.Cs.add(rows, turn, sign * arm @ tangents(self.q[:, member]).transpose(0, 2, 1))

    def turn_rows(self, body: int, other: int, count: int) -> list[int]:
        """Rows that pass on turning, four quaternion columns each."""
        rows = self._next(count)
        axes = np.linalg.qr(self.rng.normal(size=(3, 3)))[0][:count]
        for member, sign in ((body, 1.0), (other, -1.0)):
            if member >= 0:
                self.Cs.add(rows, self.columns(member)[1], sign * axes @ tangents(self.q[:, member]).transpose(0, 2, 1))
        return rows

    def unit_row(self, body: int) -> None:
        self.Cs.add(self._next(1), self.columns(body)[1], self.q[:, body][:, None, :])

    def _joint(self, body: int) -> list[int]:
        self.point_rows(body, self.parents[body])
        rows = self.turn_rows(body, self.parents[body], 3 - self.free[body])
        self._curvature(body, self.parents[body])
        return rows

    def _closure(self, a: int, b: int) -> None:
        self.point_rows(a, b)
        self.turn_rows(a, b, 2)
        self._curvature(a, b)

    def _smooth(self, *shape: int) -> np.ndarray:
        phase = np.linspace(0.0, 1.0, self.steps).reshape(-1, *([1] * len(shape)))
        return self.rng.normal(size=(1, *shape)) + 0.3 * np.sin(2 * np.pi * phase + self.rng.normal(size=(1, *shape)))

    def _curvature(self, a: int, b: int, size: float = 0.002) -> None:
        """Second derivatives of a joint: its rows are quadratic in the quaternions of its two bodies."""
        members = [m for m in (a, b) if m >= 0]
        for first in members:
            for second in members:
                if first <= second:
                    block = size * self._smooth(4, 4)
                    if first == second:
                        block = block + block.transpose(0, 2, 1)
                    self.Hss.add(self.columns(first)[1], self.columns(second)[1], block)
                    if first != second:
                        self.Hss.add(self.columns(second)[1], self.columns(first)[1], block.transpose(0, 2, 1))

    def _parameters(self, body: int, rows: list[int], kind: str, size: float = 0.002) -> None:
        balls, design = kind in ("ball", "control ball"), kind in ("ball", "hinge")
        count = 4 if balls else 1
        first = self.design_count if design else self.control_count
        columns = list(range(first, first + count))
        jacobian, mixed, own = (self.Cp, self.Hps, self.Hpp) if design else (self.Cu, self.Hus, self.Huu)
        used = rows if balls else rows[:1]
        jacobian.add(used, columns, self._smooth(len(used), count))
        for member in (body, self.parents[body]):
            if member >= 0:
                mixed.add(columns, self.columns(member)[1], size * self._smooth(count, 4))
        block = size * self._smooth(count, count)
        own.add(columns, columns, block + block.transpose(0, 2, 1) + 0.05 * np.eye(count))
        if design:
            self.design_count += count
            self.design_columns += [columns] if balls else []
        else:
            self.control_count += count
            self.control_columns += [columns] if balls else []


def problem(
    sizes: Sizes,
    steps: int,
    *,
    gauss_newton: bool = False,
    seed: int = 0,
    starts: tuple[int, ...] = (0,),
    turns: float = 0.0,
) -> StageQP:
    """A stage program of a robot of some sizes, whose bodies sway or make whole turns."""
    robot = Robot(sizes, steps, seed, turns)
    rng, n, s = robot.rng, steps, 7 * sizes.bodies
    p, u = robot.design_count, robot.control_count
    if robot.row_count != s:
        raise ValueError(f"{robot.row_count} rows for {s} states")
    bodies = rng.choice(np.arange(sizes.bodies // 2, sizes.bodies), sizes.tracked, replace=False)
    weights = rng.uniform(0.5, 2.0, size=(n, 6 * sizes.tracked))
    J = Entries()
    for i, body in enumerate(sorted(bodies.tolist())):
        position, turn = robot.columns(body)
        J.add(list(range(6 * i, 6 * i + 3)), position, np.broadcast_to(np.eye(3), (n, 3, 3)))
        J.add(list(range(6 * i + 3, 6 * i + 6)), turn, tangents(robot.q[:, body]).transpose(0, 2, 1))
        rows, cols, values = J.packed(n)
    tracked = Tracked(StepMatrices((6 * sizes.tracked, s), rows, cols, values), weights)
    if not gauss_newton:
        dense = [7 * body + i for body in sorted(bodies.tolist()) for i in range(7)]
        full = tracked.jacobian.dense()[:, :, dense]
        gram = np.einsum("kri,kr,krj->kij", full, weights, full)
        for i in range(sizes.tracked):
            own = slice(7 * i, 7 * i + 7)
            robot.Hss.add(dense[own], dense[own], gram[:, own, own])

    def made(entries: Entries, shape: tuple[int, int], *, used: bool = True) -> StepMatrices:
        return StepMatrices(shape, *entries.packed(n)) if used else StepMatrices.zeros(n, shape)

    exact = not gauss_newton
    pq = rng.normal(size=(len(robot.design_columns), 4))
    uq = wandering_quaternions(rng, n, max(1, len(robot.control_columns)))[:, : len(robot.control_columns)]
    return StageQP(
        dt=1.0 / 30.0,
        Hpp=made(robot.Hpp, (p, p)), Hpu=StepMatrices.zeros(n, (p, u)), Hps=made(robot.Hps, (p, s), used=exact),
        Huu=made(robot.Huu, (u, u)), Hus=made(robot.Hus, (u, s), used=exact), Hss=made(robot.Hss, (s, s), used=exact),
        Hvv=rng.uniform(0.001, 0.01, size=(n - 1, u)),
        gp=rng.normal(size=(n, p)), gu=rng.normal(size=(n, u)), gv=rng.normal(size=(n - 1, u)),
        gs=rng.normal(size=(n, s)),
        Cs=made(robot.Cs, (s, s)), Cu=made(robot.Cu, (s, u)), Cp=made(robot.Cp, (s, p)),
        C=0.1 * rng.normal(size=(n, s)), velocity=0.1 * rng.normal(size=(n - 1, u)),
        design_units=UnitRows(
            np.array(robot.design_columns, dtype=np.int64).reshape(-1, 4),
            2.0 * pq / np.linalg.norm(pq, axis=1, keepdims=True), 0.01 * rng.normal(size=len(pq)),
        ),
        control_units=UnitRows(
            np.array(robot.control_columns, dtype=np.int64).reshape(-1, 4),
            2.0 * uq, 0.01 * rng.normal(size=uq.shape[:2]),
        ),
        starts=starts,
        tracked=tracked if gauss_newton else None,
    )  # fmt: skip
