"""Torques of closed loops: Pinocchio's constraint dynamics turn them back into our accelerations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from animato.character import Character, mass_properties_of
from animato.mechanics.simulation import LoopTorques, loop_torques
from animato.motion import Clip
from tests.simulation_builders import heavy_five_bar, heavy_four_bar

pin = pytest.importorskip("pinocchio")

FOUR_BAR = {"A": ("base", "crank"), "B": ("crank", "coupler"), "D": ("base", "rocker")}
FIVE_BAR = {"A": ("base", "left"), "B": ("left", "left fore"), "E": ("base", "right"), "D": ("right", "right fore")}
RIGHT = {"four-bar": ("D",), "five-bar": ("E", "D")}
"""Joints on the other way round the loop, up to the closing joint C."""


def clip_of(names: tuple[str, ...]) -> Clip:
    times = np.linspace(0.0, 2.0, 21)
    return Clip(times, names, np.stack([0.3 * (n + 1) * np.sin(3.0 * times + n) for n in range(len(names))], axis=1))


def tree_values(character: Character, found: LoopTorques, rows: np.ndarray, joints: tuple[str, ...]) -> np.ndarray:
    """Values at the joints of the comparison's tree; in a plane, turns along both ways round the loop are the same."""
    names = (*found.system.unknown_names, *found.system.motor_names)
    known = {name: rows[:, n] for n, name in enumerate(names)}
    right = RIGHT[character.name]
    left = ("A", "B", "C")
    missing = [name for name in (*left, *right) if name not in known]
    assert len(missing) == 1
    side, other = (left, right) if missing[0] in left else (right, left)
    known[missing[0]] = sum(known[name] for name in other) - sum(known[name] for name in side if name != missing[0])
    return np.stack([known[name] for name in joints], axis=1)


def twin(character: Character, joints: dict[str, tuple[str, str]]) -> tuple[object, object]:
    """The tree as Pinocchio's model, and the point where it is closed."""
    model = pin.Model()
    model.gravity.linear = np.array(character.gravity)
    place = {"base": (0, pin.SE3.Identity())}
    for name, (parent, child) in joints.items():
        joint = character.joint(name)
        above, shift = place[parent]
        at = shift * pin.SE3(np.eye(3), np.array(joint.frame_parent.position))
        index = model.addJoint(above, pin.JointModelRZ(), at, name)
        inward = pin.SE3(np.eye(3), -np.array(joint.frame_child.position))
        heavy = mass_properties_of(character.body(child))
        model.appendBodyToJoint(index, pin.Inertia(heavy.mass, heavy.centre, heavy.inertia), inward)
        place[child] = (index, inward)
    closing = character.joint("C")
    (left, at_left), (right, at_right) = place[closing.parent], place[closing.child]
    loop = pin.RigidConstraintModel(
        pin.ContactType.CONTACT_3D,
        model,
        left,
        at_left * pin.SE3(np.eye(3), np.array(closing.frame_parent.position)),
        right,
        at_right * pin.SE3(np.eye(3), np.array(closing.frame_child.position)),
        pin.ReferenceFrame.LOCAL,
    )
    return model, loop


def given_back(
    character: Character, joints: dict[str, tuple[str, str]], change: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Our accelerations, and those that Pinocchio finds from our torques after a change of them."""
    found = loop_torques(character, clip_of(character.actuated_coordinate_names))
    order = tuple(joints)
    q = tree_values(character, found, found.coordinates, order)
    v = tree_values(character, found, found.velocities, order)
    a = tree_values(character, found, found.accelerations, order)
    model, loop = twin(character, joints)
    data, loop_data = model.createData(), loop.createData()
    settings = pin.ProximalSettings(1e-14, 1e-14, 1e-8, 200)
    pin.initConstraintDynamics(model, data, [loop], [loop_data])
    theirs = np.empty_like(a)
    tau = change(found.torques)
    for t in range(len(q)):
        given = np.zeros(model.nv)
        for n, name in enumerate(found.names):
            given[order.index(name)] = tau[t, n]
        theirs[t] = pin.constraintDynamics(model, data, q[t], v[t], given, [loop], [loop_data], settings)
    return a, theirs


CASES = [(heavy_four_bar, FOUR_BAR), (heavy_five_bar, FIVE_BAR)]


@pytest.mark.parametrize(("build", "joints"), CASES, ids=["four-bar", "five-bar"])
def test_torques_come_back_as_accelerations(
    build: Callable[[np.random.Generator], Character], joints: dict[str, tuple[str, str]], rng: np.random.Generator
) -> None:
    ours, theirs = given_back(build(rng), joints, lambda tau: tau)
    assert np.max(np.abs(ours)) > 1.0
    np.testing.assert_allclose(theirs, ours, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize(("build", "joints"), CASES, ids=["four-bar", "five-bar"])
def test_other_torques_do_not(
    build: Callable[[np.random.Generator], Character], joints: dict[str, tuple[str, str]], rng: np.random.Generator
) -> None:
    """Negative control."""
    ours, theirs = given_back(build(rng), joints, lambda tau: 1.001 * tau)
    assert np.max(np.abs(ours - theirs)) > 1e-4
