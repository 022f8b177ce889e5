"""The same character as a Pinocchio model, for its derivatives and algorithms, and as a second opinion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import missing_dependency
from animato.mechanics.tree.packing import BALL, FREE, SLIDE, TURN, packed_tree
from animato.mechanics.tree.states import States


@dataclass(frozen=True, eq=False)
class PinocchioTwin:
    """A `pinocchio.Model` with one joint a step of the packed tree, and how its vectors map to ours.

    Attributes:
        model: The Pinocchio model. Its frames carry the names of our bodies.
        expansion: E with v_pinocchio = E v, gears and reversed joints included, [nv, dof].
    """

    model: Any
    expansion: np.ndarray
    _character: Character

    def configurations(self, states: States) -> np.ndarray:
        """Pinocchio's q (quaternions xyzw) at each moment, [time, nq]."""
        arrays = packed_tree(self._character).arrays
        out = np.empty((len(states.times), self.model.nq))
        for step, joint in enumerate(_joint_ids(arrays.kind)):
            if joint == 0:
                continue
            where = self.model.joints[joint].idx_q
            if arrays.kind[step] == FREE:
                out[:, where : where + 3] = states.root[:, :3]
                out[:, where + 3 : where + 7] = states.root[:, [4, 5, 6, 3]]
            elif arrays.kind[step] == BALL:
                n, sign = arrays.coordinate[step], np.sign(arrays.scale[step])
                out[:, where : where + 3] = sign * states.positions[:, n + 1 : n + 4]
                out[:, where + 3] = states.positions[:, n]
            else:
                column = states.positions[:, arrays.coordinate[step]]
                out[:, where] = arrays.scale[step] * column + arrays.offset[step]
        return out

    def velocities(self, values: np.ndarray) -> np.ndarray:
        """Velocities or accelerations [time, dof] as Pinocchio's v [time, nv]."""
        return values @ self.expansion.T

    def forces(self, values: np.ndarray) -> np.ndarray:
        """Pinocchio's generalized forces [time, nv] in our columns [time, dof]."""
        return values @ self.expansion


def _joint_ids(kind: np.ndarray) -> list[int]:
    """Pinocchio's joint of each step; the universe (0) for a root that is held."""
    return [0 if step == 0 and kind[0] != FREE else step + (1 if kind[0] == FREE else 0) for step in range(len(kind))]


@lru_cache(maxsize=16)
def pinocchio_twin(character: Character) -> PinocchioTwin:
    """Builds the twin of a tree character.

    A spherical joint that the tree walks from child to parent turns its velocities over with its
    pose, which no constant map can say; such characters keep their order of bodies to have a twin.

    Raises:
        MissingDependencyError: Pinocchio is not installed.
    """
    try:
        import pinocchio
    except ImportError:
        raise missing_dependency("pin", "pinocchio", "A Pinocchio model") from None
    tree = packed_tree(character)
    arrays = tree.arrays
    model = pinocchio.Model()
    model.name = character.name
    model.gravity.linear = arrays.gravity
    ids = _joint_ids(arrays.kind)
    rows: list[tuple[int, int, float]] = []
    for step, kind in enumerate(arrays.kind):
        if ids[step] == 0:
            continue
        if kind == TURN:
            joint = pinocchio.JointModelRZ()
        elif kind == SLIDE:
            joint = pinocchio.JointModelPZ()
        else:
            joint = pinocchio.JointModelSpherical() if kind == BALL else pinocchio.JointModelFreeFlyer()
        above = 0 if arrays.parent[step] < 0 else ids[arrays.parent[step]]
        placement = pinocchio.SE3(arrays.rotation[step], arrays.position[step])
        index = model.addJoint(above, joint, placement, f"step{step}")
        inertia = pinocchio.Inertia(arrays.mass[step], arrays.centre[step], arrays.inertia[step])
        model.appendBodyToJoint(index, inertia, pinocchio.SE3.Identity())
        width = model.joints[index].nv
        scale = 1.0 if width > 1 else float(arrays.scale[step])
        rows += [(model.joints[index].idx_v + k, int(arrays.dof[step]) + k, scale) for k in range(width)]
    for body, name in enumerate(tree.body_names):
        placement = pinocchio.SE3(arrays.body_rotation[body], arrays.body_position[body])
        model.addFrame(pinocchio.Frame(name, ids[arrays.body_step[body]], 0, placement, pinocchio.FrameType.BODY))
    expansion = np.zeros((model.nv, len(tree.dof_names)))
    for row, column, scale in rows:
        expansion[row, column] = scale
    return PinocchioTwin(model, expansion, character)
