"""The quadratic program of one search direction, from a design problem evaluated at a point.

Soft rows r(s, u, p), which are asked to be zero by their squares, become states of their own: a state e with
the row e - r(s, u, p) = 0, tracked at zero. So they cost as little as any other row, and the program needs
no terms between states, controls and design.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.design.optimization.evaluation import Evaluation, References
from animato.design.problem import Problem
from animato.design.terms import DroppedRows
from animato.mechanics.loops.constraints import SparsePattern, constraint_curvature
from animato.solvers.stage_qp import Direction, StageQP, StepMatrices, Tracked, UnitRows, add


@dataclass(frozen=True, eq=False)
class _Part:
    """Entries of one derivative from one set of rows: sign * values at (rows + first, cols)."""

    pattern: SparsePattern
    first: int


class ProgramBuilder:
    """Makes the program of a direction; patterns are put together once."""

    def __init__(self, problem: Problem, *, linked: bool = True) -> None:
        """Prepares the patterns.

        Args:
            problem: Whose programs.
            linked: Whether neighbouring steps know each other through velocities; where they do not, all
                steps are programs of their own.
        """
        self.problem, self.linked = problem, linked
        mechanism = problem.mechanism
        self.states = len(mechanism.state)
        self.designs = len(mechanism.design) if problem.design_free else 0
        self.controls = len(mechanism.controls) if problem.controls_free else 0
        self.held = problem.held[: self.controls]
        self.soft_weights = np.concatenate([np.zeros(0), *(rows.weights for rows in problem.terms)])
        self.size = self.states + len(self.soft_weights)
        kept = mechanism.row_set("kept")
        firsts = self.states + np.cumsum([0, *(len(rows.weights) for rows in problem.terms)])
        sets = [(kept, 0), *((rows, int(first)) for rows, first in zip(problem.terms, firsts, strict=False))]
        names = ("state", "control", "design")
        parts = {name: [_Part(getattr(rows, name), first) for rows, first in sets] for name in names}
        extra = np.arange(self.states, self.size)
        self.places = {name: _places(own) for name, own in parts.items()}
        rows_s, cols_s = self.places["state"]
        self.places["state"] = np.concatenate([rows_s, extra]), np.concatenate([cols_s, extra])
        tracking = problem.tracking
        count = tracking.row_count
        self.tracked_places = (
            np.concatenate([tracking.rows, count + np.arange(len(extra))]),
            np.concatenate([tracking.cols, extra]),
        )
        steps = problem.step_count
        self.tracked_weights = np.hstack([tracking.weights, np.tile(self.soft_weights, (steps, 1))])
        self.starts = problem.starts if linked else tuple(range(steps))

    def program(
        self,
        at: Evaluation,
        references: References,
        *,
        damping: np.ndarray | float = 0.0,
        multipliers: np.ndarray | None = None,
        ahead: Direction | None = None,
    ) -> StageQP:
        """The program at a point, with the gradients of the objective, so that multipliers come out whole.

        Args:
            at: Where.
            references: Of the regularization.
            damping: Added to the curvature of controls and design, at all steps or at each, shape [step].
            multipliers: lambda^C of the kept rows and the soft rows, shape [step, row], for exact second
                derivatives; None for Gauss-Newton.
            ahead: A direction that ran into limits; their curvature is then the mean one along it.
        """
        problem, weights, limits = self.problem, self.problem.weights, self.problem.limits
        steps, point = problem.step_count, at.point
        p, u, s = self.designs, self.controls, self.size
        damped = np.broadcast_to(np.asarray(damping, dtype=float), (steps,))[:, None]
        u1, p1, v1 = self._ahead(at, ahead)
        gradient, hessian = limits.control_bounds.derivatives(point.controls, references.floor, ahead=u1)
        gu = weights.limits * gradient + problem.reference_weights * (point.controls - references.controls)
        huu = weights.limits * hessian + problem.reference_weights + damped
        gradient, hessian = limits.design_bounds.derivatives(point.design[None], references.floor, ahead=p1)
        gp = np.broadcast_to(
            weights.limits * gradient + weights.design * (point.design - references.design), (steps, gradient.shape[1])
        )
        hpp = weights.limits * hessian + weights.design + damped
        gv, hvv = limits.velocity_bounds.derivatives(at.velocities, references.floor, ahead=v1)
        gv, hvv = weights.limits * gv + references.velocity * at.velocities, weights.limits * hvv + references.velocity
        # what is held meets no other variable below, so without a gradient its step is zero
        gu, gv = _without(gu, problem.held), _without(gv, problem.held)
        jacobian = self._tracked_jacobian(at)
        gs = np.zeros((steps, s))
        errors = np.hstack([at.residuals, *(found.values for found in at.soft)])
        add(jacobian, self.tracked_weights * errors, gs, transpose=True)
        tracked = Tracked(jacobian, self.tracked_weights)
        curved = _no_curvature(steps, p, u, s)
        if multipliers is not None:
            curved = self._curvature(at, tracked, multipliers)
        spans = np.where(problem.linked, problem.spans, 1.0) if self.linked else np.ones(steps - 1)
        return StageQP(
            dt=spans,
            Hpp=_sum(curved["pp"], _diagonal(hpp[:, :p], steps)),
            Huu=_sum(curved["uu"], _diagonal(huu[:, :u], steps)),
            Hpu=curved["pu"], Hps=curved["ps"], Hus=curved["us"], Hss=curved["ss"],
            Hvv=hvv[:, :u], gp=gp[:, :p], gu=gu[:, :u], gv=gv[:, :u], gs=gs,
            Cs=self._derivative(at, "state", (s, s), steps),
            Cu=self._derivative(at, "control", (s, u), steps),
            Cp=self._derivative(at, "design", (s, p), steps),
            C=np.hstack([at.jacobians.values, np.zeros((steps, s - self.states))]),
            velocity=np.zeros((steps - 1, u)),
            design_units=self._units(point.design, problem.mechanism.design_quaternions if p else ()),
            control_units=self._units(point.controls, problem.mechanism.control_quaternions if u else ()),
            starts=self.starts,
            tracked=tracked if multipliers is None else None,
        )  # fmt: skip

    def _ahead(
        self, at: Evaluation, step: Direction | None
    ) -> tuple[np.ndarray | None, np.ndarray | None, np.ndarray | None]:
        """Controls, design and velocities where a step would lead."""
        if step is None:
            return None, None, None
        controls = at.point.controls + step.du if self.controls else None
        velocities = at.velocities + step.dv if self.controls else None
        return controls, (at.point.design + step.dp)[None] if self.designs else None, velocities

    def _tracked_jacobian(self, at: Evaluation) -> StepMatrices:
        values = self.problem.tracking.jacobian(at.point.states)
        if self.size > self.states:
            values = np.hstack([values, np.ones((len(values), self.size - self.states))])
        return StepMatrices((self.tracked_weights.shape[1], self.size), *self.tracked_places, values)

    def _derivative(self, at: Evaluation, name: str, shape: tuple[int, int], steps: int) -> StepMatrices:
        if shape[1] == 0:
            return StepMatrices.zeros(steps, shape)
        values: np.ndarray = getattr(at.jacobians, name)
        if at.soft:
            own = [-getattr(found, name) for found in at.soft]
            ones = [np.ones((steps, self.size - self.states))] if name == "state" else []
            values = np.hstack([values, *own, *ones])
        if name == "control":
            values = _without(values, self.held[self.places[name][1]])
        return StepMatrices(shape, *self.places[name], values)

    def _units(self, values: np.ndarray, firsts: tuple[int, ...]) -> UnitRows:
        columns = np.array(firsts, dtype=int).reshape(-1, 1) + np.arange(4)
        parts = values[..., columns]
        return UnitRows(columns, 2.0 * parts, np.sum(parts * parts, axis=-1) - 1.0)

    def _curvature(self, at: Evaluation, tracked: Tracked, multipliers: np.ndarray) -> dict[str, StepMatrices]:
        """Second derivatives of f - lambda^T c, but for the diagonals of limits and regularization."""
        mechanism, point, n = self.problem.mechanism, at.point, self.states
        values = constraint_curvature(mechanism, point.states, point.controls, point.design, multipliers[:, :n])
        sets = [(mechanism.row_set("kept").curvature, -values)]
        first = n
        for rows in self.problem.terms:
            count = len(rows.weights)
            if isinstance(rows, DroppedRows):
                found = rows.curvature(
                    point.states, point.controls, point.design, multipliers[:, first : first + count]
                )
                sets.append((mechanism.row_set("dropped").curvature, found))
            first += count
        blocks = self._split(sets)
        hessian = self.problem.tracking.curvature(at.residuals)
        q = self.problem.tracking.point_bodies[:, None] + np.arange(3, 7)
        shape = (*q.shape, 4)
        of_points = StepMatrices(
            (self.size, self.size),
            np.broadcast_to(q[:, :, None], shape).ravel(),
            np.broadcast_to(q[:, None, :], shape).ravel(),
            hessian.reshape(len(hessian), -1),
        )
        blocks["ss"] = _sum(_sum(blocks["ss"], of_points), tracked.curvature())
        return blocks

    def _split(self, sets: list[tuple[SparsePattern, np.ndarray]]) -> dict[str, StepMatrices]:
        """Upper triangles over (state, controls, design), cut into the blocks that the program takes."""
        n, all_controls = self.states, len(self.problem.mechanism.controls)
        steps = self.problem.step_count
        found = _no_curvature(steps, self.designs, self.controls, self.size)
        for pattern, values in sets:
            i, j = pattern.rows, pattern.columns
            kinds = [np.digitize(part, [n, n + all_controls]) for part in (i, j)]
            offsets = np.array([0, n, n + all_controls])
            for a, b, name in ((0, 0, "ss"), (0, 1, "us"), (0, 2, "ps"), (1, 1, "uu"), (1, 2, "pu"), (2, 2, "pp")):
                if (b == 2 and not self.designs) or (1 in (a, b) and not self.controls):
                    continue
                chosen = np.flatnonzero((kinds[0] == a) & (kinds[1] == b))
                rows, cols = j[chosen] - offsets[b], i[chosen] - offsets[a]
                block = values[:, chosen]
                for kind, places in ((a, cols), (b, rows)):
                    block = _without(block, self.held[places]) if kind == 1 else block
                if a == b:
                    off = rows != cols
                    rows, cols = np.concatenate([rows, cols[off]]), np.concatenate([cols, rows[off]])
                    block = np.hstack([block, block[:, off]])
                found[name] = _sum(found[name], StepMatrices(found[name].shape, rows, cols, block))
        return found


def _without(values: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Values with zeros in some columns."""
    return np.where(columns, 0.0, values) if columns.any() else values


def _places(parts: list[_Part]) -> tuple[np.ndarray, np.ndarray]:
    rows = np.concatenate([part.pattern.rows + part.first for part in parts])
    return rows, np.concatenate([part.pattern.columns for part in parts])


def _diagonal(values: np.ndarray, steps: int) -> StepMatrices:
    count = values.shape[1]
    places = np.arange(count)
    return StepMatrices((count, count), places, places, np.broadcast_to(values, (steps, count)))


def _sum(a: StepMatrices, b: StepMatrices) -> StepMatrices:
    if a.empty or b.empty:
        return b if a.empty else a
    rows, cols = np.concatenate([a.rows, b.rows]), np.concatenate([a.cols, b.cols])
    return StepMatrices(a.shape, rows, cols, np.hstack([a.values, b.values]))


def _no_curvature(steps: int, p: int, u: int, s: int) -> dict[str, StepMatrices]:
    shapes = {"pp": (p, p), "pu": (p, u), "ps": (p, s), "uu": (u, u), "us": (u, s), "ss": (s, s)}
    return {name: StepMatrices.zeros(steps, shape) for name, shape in shapes.items()}
