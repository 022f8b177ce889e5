"""Which rows of closed loops say something new.

In a plane three of the five rows of a hinge hold by themselves, at any position of the other hinges. Such rows would
leave multipliers undetermined. So J is looked at in several random positions at once: a row that is the same sum of
others in all of them is left out, and it must then hold where they do.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from animato.errors import CharacterError
from animato.mechanics.simulation.system.packed import POINT_ROW, PackedSystem
from animato.mechanics.tree import SLIDE

_SAMPLES, _SPREAD = 4, 0.3
_NEW = 1e-6  # share of the largest row that something new must have, and of a millimetre in any case
_OPEN = 1e-5  # [m or rad] by which a row that is left out may be open


def without_redundant_rows(packed: PackedSystem, names: tuple[str, ...]) -> tuple[PackedSystem, tuple[str, ...]]:
    """The system with independent rows only, and their names.

    Raises:
        CharacterError: A row that depends on others cannot hold where they do.
    """
    if not names:
        return packed, names
    random = np.random.default_rng(0)
    places = [np.zeros(packed.coordinate_count)]
    places += [_SPREAD * random.standard_normal(packed.coordinate_count) for _ in range(_SAMPLES)]
    looks = [_gaps_and_jacobian(packed, z) for z in places]
    stacked = np.hstack([jacobian for _, jacobian in looks[1:]])
    _, triangle, order = scipy.linalg.qr(stacked.T, mode="economic", pivoting=True)
    sizes = np.abs(np.diagonal(triangle))
    rank = int(np.sum(sizes > _NEW * max(float(sizes[0]), 1e-3)))
    kept = np.sort(order[:rank])
    left_out = np.setdiff1d(np.arange(len(names)), kept)
    shares = np.linalg.lstsq(stacked[kept].T, stacked[left_out].T, rcond=None)[0]
    gaps = looks[0][0]
    for row, open_by in zip(left_out, gaps[left_out] - shares.T @ gaps[kept], strict=True):
        if abs(open_by) > _OPEN:
            raise CharacterError(
                f"The loop that '{names[row]}' closes cannot be closed: its frames stay {abs(open_by):.3g} (m or rad) "
                f"apart wherever the other joints are. Correct the frames of the joints of that loop."
            )
    return _with_rows(packed, kept), tuple(names[row] for row in kept)


def _with_rows(packed: PackedSystem, kept: np.ndarray) -> PackedSystem:
    loops = packed.loops
    loops = loops._replace(
        first=np.searchsorted(kept, loops.first).astype(np.int64),
        row_kind=loops.row_kind[kept],
        row_point=loops.row_point[kept],
        row_axis=loops.row_axis[kept],
    )
    return packed._replace(loops=loops)


def _gaps_and_jacobian(packed: PackedSystem, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gaps [m] and J [m, n] at coordinates z; plain numpy, once a system."""
    rotation, position, motion = _poses(packed, z)
    loops = packed.loops
    gaps, jacobian = np.zeros(len(loops.row_kind)), np.zeros((len(loops.row_kind), len(z)))
    for q, (first, second) in enumerate(loops.steps):
        reach = _reach(packed, motion, int(second)) - _reach(packed, motion, int(first))
        for r in range(loops.first[q], loops.first[q + 1]):
            e = rotation[first] @ loops.row_axis[r, 0]
            if loops.row_kind[r] == POINT_ROW:
                one = position[first] + rotation[first] @ loops.row_point[r, 0]
                two = position[second] + rotation[second] @ loops.row_point[r, 1]
                gaps[r], wrench = e @ (two - one), np.concatenate([np.cross(two, e), e])
            else:
                w = rotation[second] @ loops.row_axis[r, 1]
                gaps[r], wrench = e @ w, np.concatenate([np.cross(w, e), np.zeros(3)])
            jacobian[r] = wrench @ reach
    return gaps, jacobian


def _poses(packed: PackedSystem, z: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
    """Rotation and position of all steps in the world, and the motion [s, 6] of each hinge."""
    tree, drive = packed.tree, packed.drive
    slots = z[drive.slot_coordinate]
    rotation, position = [np.eye(3)], [np.zeros(3)]
    motion = np.zeros((len(tree.parent), 6))
    for s in range(1, len(tree.parent)):
        entries = slice(drive.entry_first[s], drive.entry_first[s + 1])
        moved = tree.offset[s] + drive.entry_weight[entries] @ slots[drive.entry_slot[entries]]
        above = tree.parent[s]
        R, p = rotation[above] @ tree.rotation[s], position[above] + rotation[above] @ tree.position[s]
        axis = R[:, 2]
        if tree.kind[s] == SLIDE:
            p, motion[s, 3:] = p + moved * axis, axis
        else:
            c, n = np.cos(moved), np.sin(moved)
            R = R @ np.array([[c, -n, 0.0], [n, c, 0.0], [0.0, 0.0, 1.0]])
            motion[s] = np.concatenate([axis, np.cross(p, axis)])
        rotation.append(R)
        position.append(p)
    return rotation, position, motion


def _reach(packed: PackedSystem, motion: np.ndarray, step: int) -> np.ndarray:
    """Motion of a step by each coordinate, [6, n]."""
    reach, drive = np.zeros((6, packed.coordinate_count)), packed.drive
    while step > 0:
        for e in range(drive.entry_first[step], drive.entry_first[step + 1]):
            reach[:, drive.slot_coordinate[drive.entry_slot[e]]] += drive.entry_weight[e] * motion[step]
        step = int(packed.tree.parent[step])
    return reach
