"""Inverse dynamics, kinematics and support against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Coupling, Joint
from animato.character.landmarks import Sole
from animato.character.shape import Box, Shape
from animato.errors import CharacterError, MotionError, UnknownNameError
from animato.mechanics.contact.support import floor_support
from animato.mechanics.tree.kinematics import centre_of_mass, forward_kinematics, frame_jacobians
from animato.mechanics.tree.rnea import inverse_dynamics
from animato.mechanics.tree.states import states_of_clip
from animato.motion.clip import Clip
from animato.spatial import quaternions

TIMES = np.linspace(0, 2, 101)
GROUND = Joint("stand", "ground", "world", "base")


def pendulum(**joint: object) -> Character:
    bob = Body("bob", mass=2.0, centre=(0, 0, -0.5), inertia=(0.1, 0.1, 0.02, 0, 0, 0))
    return Character(
        "pendulum", (Body("base"), bob), (GROUND, Joint("pivot", "revolute", "base", "bob", axis=(0, 1, 0), **joint))
    )  # type: ignore[arg-type]


def swing() -> Clip:
    return Clip(TIMES, ("pivot",), 0.7 * np.sin(3 * TIMES)[:, None])


def test_pendulum_torque() -> None:
    clip = swing()
    angle, acceleration = clip.positions[:, 0], clip.acceleration()[:, 0]
    expected = (2 * 0.25 + 0.1) * acceleration + 2 * 9.81 * 0.5 * np.sin(angle)
    np.testing.assert_allclose(inverse_dynamics(pendulum(), clip).values[:, 0], expected, atol=1e-12)


def test_rotor_and_friction_add_up() -> None:
    clip = swing()
    plain = inverse_dynamics(pendulum(), clip).values
    real = inverse_dynamics(pendulum(armature=0.3, damping=0.2, friction=0.1), clip).values
    expected = 0.3 * clip.acceleration() + 0.2 * clip.velocity() + 0.1 * np.sign(clip.velocity())
    np.testing.assert_allclose(real - plain, expected, atol=1e-12)


def test_two_link_arm_follows_the_textbook() -> None:
    """Planar two-link arm, point masses at the ends, gravity along -z, turning about -y (counter-clockwise in x-z)."""
    l1, l2, m1, m2, g = 0.7, 0.4, 1.5, 0.8, 9.81
    links = [Body("base"), Body("a", mass=m1, centre=(l1, 0, 0)), Body("b", mass=m2, centre=(l2, 0, 0))]
    down = (0, -1, 0)
    joints = (
        GROUND,
        Joint("q1", "revolute", "base", "a", axis=down),
        Joint("q2", "revolute", "a", "b", frame_parent=Frame((l1, 0, 0)), axis=down),
    )
    clip = Clip(TIMES, ("q1", "q2"), np.column_stack([np.sin(2 * TIMES), np.cos(3 * TIMES)]))
    q1, q2 = clip.positions.T
    v1, v2 = clip.velocity().T
    a1, a2 = clip.acceleration().T
    c2, s2 = np.cos(q2), np.sin(q2)
    m11 = m1 * l1**2 + m2 * (l1**2 + l2**2 + 2 * l1 * l2 * c2)
    m12 = m2 * (l2**2 + l1 * l2 * c2)
    g2 = m2 * g * l2 * np.cos(q1 + q2)
    g1 = (m1 + m2) * g * l1 * np.cos(q1) + g2
    tau1 = m11 * a1 + m12 * a2 - m2 * l1 * l2 * s2 * (2 * v1 * v2 + v2**2) + g1
    tau2 = m12 * a1 + m2 * l2**2 * a2 + m2 * l1 * l2 * s2 * v1**2 + g2
    tau = inverse_dynamics(Character("arm", tuple(links), joints), clip).values
    np.testing.assert_allclose(tau, np.column_stack([tau1, tau2]), atol=1e-10)


def spinning_box() -> tuple[Character, Clip]:
    body = Body("box", mass=3.0, centre=(0.1, 0.2, -0.1), shapes=(Shape(Box((0.3, 0.2, 0.1))),))
    turns = quaternions.quaternion_from_rotation_vector(
        np.column_stack([np.sin(TIMES), np.cos(2 * TIMES), 0.5 * TIMES])
    )
    path = np.column_stack([np.sin(TIMES), TIMES**2, np.cos(TIMES)])
    return Character("box", (body,)), Clip(TIMES, (), np.zeros((101, 0)), path, turns)


def test_a_free_body_needs_its_weight_and_its_change_of_momentum() -> None:
    character, clip = spinning_box()
    fine = np.linspace(0.2, 1.8, 4001)
    states = states_of_clip(character, clip, fine)
    wrench = inverse_dynamics(character, states).values
    force = quaternions.rotate(states.root[:, 3:], wrench[:, :3])
    centre = centre_of_mass(character, states)
    step = fine[1] - fine[0]
    acceleration = np.diff(centre, 2, axis=0) / step**2
    # differences of a piecewise cubic at this step are good to about 1e-4
    np.testing.assert_allclose(force[1:-1], 3.0 * np.add(acceleration, (0, 0, 9.81)), atol=2e-3)


def test_power_is_the_change_of_energy() -> None:
    """Work of the generalized forces equals the change of kinetic and potential energy."""
    character, clip = spinning_box()
    fine = np.linspace(0.0, 2.0, 20001)
    states = states_of_clip(character, clip, fine)
    power = np.sum(inverse_dynamics(character, states).values * states.velocities, axis=1)
    centre = centre_of_mass(character, states)
    spin = states.velocities[:, 3:6]
    inertia = 3.0 / 12 * np.array([0.2**2 + 0.1**2, 0.3**2 + 0.1**2, 0.3**2 + 0.2**2])
    speed = states.velocities[:, :3] + np.cross(spin, (0.1, 0.2, -0.1))
    energy = 1.5 * np.sum(speed**2, axis=1) + 0.5 * spin**2 @ inertia + 3.0 * 9.81 * centre[:, 2]
    work = np.trapezoid(power, fine)
    np.testing.assert_allclose(work, energy[-1] - energy[0], rtol=1e-6)


def test_jacobian_is_the_derivative_of_the_pose() -> None:
    character = pendulum()
    clip = swing()
    tip = Frame((0.2, 0.1, -0.5))
    step = 1e-5
    inner = TIMES[5:-5]
    ahead, behind = (
        forward_kinematics(character, clip, inner + sign * step).of("bob").apply(tip.position) for sign in (1, -1)
    )
    jacobian = frame_jacobians(character, clip, "bob", tip, inner)
    velocity = states_of_clip(character, clip, inner).velocities
    np.testing.assert_allclose(
        np.einsum("tij,tj->ti", jacobian, velocity)[:, :3], (ahead - behind) / (2 * step), atol=1e-8
    )


def test_a_gear_carries_motion_and_torque() -> None:
    """A follower at twice the angle: the leader's torque is what both need, by virtual work."""
    bob = Body("bob", mass=1.0, centre=(0, 0, -0.5), inertia=(0, 0, 0, 0, 0, 0))
    other = Body("other", mass=1.0, centre=(0, 0, -0.5), inertia=(0, 0, 0, 0, 0, 0))
    joints = (
        GROUND,
        Joint("lead", "revolute", "base", "bob", axis=(0, 1, 0)),
        Joint("follow", "revolute", "base", "other", axis=(0, 1, 0), coupling=Coupling("lead", 2.0, 0.1)),
    )
    character = Character("geared", (Body("base"), bob, other), joints)
    assert character.coordinate_names == ("lead",)
    tau = inverse_dynamics(character, Clip([0.0], ("lead",), [[0.3]])).values[0, 0]
    np.testing.assert_allclose(tau, 9.81 * 0.5 * (np.sin(0.3) + 2 * np.sin(0.7)), atol=1e-12)


def swapped(character: Character) -> Character:
    """The same mechanism with every moving joint written the other way round."""
    joints = [
        joint
        if joint.type == "ground"
        else Joint(joint.name, joint.type, joint.child, joint.parent, None, joint.frame_child, joint.frame_parent)
        for joint in character.joints
    ]
    return Character(character.name, character.bodies, tuple(joints))


def test_a_ball_walked_backward_is_the_same_mechanism(rng: np.random.Generator) -> None:
    arm = Body("arm", mass=2.0, centre=(0.1, 0.2, -0.4), inertia=(0.1, 0.2, 0.15, 0.01, 0.02, 0.0))
    ball = Joint("ball", "spherical", "base", "arm", None, Frame((0.1, 0, 1)), Frame((0, 0.2, 0.1)))
    character = Character("ball", (Body("base"), arm), (GROUND, ball))
    turns = quaternions.continuous(quaternions.quaternion_from_rotation_vector(0.5 * rng.normal(size=(8, 3))))
    clip = Clip(np.arange(8.0), character.coordinate_names, turns)
    back = Clip(clip.times, clip.names, quaternions.conjugate(turns))
    other = swapped(character)
    ours, theirs = forward_kinematics(character, clip), forward_kinematics(other, back)
    np.testing.assert_allclose(theirs.positions, ours.positions, atol=1e-12)
    ours_tau, theirs_tau = inverse_dynamics(character, clip).values, inverse_dynamics(other, back).values
    np.testing.assert_allclose(np.linalg.norm(theirs_tau, axis=1), np.linalg.norm(ours_tau, axis=1), atol=1e-10)
    states, states_back = states_of_clip(character, clip), states_of_clip(other, back)
    power = np.sum(ours_tau * states.velocities, axis=1)
    np.testing.assert_allclose(np.sum(theirs_tau * states_back.velocities, axis=1), power, atol=1e-10)
    tip = frame_jacobians(character, clip, "arm"), frame_jacobians(other, back, "arm")
    motion = np.einsum("tij,tj->ti", tip[0], states.velocities)
    np.testing.assert_allclose(np.einsum("tij,tj->ti", tip[1], states_back.velocities), motion, atol=1e-10)


def standing_box(x: float) -> tuple[Character, Clip]:
    body = Body("box", mass=5.0, centre=(x, 0, 0.3), inertia=(0.1, 0.1, 0.1, 0, 0, 0))
    corners = ((0.1, 0.1, 0), (-0.1, 0.1, 0), (-0.1, -0.1, 0), (0.1, -0.1, 0))
    clip = Clip([0.0, 1.0], (), np.zeros((2, 0)), np.zeros((2, 3)))
    return Character("box", (body,), soles=(Sole("sole", "box", corners),)), clip


@pytest.mark.parametrize(("x", "balanced"), [(0.0, True), (0.05, True), (0.15, False)])
def test_the_floor_carries_what_stands_over_its_soles(x: float, balanced: bool) -> None:
    character, clip = standing_box(x)
    states = states_of_clip(character, clip)
    support = floor_support(character, states, inverse_dynamics(character, states))
    total = support.corner_forces.sum(axis=1)
    assert np.all(support.corner_forces[..., 2] >= 0.0)
    if balanced:  # the regularization of the corner forces costs about 1e-6 of the load
        np.testing.assert_allclose(total[:, 2], 5 * 9.81, rtol=1e-4)
        assert np.abs(support.imbalance).max() < 1e-2
    else:
        assert np.linalg.norm(support.imbalance[0, 3:6]) > 1.0


def test_clips_that_do_not_fit_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'pivot'"):
        inverse_dynamics(pendulum(), Clip([0.0], ("pivott",), [[0.0]]))
    with pytest.raises(MotionError, match="held on the ground"):
        inverse_dynamics(pendulum(), Clip([0.0], ("pivot",), [[0.0]], np.zeros((1, 3))))
    loop = Joint("loop", "revolute", "bob", "base")
    with pytest.raises(CharacterError, match="closed by 'loop'"):
        character = pendulum()
        inverse_dynamics(Character("ring", character.bodies, (*character.joints, loop)), swing())
