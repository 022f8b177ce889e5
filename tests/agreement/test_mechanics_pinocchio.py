"""Our kernels and Pinocchio: two engines, one answer."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Body, Character, Frame
from animato.mechanics.tree import centre_of_mass, forward_kinematics, frame_jacobians, inverse_dynamics, states_of_clip
from animato.mechanics.tree.kinematics.pinocchio_twin import pinocchio_twin
from animato.spatial import quaternions
from tests.tree_builders import random_character, random_clip

pinocchio = pytest.importorskip("pinocchio")


@pytest.mark.parametrize("floats", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_kernels_agree_with_pinocchio(seed: int, floats: bool) -> None:
    rng = np.random.default_rng(seed)
    character = random_character(rng, floats=floats)
    clip = random_clip(rng, character)
    states = states_of_clip(character, clip, np.linspace(clip.times[0], clip.times[-1], 7))
    twin = pinocchio_twin(character)
    data = twin.model.createData()
    q = twin.configurations(states)
    v, a = twin.velocities(states.velocities), twin.velocities(states.accelerations)
    if floats:  # theirs is the spatial acceleration, ours that of the point: they differ by w x v
        a = a.copy()
        a[:, :3] -= np.cross(v[:, 3:6], v[:, :3])
    poses = forward_kinematics(character, states)
    tau = inverse_dynamics(character, states).values
    centre = centre_of_mass(character, states)
    theirs = np.array([pinocchio.rnea(twin.model, data, q[t], v[t], a[t]) for t in range(len(q))])
    np.testing.assert_allclose(tau, twin.forces(theirs), atol=1e-9)
    offset = Frame(tuple(rng.normal(size=3)))
    jacobians = {name: frame_jacobians(character, states, name, offset) for name in ("b3", "b6", "b9")}
    for t in range(len(q)):
        pinocchio.framesForwardKinematics(twin.model, data, q[t])
        for body, name in enumerate(poses.names):
            frame = data.oMf[twin.model.getFrameId(name)]
            np.testing.assert_allclose(poses.positions[t, body], frame.translation, atol=1e-10)
            ours = quaternions.matrix_from_quaternion(poses.quaternions_wxyz[t, body])
            np.testing.assert_allclose(ours, frame.rotation, atol=1e-10)
        for name, ours in jacobians.items():
            frame_id = twin.model.getFrameId(name)
            aligned = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
            theirs_j = pinocchio.computeFrameJacobian(twin.model, data, q[t], frame_id, aligned)
            arm = data.oMf[frame_id].rotation @ np.array(offset.position)
            theirs_j = theirs_j.copy()
            theirs_j[:3] -= pinocchio.skew(arm) @ theirs_j[3:]
            np.testing.assert_allclose(ours[t], theirs_j @ twin.expansion, atol=1e-9)
    if floats:  # a held root's own mass is not in their model
        for t in range(len(q)):
            np.testing.assert_allclose(centre[t], pinocchio.centerOfMass(twin.model, data, q[t]), atol=1e-10)


def test_the_comparison_can_fail(rng: np.random.Generator) -> None:
    """Negative control: a heavier body changes the torques."""
    character = random_character(rng, floats=False)
    clip = random_clip(rng, character)
    heavier = Body("b9", mass=9.0, centre=(0.1, 0.0, 0.0), inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0))
    changed = Character(character.name, (*character.bodies[:-1], heavier), character.joints)
    before, after = inverse_dynamics(character, clip).values, inverse_dynamics(changed, clip).values
    assert np.abs(before - after).max() > 0.1
