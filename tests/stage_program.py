"""A stage program written out in full: the design copied to every stage, dense matrices, one linear solve."""

from __future__ import annotations

import numpy as np

from animato.solvers.stage_qp.program import Direction, StageQP

PARTS = ("dp", "du", "dv", "ds", "lambda_d", "lambda_v", "lambda_p", "lambda_u", "lambda_c")


class Written:
    """Variables p, u, s, v of every stage and rows of every constraint, each with its place."""

    def __init__(self, qp: StageQP, shift: float = 0.0) -> None:
        self.qp, self.place, self.rows = qp, {}, []
        n, self.size = qp.step_count, 0
        counts = {"p": qp.design_count, "u": qp.control_count, "s": qp.state_count}
        for k in range(n):
            for name, count in counts.items():
                self._variables(name, k, count)
            if k < n - 1 and qp.linked[k]:
                self._variables("v", k, qp.control_count)
        self.H, self.g = np.zeros((self.size, self.size)), np.zeros(self.size)
        self._curvature(shift)
        self._constraints()

    def _variables(self, name: str, k: int, count: int) -> None:
        self.place[name, k] = slice(self.size, self.size + count)
        self.size += count

    def _curvature(self, shift: float) -> None:
        qp = self.qp
        blocks = {name: getattr(qp, name).dense() for name in ("Hpp", "Hpu", "Hps", "Huu", "Hus", "Hss")}
        if qp.tracked is not None:
            J = qp.tracked.jacobian.dense()
            blocks["Hss"] = np.einsum("kri,kr,krj->kij", J, qp.tracked.weights, J)
        for k in range(qp.step_count):
            for name, values in blocks.items():
                row, col = self.place[name[1], k], self.place[name[2], k]
                self.H[row, col] += values[k]
                if name[1] != name[2]:
                    self.H[col, row] += values[k].T
            for name, gradient in (("p", qp.gp), ("u", qp.gu)):
                own = self.place[name, k]
                self.H[own, own] += shift * np.eye(own.stop - own.start)
                self.g[own] = gradient[k]
            self.g[self.place["s", k]] = qp.gs[k]
            if ("v", k) in self.place:
                own = self.place["v", k]
                self.H[own, own] = np.diag(qp.Hvv[k])
                self.g[own] = qp.gv[k]

    def _row(self, name: str, k: int, value: np.ndarray) -> np.ndarray:
        block = np.zeros((len(value), self.size))
        self.rows.append((name, k, block, value))
        return block

    def _constraints(self) -> None:
        qp, n, place = self.qp, self.qp.step_count, self.place
        Cs, Cu, Cp = qp.Cs.dense(), qp.Cu.dense(), qp.Cp.dense()
        design, controls = np.eye(qp.design_count), np.eye(qp.control_count)
        for k in range(n - 1):
            row = self._row("d", k, np.zeros(qp.design_count))
            row[:, place["p", k + 1]], row[:, place["p", k]] = design, -design
            if qp.linked[k]:
                row = self._row("v", k, qp.velocity[k])
                row[:, place["u", k + 1]], row[:, place["u", k]] = controls, -controls
                row[:, place["v", k]] = -qp.spans[k] * controls
        row = self._row("p", 0, np.asarray(qp.design_units.residuals))[:, place["p", 0]]
        for i, columns in enumerate(qp.design_units.columns):
            row[i, columns] = qp.design_units.gradients[i]
        for k in range(n):
            row = self._row("u", k, qp.control_units.residuals[k])[:, place["u", k]]
            for i, columns in enumerate(qp.control_units.columns):
                row[i, columns] = qp.control_units.gradients[k, i]
            row = self._row("c", k, qp.C[k])
            row[:, place["s", k]], row[:, place["u", k]], row[:, place["p", k]] = Cs[k], Cu[k], Cp[k]

    def solved(self) -> Direction:
        """The solution of H d - A^T lambda = -g, A d = -r."""
        A, r = np.vstack([row[2] for row in self.rows]), np.concatenate([row[3] for row in self.rows])
        K = np.block([[self.H, -A.T], [A, np.zeros((len(A), len(A)))]])
        x = np.linalg.solve(K, -np.concatenate([self.g, r]))
        multipliers, at = {}, self.size
        for name, k, block, _ in self.rows:
            multipliers[name, k] = x[at : at + len(block)]
            at += len(block)
        qp, n, u = self.qp, self.qp.step_count, self.qp.control_count
        none = np.zeros(u)

        def gathered(name: str, count: int, width: int) -> np.ndarray:
            return np.array([multipliers.get((name, k), none) for k in range(count)]).reshape(count, width)

        return Direction(
            dp=x[self.place["p", 0]],
            du=np.array([x[self.place["u", k]] for k in range(n)]).reshape(n, u),
            dv=np.array([x[self.place["v", k]] if qp.linked[k] else none for k in range(n - 1)]).reshape(n - 1, u),
            ds=np.array([x[self.place["s", k]] for k in range(n)]),
            lambda_d=gathered("d", n - 1, qp.design_count),
            lambda_v=gathered("v", n - 1, u),
            lambda_p=multipliers["p", 0],
            lambda_u=gathered("u", n, qp.control_units.count),
            lambda_c=gathered("c", n, qp.state_count),
        )

    def negative_eigenvalues(self) -> int:
        """Of the Hessian on the null space of all rows."""
        A = np.vstack([row[2] for row in self.rows])
        _, values, right = np.linalg.svd(A)
        null = right[(values > 1e-9).sum() :].T
        return int((np.linalg.eigvalsh(null.T @ self.H @ null) < 0.0).sum())


def difference(a: Direction, b: Direction) -> float:
    """Largest difference of any part, relative to the largest entry of that part."""
    worst = 0.0
    for name in PARTS:
        first, second = getattr(a, name), getattr(b, name)
        assert first.shape == second.shape, name
        size = np.abs(second).max(initial=0.0)
        worst = max(worst, np.abs(first - second).max(initial=0.0) / max(size, 1e-300)) if size else worst
    return worst
