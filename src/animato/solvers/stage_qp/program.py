"""The quadratic program of a search direction: stages in time that share design variables.

    min  sum_k  g_k . d_k + 1/2 d_k^T H_k d_k,      d_k = (dp, du_k, dv_k, ds_k),  k = 0 .. N - 1
    s.t. du_{k+1} - du_k - dt dv_k + velocity_k = 0          (multipliers lambda^V_k)
         P_p dp + P = 0,   U_u,k du_k + U_k = 0              (unit quaternions; lambda^P, lambda^U_k)
         C_s,k ds_k + C_u,k du_k + C_p,k dp + C_k = 0        (kinematics; lambda^C_k)

after equation 4 of Maloisel, Schumacher, Knoop, Grandia, Bächer: Optimal Design of Robotic Character
Kinematics. ACM Trans. Graph. 42(6), 2023. Nothing here knows a robot. The Lagrangian is L = f - lambda^T c.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.errors import OptionError


@dataclass(frozen=True, eq=False)
class StepMatrices:
    """Sparse matrices of one pattern, one for every step.

    Attributes:
        shape: Rows and columns.
        rows: Row of every entry, shape [entry]; entries at the same place add up.
        cols: Column of every entry, shape [entry].
        values: Shape [step, entry].
    """

    shape: tuple[int, int]
    rows: np.ndarray
    cols: np.ndarray
    values: np.ndarray

    def __post_init__(self) -> None:
        # one memory layout, so that kernels are compiled once
        object.__setattr__(self, "rows", np.ascontiguousarray(self.rows, dtype=np.int64))
        object.__setattr__(self, "cols", np.ascontiguousarray(self.cols, dtype=np.int64))
        object.__setattr__(self, "values", np.ascontiguousarray(self.values, dtype=float))

    @property
    def empty(self) -> bool:
        """Whether there is no entry at all."""
        return len(self.rows) == 0

    def dense(self) -> np.ndarray:
        """All matrices in full, shape [step, row, col]."""
        result = np.zeros((len(self.values), self.shape[0] * self.shape[1]))
        for place, value in zip(self.rows * self.shape[1] + self.cols, self.values.T, strict=True):
            result[:, place] += value
        return result.reshape(len(self.values), *self.shape)

    @staticmethod
    def zeros(steps: int, shape: tuple[int, int]) -> StepMatrices:
        """Matrices without entries."""
        none = np.empty(0, dtype=np.int64)
        return StepMatrices(shape, none, none, np.empty((steps, 0)))


@dataclass(frozen=True, eq=False)
class UnitRows:
    """Linearized rows |q|^2 = 1 of quaternions among the variables.

    Attributes:
        columns: The four variables of every quaternion, shape [quaternion, 4].
        gradients: Derivative of every row with respect to its quaternion: shape [quaternion, 4], or
            [step, quaternion, 4] where it changes over time. Along the quaternion, of any length but zero.
        residuals: Value of every row, shape [quaternion] or [step, quaternion].
    """

    columns: np.ndarray
    gradients: np.ndarray
    residuals: np.ndarray

    @property
    def count(self) -> int:
        """Quaternions."""
        return len(self.columns)


@dataclass(frozen=True, eq=False)
class Tracked:
    """Gauss-Newton: the curvature of the states as H_ss = J^T W J with few rows.

    Attributes:
        jacobian: Derivative of the tracked residuals with respect to the states, shape (residual, state).
        weights: Diagonal of W, not negative, shape [step, residual].
    """

    jacobian: StepMatrices
    weights: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", np.ascontiguousarray(self.weights, dtype=float))

    def curvature(self) -> StepMatrices:
        """J^T W J, multiplied out."""
        J = self.jacobian
        by_row: dict[int, list[int]] = {}
        for entry, row in enumerate(J.rows.tolist()):
            by_row.setdefault(row, []).append(entry)
        pairs = [(a, b) for own in by_row.values() for a in own for b in own]
        a, b = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        values = J.values[:, a] * J.values[:, b] * self.weights[:, J.rows[a]]
        return StepMatrices((J.shape[1], J.shape[1]), J.cols[a], J.cols[b], values)


@dataclass(frozen=True, eq=False)
class StageQP:
    """Data of the program. Symmetric matrices list both their triangles.

    Attributes:
        dt: Time between stages [s], one number or shape [step - 1].
        Hpp: Design with design, shape (design, design), for every step: the curvature of its terms.
        Hpu: Design with controls, shape (design, control).
        Hps: Design with states, shape (design, state).
        Huu: Controls with controls.
        Hus: Controls with states, shape (control, state).
        Hss: States with states. Must be empty, as Hps and Hus, where `tracked` is given.
        Hvv: Diagonal of velocities with velocities, shape [step - 1, control].
        gp: Gradient with respect to the design, shape [step, design].
        gu: Shape [step, control].
        gv: Shape [step - 1, control].
        gs: Shape [step, state].
        Cs: Square and invertible: redundant rows have been taken out.
        Cu: Shape (state, control).
        Cp: Shape (state, design).
        C: Value of the kinematic rows, shape [step, state].
        velocity: Value of u_{k+1} - u_k - dt v_k, shape [step - 1, control].
        design_units: Unit quaternions of the design; gradients without a step axis.
        control_units: Unit quaternions of the controls; gradients with a step axis.
        starts: First stage of every motion; the stages before and at a start are not linked, and the
            velocity between them is no variable: its data is ignored and its direction is zero.
        tracked: Gauss-Newton form of Hss, or None.
    """

    dt: float | np.ndarray
    Hpp: StepMatrices
    Hpu: StepMatrices
    Hps: StepMatrices
    Huu: StepMatrices
    Hus: StepMatrices
    Hss: StepMatrices
    Hvv: np.ndarray
    gp: np.ndarray
    gu: np.ndarray
    gv: np.ndarray
    gs: np.ndarray
    Cs: StepMatrices
    Cu: StepMatrices
    Cp: StepMatrices
    C: np.ndarray
    velocity: np.ndarray
    design_units: UnitRows
    control_units: UnitRows
    starts: tuple[int, ...] = (0,)
    tracked: Tracked | None = None

    def __post_init__(self) -> None:
        for name in ("Hvv", "gp", "gu", "gv", "gs", "C", "velocity"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=float))
        n, p, u, s = self.step_count, self.design_count, self.control_count, self.state_count
        wanted = {
            "Hpp": (p, p), "Hpu": (p, u), "Hps": (p, s), "Huu": (u, u), "Hus": (u, s), "Hss": (s, s),
            "Cs": (s, s), "Cu": (s, u), "Cp": (s, p),
        }  # fmt: skip
        for name, shape in wanted.items():
            matrices: StepMatrices = getattr(self, name)
            if matrices.shape != shape or matrices.values.shape != (n, len(matrices.rows)):
                raise OptionError(
                    f"{name} of a stage program has shape {matrices.shape} and values {matrices.values.shape}; "
                    f"expected {shape} and ({n}, {len(matrices.rows)})."
                )
        shapes = {"Hvv": (n - 1, u), "gv": (n - 1, u), "velocity": (n - 1, u), "gp": (n, p), "gu": (n, u), "C": (n, s)}
        for name, rows_cols in shapes.items():
            if getattr(self, name).shape != rows_cols:
                given = getattr(self, name).shape
                raise OptionError(f"{name} of a stage program has shape {given}; expected {rows_cols}.")
        if self.tracked is not None and not (self.Hss.empty and self.Hps.empty and self.Hus.empty):
            raise OptionError("A stage program has either tracked residuals or Hss, Hps and Hus, not both.")
        if not self.starts or self.starts[0] != 0 or any(not 0 <= start < n for start in self.starts):
            raise OptionError(f"Motions start at {self.starts}; expected 0 first and all within {n} stages.")

    @property
    def step_count(self) -> int:
        """Stages N."""
        return len(self.gs)

    @property
    def design_count(self) -> int:
        """Variables p."""
        return self.gp.shape[1]

    @property
    def control_count(self) -> int:
        """Variables u of a stage."""
        return self.gu.shape[1]

    @property
    def state_count(self) -> int:
        """Variables s of a stage."""
        return self.gs.shape[1]

    @property
    def linked(self) -> np.ndarray:
        """Whether stages k and k + 1 belong to one motion, shape [step - 1]."""
        result = np.ones(self.step_count - 1, dtype=bool)
        result[[start - 1 for start in self.starts if start > 0]] = False
        return result

    @property
    def spans(self) -> np.ndarray:
        """Time between stages [s], shape [step - 1, 1]."""
        return np.broadcast_to(np.asarray(self.dt, dtype=float), (self.step_count - 1,))[:, None]


@dataclass(frozen=True, eq=False)
class Direction:
    """Solution of a stage program, with the multipliers of L = f - lambda^T c.

    Where the gradients of the program are those of the Lagrangian, multipliers are increments; where they
    are those of the objective, they are the multipliers themselves.

    Attributes:
        dp: Design, shape [design].
        du: Controls, shape [step, control].
        dv: Velocities, shape [step - 1, control].
        ds: States, shape [step, state].
        lambda_d: Of the rows p_{k+1} - p_k = 0 of a design copied to every stage, shape [step - 1, design].
        lambda_v: Of the velocity rows, shape [step - 1, control].
        lambda_p: Of the unit rows of the design, shape [quaternion].
        lambda_u: Of the unit rows of the controls, shape [step, quaternion].
        lambda_c: Of the kinematic rows, shape [step, state].
        shift: What was added to the diagonals of Hpp and Huu at every stage to make the program convex; 0
            where nothing was.
        negative_pivots: Negative eigenvalues of the reduced matrix before that, -1 where not known.
        repivoted: Stages whose Cs needed pivots of its own.
        analysis: What the method found out about the pattern, to be handed to the next call.
        residual: What is left of the derivative of the Lagrangian, relative to its largest term; "arrow" only.
    """

    dp: np.ndarray
    du: np.ndarray
    dv: np.ndarray
    ds: np.ndarray
    lambda_d: np.ndarray
    lambda_v: np.ndarray
    lambda_p: np.ndarray
    lambda_u: np.ndarray
    lambda_c: np.ndarray
    shift: float = 0.0
    negative_pivots: int = -1
    repivoted: tuple[int, ...] = ()
    analysis: Any = None
    residual: float = float("nan")
