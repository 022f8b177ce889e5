"""Where everything is: poses of bodies and frames, Jacobians and the centre of mass of a whole clip."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import HERE, Character, Frame
from animato.errors import unknown_name
from animato.mechanics.tree.packing import packed_tree
from animato.mechanics.tree.states import States, states_of_clip
from animato.mechanics.tree.steps import body_poses_kernel, centre_of_mass_kernel, jacobian_kernel
from animato.motion import Clip
from animato.spatial.rigid_transform import RigidTransform


@dataclass(frozen=True, eq=False)
class BodyPoses:
    """Poses of all bodies in the world at many moments.

    Attributes:
        times: [s], shape [time].
        names: Bodies in the character's order, flexible parts after them.
        positions: [m], shape [time, body, 3].
        quaternions_wxyz: Shape [time, body, 4], with w not negative.
    """

    times: np.ndarray
    names: tuple[str, ...]
    positions: np.ndarray
    quaternions_wxyz: np.ndarray

    def of(self, body: str) -> RigidTransform:
        """T_world_body of one body at all moments."""
        if body not in self.names:
            raise unknown_name("body", body, self.names, "the character")
        index = self.names.index(body)
        return RigidTransform(self.positions[:, index], self.quaternions_wxyz[:, index])


def forward_kinematics(character: Character, motion: Clip | States, times: ArrayLike | None = None) -> BodyPoses:
    """Poses of all bodies.

    Args:
        character: A tree character; flexible parts are taken as rigid.
        motion: A clip, or states already evaluated.
        times: [s], where to evaluate a clip; its own frames where not given.
    """
    tree, states = packed_tree(character), as_states(character, motion, times)
    count = len(states.times)
    bodies = len(tree.body_names)
    positions, turns = np.empty((count, 3 * bodies)), np.empty((count, 4 * bodies))
    body_poses_kernel(tree.arrays, states.positions, states.root, positions, turns)
    return BodyPoses(
        states.times, tree.body_names, positions.reshape(count, bodies, 3), turns.reshape(count, bodies, 4)
    )


def frame_jacobians(
    character: Character,
    motion: Clip | States,
    body: str,
    frame: Frame = HERE,
    times: ArrayLike | None = None,
) -> np.ndarray:
    """J with (linear velocity, angular velocity) = J v for a frame on a body, in world axes.

    Args:
        character: A tree character.
        motion: A clip, or states already evaluated.
        body: The body that carries the frame.
        frame: On that body; only its position counts.
        times: [s], where to evaluate a clip.

    Returns:
        Shape [time, 6, dof]; columns as in `Tree.dof_names`.
    """
    tree, states = packed_tree(character), as_states(character, motion, times)
    if body not in tree.body_names:
        raise unknown_name("body", body, tree.body_names, character.name)
    index = tree.body_names.index(body)
    arrays = tree.arrays
    point = arrays.body_rotation[index] @ np.array(frame.position) + arrays.body_position[index]
    path = [int(arrays.body_step[index])]
    while arrays.parent[path[0]] >= 0:
        path.insert(0, int(arrays.parent[path[0]]))
    out = np.empty((len(states.times), 6 * len(tree.dof_names)))
    jacobian_kernel(arrays, states.positions, states.root, np.array(path), point[None], out)
    return out.reshape(len(out), 6, len(tree.dof_names))


def centre_of_mass(character: Character, motion: Clip | States, times: ArrayLike | None = None) -> np.ndarray:
    """Centre of mass of the whole character in the world [m], shape [time, 3]."""
    tree, states = packed_tree(character), as_states(character, motion, times)
    out = np.empty((len(states.times), 3))
    centre_of_mass_kernel(tree.arrays, states.positions, states.root, out)
    return out


def as_states(character: Character, motion: Clip | States, times: ArrayLike | None = None) -> States:
    """States of a clip; states are passed through."""
    return motion if isinstance(motion, States) else states_of_clip(character, motion, times)
