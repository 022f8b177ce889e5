"""Rank, mobility and redundancy of a mechanism at a generic pose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.loops.assembly.placing import close, normalized_state, tree_joints
from animato.mechanics.loops.assembly.redundancy import find_redundancy, unseen_motions
from animato.mechanics.loops.constraints import Mechanism, RowKind, RowPurpose, constraint_jacobians, joint_coordinates

_POSES = 2  # generic poses that are tried beside the rest
_REACH = 0.25  # [rad, or typical lengths] by which the farthest body of a generic pose moves


@dataclass(frozen=True, eq=False)
class Mobility:
    """What moves and which rows say it twice.

    Attributes:
        mobility: Degrees of freedom with actuators free.
        driven: How many of them the actuators determine.
        passive_dropped, active_dropped: Indices of redundant rows.
        free_bodies: Bodies that move while actuators stand still.
        free_joints: Passive joints that move then.
        generic_state: The pose at which this was found, shape [state].
    """

    mobility: int
    driven: int
    passive_dropped: np.ndarray
    active_dropped: np.ndarray
    free_bodies: tuple[str, ...]
    free_joints: tuple[str, ...]
    generic_state: np.ndarray


def find_mobility(draft: Mechanism, *, tolerance: float) -> Mobility:
    """Finds rank and redundancy, first with actuators free, then with them.

    A special pose, such as a linkage folded flat, has fewer independent rows than the poses around it.
    So the rank is also taken at poses reached by moving the mechanism a little, again and again, in ways
    of a fixed random generator, and the highest rank counts. The rows of a spanning tree are independent
    at every pose, so only joints that close loops lose rows, and of them those rows that can go at all
    of these poses.
    """
    purposes = np.array([row.purpose for row in draft.rows])
    passive = np.flatnonzero(purposes != RowPurpose.ACTUATOR)
    tree = tree_joints(draft.character)
    removable = np.array(
        [n for n, i in enumerate(passive) if purposes[i] != RowPurpose.UNIT and draft.rows[i].owner not in tree],
        dtype=np.int64,
    )
    if len(draft.joints) == len(draft.body_names) and len(draft.rows) == len(draft.state):
        # A tree whose every joint is driven: nothing to find out.
        none = np.zeros(0, dtype=np.int64)
        mobility = len(draft.rows) - len(passive)
        return Mobility(mobility, mobility, none, none, (), (), draft.state)
    poses = _poses(draft, passive)
    found = find_redundancy(
        np.stack([scaled_jacobian(draft, pose)[passive] for pose in poses]), removable, tolerance=tolerance
    )
    passive_dropped = passive[found.removed]
    mobility = len(draft.state) - found.rank
    rest = np.setdiff1d(np.arange(len(draft.rows)), passive_dropped)
    driving = np.flatnonzero(purposes[rest] == RowPurpose.ACTUATOR)
    controls = joint_coordinates(draft, np.stack(poses)).columns(draft.control_names)
    full = np.stack([scaled_jacobian(draft, pose, u)[rest] for pose, u in zip(poses, controls, strict=True)])
    driven = find_redundancy(full, driving, tolerance=tolerance)
    state = poses[driven.pose]
    free = len(draft.state) - driven.rank
    bodies, joints = ((), ()) if not free else _free_parts(draft, state, unseen_motions(full[driven.pose], driven.rank))
    return Mobility(mobility, mobility - free, passive_dropped, rest[driven.removed], bodies, joints, state)


def _poses(draft: Mechanism, passive: np.ndarray) -> list[np.ndarray]:
    """The rest pose and, where there are loops, some others."""
    poses = [draft.state]
    if len(draft.joints) <= len(draft.body_names):  # a tree has no redundant rows, whatever its pose
        return poses
    generator = np.random.default_rng(0)
    for _ in range(_POSES):
        moved = _moved(draft, poses[-1], passive, generator)
        if moved is None:
            break
        poses.append(moved)
    return poses


def scaled_jacobian(mechanism: Mechanism, state: np.ndarray, controls: np.ndarray | None = None) -> np.ndarray:
    """C_s of all rows at one state without units, shape [row, state].

    Positions and rows that are lengths are counted in the mechanism's typical length.
    """
    u = mechanism.controls if controls is None else controls
    found = constraint_jacobians(mechanism, state[None], u[None], rows="all")
    by_row, by_column = unit_scales(mechanism)
    return found.rows.state.dense(found.state[0]) * by_row[:, None] * by_column


def is_singular(mechanism: Mechanism, kept: np.ndarray, tolerance: float) -> bool:
    """Whether some motion at the rest pose is seen by none of the kept rows, actuators included."""
    rows = scaled_jacobian(mechanism, mechanism.state)[kept]
    values = np.linalg.svd(rows / np.linalg.norm(rows, axis=1, keepdims=True), compute_uv=False)
    return bool(values[-1] < tolerance * values[0])


def unit_scales(mechanism: Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """Factors of all rows and of all columns that make C_s a matrix without units."""
    lengths = np.array([row.kind in (RowKind.POINT, RowKind.SLIDE) for row in mechanism.rows])
    by_column = np.ones(len(mechanism.state))
    by_column.reshape(-1, 7)[:, :3] = mechanism.length
    return np.where(lengths, 1.0 / mechanism.length, 1.0), by_column


def _moved(
    draft: Mechanism, start: np.ndarray, passive: np.ndarray, generator: np.random.Generator
) -> np.ndarray | None:
    """A pose a little away from another along a random way the passive rows allow, or None where they allow none.

    (J^T J + eps)^-1 of any vector is, but for the scale, what of it no row sees.
    """
    _, by_column = unit_scales(draft)
    jacobian = scaled_jacobian(draft, start)[passive]
    normal = jacobian.T @ jacobian
    normal[np.diag_indices_from(normal)] += 1e-9
    direction = np.linalg.solve(normal, generator.standard_normal(len(normal)))
    direction = direction / float(np.max(np.abs(direction))) * by_column

    def residuals(state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = constraint_jacobians(draft, state[None], draft.controls[None], rows="all")
        return rows.values[0, passive], rows.rows.state.dense(rows.state[0])[passive]

    loose = max(1e-9, 10.0 * float(np.max(np.abs(residuals(start)[0]))))
    for reach in (_REACH, _REACH / 4.0):
        closing = close(residuals, normalized_state(start + reach * direction), tolerance=loose, rounds=30)
        if closing.closed and np.max(np.abs(closing.state - start)) > 1e-3 * reach:
            return closing.state
    return None


def _free_parts(draft: Mechanism, state: np.ndarray, motions: np.ndarray) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Bodies that some unseen motion moves, and passive joints whose coordinates change with it."""
    motions = motions * unit_scales(draft)[1][:, None]
    size = np.linalg.norm(motions.reshape(-1, 7, motions.shape[1]), axis=(1, 2))
    bodies = tuple(name for name, amount in zip(draft.body_names, size, strict=True) if amount > 1e-6)
    step = 1e-5
    # One state a motion, behind the rest pose, so that angles do not jump between them.
    moved = np.vstack([state, normalized_state(state + step * motions.T)])
    coordinates = joint_coordinates(draft, moved)
    change = np.max(np.abs(coordinates.values[1:] - coordinates.values[0]), axis=0) / step
    moving = {name for name, amount in zip(coordinates.names, change, strict=True) if amount > 1e-3}
    joints = tuple(
        joint.name
        for joint in draft.joints
        if joint.name not in draft.control_names and moving.intersection(joint.coordinate_names)
    )
    return bodies, joints
