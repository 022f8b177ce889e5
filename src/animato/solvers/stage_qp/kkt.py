"""The search direction from the whole system at once: sparse L D L^T of the Karush-Kuhn-Tucker matrix.

    [ H  A^T ] [   d    ]     [ g ]
    [ A   0  ] [-lambda ] = - [ r ]

It is the check on the other methods and the peer they are measured against. The factors are QDLDL's
(package `qdldl`), with an approximate minimum degree order found once per pattern. It takes no pivots, so
the diagonal is shifted a little, by + on variables and - on multipliers, and iterative refinement takes the
shift out again. Where `qdldl` is not installed, SuperLU of SciPy stands in, which is far slower.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy import sparse

from animato.algebra.sparse_lu_analysis import SingularMatrixError
from animato.solvers.stage_qp.program import Direction, StageQP, StepMatrices, UnitRows
from animato.solvers.stage_qp.recovery import add, velocities

_SHIFTS = (1e-8, 1e-7, 1e-6, 1e-5)
"""Shifts of the diagonal that are tried, relative to the mean size of the entries."""

_ACCURACY = 1e-11
"""Residual, relative to the right-hand side, at which the next larger shift is not tried."""

_REFINEMENTS = 30


class _Triplets:
    """Rows, columns and values of the upper triangle, gathered block by block."""

    def __init__(self) -> None:
        self.rows: list[np.ndarray] = []
        self.cols: list[np.ndarray] = []
        self.values: list[np.ndarray] = []

    def add(self, rows: np.ndarray, cols: np.ndarray, values: np.ndarray) -> None:
        """Entries of all steps; what lies below the diagonal is dropped, its mirror image is there too."""
        rows, cols, values = (np.broadcast_to(a, values.shape).ravel() for a in (rows, cols, values))
        self.rows.append(rows)
        self.cols.append(cols)
        self.values.append(values)

    def steps(self, matrices: StepMatrices, rows: np.ndarray, cols: np.ndarray) -> None:
        """Matrices of all steps, whose first row and column stand at rows [step], cols [step]."""
        self.add(rows[:, None] + matrices.rows, cols[:, None] + matrices.cols, matrices.values)


class WholeSystem:
    """The matrix of programs of one pattern, with its order of elimination.

    Attributes:
        factorization: "qdldl", or "superlu" where that is not installed.
        refinements: Steps of iterative refinement that the last direction took.
    """

    def __init__(self, qp: StageQP) -> None:
        self.qp = qp
        n, u, s, p = qp.step_count, qp.control_count, qp.state_count, qp.design_count
        steps = np.arange(n)
        self.p = np.zeros(n, dtype=np.int64)
        stage = 2 * u + 2 * s + qp.control_units.count + u
        base = p + qp.design_units.count + steps * stage
        self.u, self.s, self.v = base, base + u, base + u + s
        self.lambda_c, self.lambda_u = self.v + u, self.v + u + s
        self.lambda_v = self.lambda_u + qp.control_units.count
        self.lambda_p = p
        self.size = int(p + qp.design_units.count + n * stage)
        self.factorization: Literal["qdldl", "superlu"] = "superlu"
        self.refinements = 0
        self._solver: Any = None
        self._first_shift = 0  # the next program most likely needs what the last one needed
        self._pattern: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self._multipliers = self._multiplier_mask()

    def _multiplier_mask(self) -> np.ndarray:
        """Which unknowns are multipliers."""
        qp, mask = self.qp, np.zeros(self.size, dtype=bool)
        mask[self.lambda_p : self.lambda_p + qp.design_units.count] = True
        for first, count in (
            (self.lambda_c, qp.state_count),
            (self.lambda_u, qp.control_units.count),
            (self.lambda_v, qp.control_count),
        ):
            mask[(first[:, None] + np.arange(count)).ravel()] = True
        return mask

    def matrix(self, qp: StageQP, shift: float) -> sparse.csc_matrix:
        """The upper triangle; velocities that are no variables get a unit diagonal."""
        t = _Triplets()
        for matrices, rows, cols in (
            (qp.Hpp, self.p, self.p), (qp.Hpu, self.p, self.u), (qp.Hps, self.p, self.s),
            (qp.Huu, self.u, self.u), (qp.Hus, self.u, self.s), (qp.Hss, self.s, self.s),
        ):  # fmt: skip
            t.steps(matrices, rows, cols)
        if qp.tracked is not None:
            t.steps(qp.tracked.curvature(), self.s, self.s)
        for matrices, cols in ((qp.Cs, self.s), (qp.Cu, self.u), (qp.Cp, self.p)):
            t.add(cols[:, None] + matrices.cols, self.lambda_c[:, None] + matrices.rows, matrices.values)
        _add_units(t, qp.design_units, self.p[:1], np.array([self.lambda_p]))
        _add_units(t, qp.control_units, self.u, self.lambda_u)
        self._add_velocity_rows(t, qp)
        for first, count, size in (
            (self.u, qp.control_count, shift),
            (self.p[:1], qp.design_count, shift * len(self.u)),
        ):
            own = first[:, None] + np.arange(count)
            t.add(own, own, np.full(own.shape, size))
        every = np.arange(self.size)
        t.add(every, every, np.zeros(self.size))
        return self._assembled(t)

    def _add_velocity_rows(self, t: _Triplets, qp: StageQP) -> None:
        each = np.arange(qp.control_count)
        linked = qp.linked[:, None]
        v, row = self.v[:-1, None] + each, self.lambda_v[:-1, None] + each
        last = np.array([self.v[-1], self.lambda_v[-1]])[:, None] + each
        t.add(v, v, np.where(linked, qp.Hvv, 1.0))
        t.add(row, row, np.where(linked, np.zeros_like(qp.Hvv), -1.0))
        t.add(last, last, np.broadcast_to(np.array([[1.0], [-1.0]]), last.shape))
        t.add(self.u[1:, None] + each, row, np.where(linked, np.ones_like(qp.Hvv), 0.0))
        t.add(self.u[:-1, None] + each, row, np.where(linked, -np.ones_like(qp.Hvv), 0.0))
        t.add(v, row, np.where(linked, -qp.spans * np.ones_like(qp.Hvv), 0.0))

    def _assembled(self, t: _Triplets) -> sparse.csc_matrix:
        """The compressed matrix; where which entry goes is found once."""
        values = np.concatenate(t.values)
        if self._pattern is None:
            rows, cols = np.concatenate(t.rows), np.concatenate(t.cols)
            low, high = np.minimum(rows, cols), np.maximum(rows, cols)
            # blocks on the diagonal list both triangles, all others only one
            twice = (rows > cols) & self._same_block(rows, cols)
            place, target = np.unique(high * self.size + low, return_inverse=True)
            target[twice] = len(place)
            starts = np.searchsorted(place // self.size, np.arange(self.size + 1))
            self._pattern = (target, place % self.size, starts)
        target, indices, starts = self._pattern
        data = np.bincount(target, values, len(indices) + 1)[:-1]
        return sparse.csc_matrix((data, indices, starts), shape=(self.size, self.size))

    def _same_block(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Whether both are variables of one kind and stage: there, both triangles are listed."""
        kind = np.full(self.size, -1)
        kind[: self.qp.design_count] = self.size
        for first, count in ((self.u, self.qp.control_count), (self.s, self.qp.state_count)):
            kind[first[:, None] + np.arange(count)] = first[:, None]
        return (kind[rows] == kind[cols]) & (kind[rows] >= 0)

    def _rhs(self, qp: StageQP) -> np.ndarray:
        rhs = np.zeros(self.size)
        rhs[: qp.design_count] = -qp.gp.sum(axis=0)
        rhs[self.lambda_p : self.lambda_p + qp.design_units.count] = -qp.design_units.residuals
        linked = qp.linked[:, None]
        for first, block in (
            (self.u, qp.gu), (self.s, qp.gs), (self.lambda_c, qp.C),
            (self.lambda_u, qp.control_units.residuals.reshape(qp.step_count, -1)),
            (self.v[:-1], np.where(linked, qp.gv, 0.0)), (self.lambda_v[:-1], np.where(linked, qp.velocity, 0.0)),
        ):  # fmt: skip
            rhs[first[:, None] + np.arange(block.shape[1])] = -block
        return rhs

    def direction(self, qp: StageQP, *, shift: float = 0.0) -> Direction:
        """Solves a program of the pattern."""
        upper = self.matrix(qp, shift)
        x = self._refined(upper, self._rhs(qp))
        return self._unpacked(qp, x, shift)

    def _refined(self, upper: sparse.csc_matrix, rhs: np.ndarray) -> np.ndarray:
        """Solves with the shifted matrix and corrects until the residual is rounding."""
        whole = (upper + sparse.triu(upper, 1).T).tocsr()
        scale = max(1.0, float(np.abs(rhs).max()))
        found, left = np.zeros_like(rhs), np.inf
        for tried in range(self._first_shift, len(_SHIFTS)):
            try:
                solve = self._factored(upper, _SHIFTS[tried])
            except RuntimeError:  # a pivot vanished
                continue
            x, best = solve(rhs), np.inf
            for count in range(_REFINEMENTS):
                residual = rhs - whole @ x
                size = float(np.abs(residual).max())
                if size < left:
                    found, left, self.refinements = x, size, count
                if not size < 0.5 * best:
                    break
                best = size
                x = x + solve(residual)
            if left <= _ACCURACY * scale or self.factorization == "superlu":
                self._first_shift = tried
                break
        if not left <= 1e-6 * scale:
            raise SingularMatrixError(
                f"The system of a search direction could not be solved: a residual of {left:.1e} remains. "
                "Its kinematic rows or its reduced curvature are singular; regularize, or remove redundant rows."
            )
        return found

    def _factored(self, upper: sparse.csc_matrix, shift: float) -> Any:
        """A function that solves with the shifted matrix."""
        try:
            import qdldl
        except ImportError:
            from scipy.sparse.linalg import splu

            return splu((upper + sparse.triu(upper, 1).T).tocsc()).solve
        self.factorization = "qdldl"
        size = shift * float(np.abs(upper.data).mean())
        shifted = upper.copy()
        shifted.data[upper.indptr[1:] - 1] += np.where(self._multipliers, -size, size)  # the last of a column
        if self._solver is None:
            self._solver = qdldl.Solver(shifted, upper=True)
        else:
            self._solver.update(shifted, upper=True)
        return self._solver.solve

    def _unpacked(self, qp: StageQP, x: np.ndarray, shift: float) -> Direction:
        def block(first: np.ndarray, count: int) -> np.ndarray:
            return x[first[:, None] + np.arange(count)]

        dp, du, ds = x[: qp.design_count], block(self.u, qp.control_count), block(self.s, qp.state_count)
        lambda_c = -block(self.lambda_c, qp.state_count)
        lambda_v = np.where(qp.linked[:, None], -block(self.lambda_v[:-1], qp.control_count), 0.0)
        lambda_p = -x[self.lambda_p : self.lambda_p + qp.design_units.count]
        h_p = qp.gp + shift * dp
        for matrices, given in ((qp.Hpp, dp[None]), (qp.Hpu, du), (qp.Hps, ds)):
            add(matrices, given, h_p)
        left = np.zeros_like(h_p)
        add(qp.Cp, lambda_c, left, transpose=True)
        sums = np.cumsum((h_p - left)[::-1], axis=0)[::-1]
        return Direction(
            dp=dp, du=du, dv=velocities(qp, du), ds=ds, lambda_d=sums[1:], lambda_v=lambda_v, lambda_p=lambda_p,
            lambda_u=-block(self.lambda_u, qp.control_units.count), lambda_c=lambda_c, shift=shift, analysis=self,
        )  # fmt: skip


def _add_units(t: _Triplets, units: UnitRows, variables: np.ndarray, rows: np.ndarray) -> None:
    """Unit rows of all steps."""
    if units.count:
        gradients = np.asarray(units.gradients, dtype=float).reshape(len(rows), units.count, 4)
        t.add(
            variables[:, None, None] + units.columns, rows[:, None, None] + np.arange(units.count)[:, None], gradients
        )


def ldlt_direction(qp: StageQP, system: WholeSystem | None = None, *, shift: float = 0.0) -> Direction:
    """Solves a stage program; see `stage_qp_direction.search_direction`."""
    return (WholeSystem(qp) if system is None else system).direction(qp, shift=shift)
