"""Path and timing as one problem, equation 9 of Luo and Hauser (2012).

    minimize  f_g(P) + alpha f_c(P) + pull f_r(P) + beta f_t(b) + gamma t_f(b)

over the control points P within the joint limits and b = s'^2 on a grid, s'' constant on each segment, with limits on
velocity at every grid point, and on acceleration and torque at both ends of every segment:

    q'^2 b <= v^2,    |q' s'' + q'' b| <= a,    |a(q, q') s'' + d(q, q', q'') b + c(q) + k q' sqrt b| <= tau

with k from damping. A straight piece of a torque-speed curve, tau <= tau_0 - fall |v| while the motor drives, is one
more row of that kind, with the torque at rest tau_0 and k larger by the fall; while it brakes, that row leaves more.
Where a duration is wanted, t_f(b) is that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from animato.character import Character
from animato.mechanics.tree import SLIDE, TURN, Tree, packed_tree
from animato.mechanics.tree.path_torques import JointChain, build_joint_chain, carried
from animato.solvers.timing import FIXED_DURATION, TimingArrays
from animato.spatial.basis import basis_rows
from animato.trace.options import Options
from animato.trace.path import JointPath, PathProblem
from animato.trace.sketch import DrawnTiming
from animato.trace.timing import AxisLimits, TimeScaling, axis_limits, build_stage, tempo_lock_b


class CoupledArrays(NamedTuple):
    """What the kernels walk. n coordinates move, m degrees of freedom have r limits of torque, N segments.

    Times are in a unit of their own, so that the whole motion takes about 1.

    Attributes:
        chain: The joints that move, or have a torque limit.
        carries: Whether joint i carries joint j, or is it, [j, j].
        gravity: In that unit, [3].
        dof_column: Column of the path that is this degree of freedom, -1 where it is held, [m].
        armature: Rotor inertia of the degrees of freedom with a torque limit, [m].
        first: First control point of each grid point, [N + 1].
        values: Basis values there and their first two derivatives, [N + 1, 3, 4].
        velocity: 1 / v^2, 0 where there is no limit, [n].
        acceleration: 1 / a, 0 where there is no limit, [n].
        row_dof: Which of the m degrees of freedom each limit of torque is for, [r].
        row_column: Column of the path that is this degree of freedom, 0 where it is held, [r].
        drag: Torque per q' sqrt b, of damping and the fall of a torque-speed curve, [r].
        torque: 1 / tau of what friction leaves, [r].
        lock: 1 / the largest b at each grid point, 0 where free, [N + 1].
        timing: Times, weights and widths; its rows are not used.
        waits: Rests at the grid points, as the start has them, [N + 1].
    """

    chain: JointChain
    carries: np.ndarray
    gravity: np.ndarray
    dof_column: np.ndarray
    armature: np.ndarray
    first: np.ndarray
    values: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    row_dof: np.ndarray
    row_column: np.ndarray
    drag: np.ndarray
    torque: np.ndarray
    lock: np.ndarray
    timing: TimingArrays
    waits: np.ndarray


@dataclass(frozen=True, eq=False)
class CoupledProblem:
    """A coupled problem and where to begin.

    Attributes:
        character: Whose limits hold.
        path: The geometric part.
        rest: Posture of the pull, [n].
        drawn: The timing to mimic.
        options: Its weights.
        grid: s, [N + 1].
        unit: Of time [s].
        arrays: All that in the unit of time.
        torque_dofs: Degrees of freedom with a torque limit, [m].
        start_points: Control points of the decoupled path, [c, n].
        start_b: b of its time scaling in the unit of time, [N + 1].
    """

    character: Character
    path: PathProblem
    rest: np.ndarray
    drawn: DrawnTiming
    options: Options
    grid: np.ndarray
    unit: float
    arrays: CoupledArrays
    torque_dofs: np.ndarray
    start_points: np.ndarray
    start_b: np.ndarray

    @property
    def size(self) -> int:
        """Number of unknowns: control points, then b at every grid point."""
        return self.start_points.size + len(self.grid)

    def joint_path(self, control_points: np.ndarray) -> JointPath:
        """The path of control points [c, n]."""
        kinematics = self.path.kinematics
        return JointPath(kinematics.names, self.path.knots, control_points, kinematics.held)


def build_coupled_problem(
    character: Character,
    path_problem: PathProblem,
    path: JointPath,
    scaling: TimeScaling,
    drawn: DrawnTiming,
    options: Options,
) -> CoupledProblem:
    """Prepares the coupled problem, starting from the decoupled answer.

    Args:
        character: Whose limits hold.
        path_problem: The geometric problem, with the knots of the path.
        path: Its answer.
        scaling: The answer of the temporal stage for that path.
        drawn: The timing to mimic.
        options: Weights and wishes of the timing.
    """
    # whether the start could take the wanted duration does not matter here
    stage = build_stage(character, path, drawn, replace(options, duration_s=None))
    tree, unit = packed_tree(character), stage.unit
    rests = ~stage.problem.moves
    values = np.stack([basis_rows(path.knots, stage.grid, derivative=d)[1] for d in range(3)], axis=1)
    lock = 1.0 / (tempo_lock_b(drawn, stage.grid) * unit**2) if options.tempo_lock else np.zeros(len(stage.grid))
    limits = axis_limits(character)
    columns = np.array([tree.dof_names.index(name) for name in path.names], dtype=np.int64)
    torque_dof = np.flatnonzero(np.isfinite(limits.torque)) if options.torque else np.zeros(0, dtype=np.int64)
    torque_row = np.full(len(tree.dof_names), -1, dtype=np.int64)
    torque_row[torque_dof] = np.arange(len(torque_dof))
    dof_column = np.array([int(np.flatnonzero(columns == d)[0]) if d in columns else -1 for d in torque_dof], np.int64)
    torque_rows = _torque_rows(limits, torque_dof, dof_column, unit)
    root = np.concatenate([tree.root_rest.position, tree.root_rest.quaternion_wxyz])
    chain = build_joint_chain(tree.arrays, _resting(tree, path), root, step_columns(tree, path.names), torque_row)
    arrays = CoupledArrays(
        chain=chain,
        carries=carried(chain),
        gravity=tree.arrays.gravity * unit**2,
        dof_column=dof_column,
        armature=np.ascontiguousarray(tree.armature[torque_dof]),
        first=basis_rows(path.knots, stage.grid)[0],
        values=np.ascontiguousarray(values),
        velocity=1.0 / (limits.velocity[columns] * unit) ** 2,
        acceleration=1.0 / (limits.acceleration[columns] * unit**2),
        **torque_rows,
        lock=np.where(rests, 0.0, lock),
        timing=_lasting(stage.problem, options, unit),
        waits=_moved_waits(scaling, stage.grid) / unit,
    )
    return CoupledProblem(
        character=character,
        path=path_problem,
        rest=path_problem.kinematics.start,
        drawn=drawn,
        options=options,
        grid=stage.grid,
        unit=unit,
        arrays=arrays,
        torque_dofs=torque_dof,
        start_points=np.array(path.control_points),
        start_b=np.where(rests, 0.0, np.interp(stage.grid, scaling.s, scaling.b)) * unit**2,
    )


def _moved_waits(scaling: TimeScaling, grid: np.ndarray) -> np.ndarray:
    """Rests of a time scaling at the nearest places of another grid [s], [N + 1]."""
    waits = np.zeros(len(grid))
    for s, seconds in zip(scaling.s, scaling.waits, strict=True):
        waits[int(np.argmin(np.abs(grid - s)))] += seconds
    return waits


def _lasting(timing: TimingArrays, options: Options, unit: float) -> TimingArrays:
    """The timing problem with the wanted duration, where there is one."""
    if options.duration_s is None:
        return timing
    duration = options.duration_s / unit
    drawn = timing.drawn * duration if options.timing == "relative" else timing.drawn
    return timing._replace(drawn=drawn, mode=FIXED_DURATION, duration=duration)


def _torque_rows(limits: AxisLimits, dofs: np.ndarray, dof_column: np.ndarray, unit: float) -> dict[str, np.ndarray]:
    """Limits of torque as rows: of every degree of freedom, then of every piece of its torque-speed curve."""
    rows = [(k, limits.damping[d], limits.torque[d]) for k, d in enumerate(dofs)]
    for k, d in enumerate(dofs):
        rows += [(k, limits.damping[d] + fall, least) for least, fall in limits.lines[d] if np.isfinite(least)]
    row_dof = np.array([row[0] for row in rows], dtype=np.int64)
    left = np.array([row[2] for row in rows]) - limits.friction[dofs[row_dof]]
    moves = dof_column[row_dof] >= 0
    return {
        "row_dof": row_dof,
        "row_column": np.maximum(dof_column[row_dof], 0),
        "drag": np.where(moves, np.array([row[1] for row in rows]), 0.0) * unit,
        "torque": 1.0 / (left * unit**2),
    }


def _resting(tree: Tree, path: JointPath) -> np.ndarray:
    resting = tree.neutral.copy()
    for name, value in zip(path.held.names, path.held.positions, strict=True):
        resting[tree.coordinate_names.index(name)] = value
    return resting


def step_columns(tree: Tree, names: tuple[str, ...]) -> np.ndarray:
    """Column of a path that drives each step of a tree, -1 where none does, [step]."""
    where = {tree.coordinate_names.index(name): k for k, name in enumerate(names)}
    one_axis = np.isin(tree.arrays.kind, (TURN, SLIDE))
    return np.array(
        [where.get(int(c), -1) if axis else -1 for c, axis in zip(tree.arrays.coordinate, one_axis, strict=True)],
        dtype=np.int64,
    )
