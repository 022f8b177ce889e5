"""The order of joints that puts the bodies of a character where a file says they are."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import numpy as np

from animato.character import Character
from animato.errors import FileFormatError
from animato.formats.training.opened import opened
from animato.formats.training.robot_order import BodyChoice, JointOrder, names_of_columns, robot_order
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip

_FRAMES = 20  # that are looked at
_NEAR = 0.05  # of the robot's size by which bodies may be off: models of one robot differ a little
_NEXT = 2.0  # times that the next best order is off at least
_ROUNDED = 1e-4  # [m] that say nothing: files are in single precision


def fitting_order(
    path: str | Path, character: Character, base: np.ndarray, joints: np.ndarray, places: np.ndarray
) -> JointOrder:
    """Depth first, breadth first, or the character's own.

    Args:
        path: Names the file in errors.
        character: Whose motion it should be.
        base: x, y, z [m] and quaternion w, x, y, z, shape [frame, 7].
        joints: [rad or m], shape [frame, joint].
        places: Of the bodies in the world [m], the root first, shape [frame, body, 3].

    Raises:
        FileFormatError: No order fits, or it cannot be told which one does.
    """
    frames = np.unique(np.linspace(0, len(base) - 1, min(_FRAMES, len(base))).astype(int))
    off: dict[tuple[str, ...], float] = {}
    named: dict[tuple[str, ...], JointOrder] = {}
    for order in get_args(JointOrder):
        names = names_of_columns(character, joints.shape[1], order)
        if names is not None and names not in off:
            off[names], named[names] = _off(character, names, base[frames], joints[frames], places[frames]), order
    if not off:
        raise FileFormatError(
            path,
            f"it has {joints.shape[1]} joints and does not name them; '{character.name}' has "
            f"{len(character.coordinate_names)}. Give the character whose motion it is.",
        )
    best, *others = sorted(off, key=lambda one: off[one])
    size = float(np.linalg.norm(np.ptp(places[frames], axis=1), axis=1).max())
    if not off[best] <= _NEAR * size + _ROUNDED:
        raise FileFormatError(
            path,
            f"the bodies are not where '{character.name}' has them, counted in any order ({off[best]:.3g} m off). Give "
            "the character whose motion it is, or say `joint_order`.",
        )
    if others and not off[others[0]] > max(_NEXT * off[best], _ROUNDED):
        raise FileFormatError(
            path,
            "it does not name its joints, and the bodies fit whether they are counted depth first or breadth first. "
            "Say `joint_order`: breadth_first for files made with Isaac, depth_first for those made with MuJoCo.",
        )
    return named[best]


def _off(
    character: Character, names: tuple[str, ...], base: np.ndarray, joints: np.ndarray, places: np.ndarray
) -> float:
    """How far bodies are off [m], root mean square, in the order and choice of bodies that suits best."""
    tree = opened(character)
    known = [n for n, name in enumerate(names) if name in tree.coordinate_names]
    moved = character.floats
    clip = Clip(
        np.arange(len(base), dtype=np.float64),
        tuple(names[n] for n in known),
        joints[:, known],
        base[:, :3] if moved else None,
        base[:, 3:] if moved else None,
    )
    poses = forward_kinematics(tree, clip)
    offs = [np.inf]
    for order in get_args(JointOrder):
        for choice in get_args(BodyChoice):
            bodies = robot_order(character, order, choice).body_names
            if len(bodies) == places.shape[1]:
                found = poses.positions[:, [poses.names.index(body) for body in bodies]]
                offs.append(float(np.sqrt(np.mean(np.sum((found - places) ** 2, axis=2)))))
    return min(offs)
