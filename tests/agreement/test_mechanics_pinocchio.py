"""Our kernels and Pinocchio: two engines, one answer."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Coupling, Joint
from animato.mechanics.tree.kinematics import centre_of_mass, forward_kinematics, frame_jacobians
from animato.mechanics.tree.pinocchio_twin import pinocchio_twin
from animato.mechanics.tree.rnea import inverse_dynamics
from animato.mechanics.tree.states import states_of_clip
from animato.motion.clip import Clip
from animato.spatial import quaternions

pinocchio = pytest.importorskip("pinocchio")


def random_frame(rng: np.random.Generator) -> Frame:
    turn = quaternions.quaternion_from_rotation_vector(rng.normal(size=3))
    return Frame(tuple(rng.normal(size=3) * 0.3), tuple(turn))


def random_body(rng: np.random.Generator, name: str) -> Body:
    root = rng.normal(size=(3, 3)) * 0.1
    inertia = root @ root.T + 0.01 * np.eye(3)
    six = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return Body(name, mass=float(rng.uniform(0.5, 3)), centre=tuple(rng.normal(size=3) * 0.1), inertia=tuple(six))


def random_character(rng: np.random.Generator, *, floats: bool) -> Character:
    """A branching character with every joint type, gears, a reversed joint and a configured one."""
    kinds = [
        "revolute",
        "universal",
        "fixed",
        "cylindrical",
        "spherical",
        "prismatic",
        "cartesian",
        "revolute",
        "revolute",
    ]
    bodies = [random_body(rng, f"b{n}") for n in range(len(kinds) + 1)]
    joints = [] if floats else [Joint("hold", "ground", "world", "b0", frame_parent=random_frame(rng))]
    for n, kind in enumerate(kinds):
        parent = f"b{n}" if n < 5 else f"b{rng.integers(0, n + 1)}"
        backward = kind in ("universal", "prismatic") and not floats
        first, second = (f"b{n + 1}", parent) if backward else (parent, f"b{n + 1}")
        coupling = Coupling("j0", -1.7, 0.3) if n == 8 else None
        role = "configurable" if n == 7 else None
        joints.append(
            Joint(
                f"j{n}",
                kind,
                first,
                second,
                role,
                random_frame(rng),
                random_frame(rng),
                tuple(rng.normal(size=3)),
                tuple(rng.normal(size=3)),
                coupling=coupling,
                configuration=(0.4,) if role else (),
            )
        )
    return Character("tangle", tuple(bodies), tuple(joints))


def random_clip(rng: np.random.Generator, character: Character, frames: int = 9) -> Clip:
    times = np.sort(rng.uniform(0, 2, frames))
    positions = rng.normal(size=(frames, len(character.coordinate_names)))
    for column, name in enumerate(character.coordinate_names):
        if name.endswith(".qw"):
            turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(frames, 3)))
            positions[:, column : column + 4] = quaternions.continuous(turns)
    base = rng.normal(size=(frames, 3)) if character.floats else None
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(frames, 3))) if character.floats else None
    return Clip(times, character.coordinate_names, positions, base, turns)


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
