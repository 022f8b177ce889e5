"""Systems of characters: what becomes a coordinate, what closes loops, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import animato as an
from animato.character import Body, Character, FlexiblePart, Frame, Interface, Joint, JointRole, JointType, Rod
from animato.errors import CharacterError, OptionError, UnknownNameError
from animato.mechanics.flexible.rods import RodOptions
from animato.mechanics.simulation.dynamics import put_energy
from animato.mechanics.simulation.system import build_system
from animato.mechanics.tree import inverse_dynamics, states_of_clip
from tests.gradients.test_simulation_derivatives import with_passive_joints
from tests.moment_builders import Moment
from tests.rod_builders import STEEL, held_rod
from tests.simulation_builders import heavy_four_bar
from tests.tree_builders import random_character, random_clip


def test_drummer() -> None:
    character = an.load_character("drummer")
    system = build_system(character, tracked=("head",))
    assert system.motor_names == character.actuated_coordinate_names
    assert set(system.closures) == {"right_leg clamp 1"}
    assert system.row_count == 6
    assert set(system.rods) == {part.name for part in character.flexible_parts}
    assert all(name.split(".")[0] in system.rods for name in system.unknown_names)
    for links in system.rods.values():
        stations = [link.station for link in links]
        assert stations == sorted(stations)
    assert "drummer" in repr(system)


def test_inverse_dynamics_of_a_tree() -> None:
    """Forces of a system without flexible parts are those of the tree."""
    rng = np.random.default_rng(5)
    character = random_character(rng, floats=False)
    joints = tuple(
        replace(joint, type=JointType.UNIVERSAL) if joint.type is JointType.SPHERICAL else joint
        for joint in character.joints
    )
    character = replace(character, joints=joints)
    states = states_of_clip(character, random_clip(rng, character))
    moment = Moment(build_system(character))
    known = inverse_dynamics(character, states)
    order = [moment.system.motor_names.index(name) for name in known.names]
    for t in range(len(states.positions)):
        moment.look(*(np.ascontiguousarray(x[t]) for x in (states.positions, states.velocities, states.accelerations)))
        np.testing.assert_allclose(
            moment.tau[order], known.values[t], rtol=1e-12, atol=1e-12 * np.abs(known.values).max()
        )


def test_rows_that_follow_from_others_are_left_out() -> None:
    system = build_system(heavy_four_bar(np.random.default_rng(0)))
    assert (system.unknown_count, system.row_count) == (2, 2)


def test_loops_that_cannot_close_are_named() -> None:
    character = heavy_four_bar(np.random.default_rng(0))
    last = character.joints[-1]
    off = replace(last, frame_child=Frame((*last.frame_child.position[:2], last.frame_child.position[2] + 0.1)))
    broken = replace(character, joints=(*character.joints[:-1], off))
    with pytest.raises(CharacterError, match=r"cannot be closed: its frames stay 0\.1"):
        build_system(broken)


def test_what_moves_as_one_may_be_held_twice() -> None:
    """A second fixed joint adds no rows where it agrees with the first; else it is named."""
    rod = held_rod(Rod(0.002, 0.7))
    hook = Body("hook", 0.1)
    one = Joint("one", JointType.FIXED, "base", "hook", frame_parent=Frame((0.1, 0.0, 0.0)))
    again = Joint("again", JointType.FIXED, "floor", "hook", frame_parent=Frame((0.1, 0.0, 0.0)))
    held = replace(rod, bodies=(*rod.bodies, hook), joints=(*rod.joints, one, again))
    assert build_system(held).row_count == 0
    off = replace(again, frame_parent=Frame((0.1, 0.0, 0.2)))
    with pytest.raises(CharacterError, match=r"'again' closes cannot be closed: its frames stay 0\.2"):
        build_system(replace(held, joints=(*rod.joints, one, off)))


def rod_between(places: tuple[float, ...], held: int) -> Character:
    """A rod with bodies clamped at some places along it; one of them is held, about which gravity acts across."""
    bodies = tuple(Body(f"b{n}", 0.2, (0.0, 0.0, 0.0), (1e-5, 1e-5, 1e-5, 0.0, 0.0, 0.0)) for n in range(len(places)))
    clamps = tuple(Interface(f"b{n}", frame_part=Frame((0.0, 0.0, place))) for n, place in enumerate(places))
    ground = Joint("ground", JointType.GROUND, "world", f"b{held}", frame_parent=Frame((0.0, 0.0, places[held])))
    part = FlexiblePart("rod", Rod(0.003, 0.6), STEEL, clamps)
    return Character("rod", bodies, (ground,), (part,), gravity=(9.81, 0.0, 0.0))


def test_a_rod_is_the_same_from_both_ends() -> None:
    """Held at its origin or at its end, mirrored, it bends and swings alike."""
    found = []
    for held, tip in ((0, 1), (1, 0)):
        moment = Moment(build_system(rod_between((0.0, 0.6), held), tracked=(f"b{tip}",), rods=RodOptions(curvature=3)))
        z = moment.statics(np.zeros(3), increments=1)
        sagged, length = moment.points[0, 0], abs(moment.points[0, 2] - 0.6 * held)
        frequencies = np.linalg.eigvals(np.linalg.solve(moment.by_a, moment.by_z)).real
        energy = put_energy(moment.system.packed, moment.work, z, np.ones(len(z)))
        found.append([sagged, length, energy[2], *np.sort(frequencies)[:4]])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-7)
    assert found[0][0] > 0.01


def test_a_rod_with_clamps_between_its_ends() -> None:
    """Pieces between clamps have coordinates of their own; what is beyond the last clamp is free."""
    character = rod_between((0.15, 0.45), 0)
    system = build_system(character, tracked=("b1",), rods=RodOptions(curvature=2, torsion=1))
    pieces = {name.split(".")[0] for name in system.unknown_names}
    assert pieces == {"rod[0]", "rod[1]", "rod[2]"}
    assert [round(link.station, 3) for link in system.rods["rod"]] == sorted(
        round(link.station, 3) for link in system.rods["rod"]
    )
    mass = float(np.sum(system.packed.tree.mass))
    assert mass == pytest.approx(0.4 + STEEL.density * np.pi * 0.003**2 * 0.6)
    moment = Moment(system)
    moment.statics(np.zeros(3), increments=1)
    assert moment.points[0, 0] > 1e-3


def test_motors_of_finite_stiffness() -> None:
    system = build_system(held_rod(Rod(0.002, 0.7), tip_mass=0.1, spins=True), joint_stiffness=50.0, joint_damping=0.1)
    assert system.unknown_names[0] == "motor deflection"
    moment = Moment(system)
    moment.look(np.zeros(system.coordinate_count))
    assert moment.by_z[0, 0] - moment.by_z[0, -1] == pytest.approx(50.0)
    with pytest.raises(CharacterError, match="stiffness of motor 'motor' must be greater than 0"):
        build_system(held_rod(Rod(0.002, 0.7), spins=True), joint_stiffness=0.0)


def test_a_passive_ball_is_three_turns() -> None:
    character = with_passive_joints(random_character(np.random.default_rng(3), floats=False), losses=False)
    ball = next(joint for joint in character.joints if joint.type is JointType.SPHERICAL)
    names = build_system(character).unknown_names
    assert {f"{ball.name}.{end}" for end in ("rx", "ry", "rz")} <= set(names)


def test_what_cannot_be_simulated_is_named() -> None:
    rod = held_rod(Rod(0.002, 0.7))
    floating = Character("floating", (Body("one", 1.0),))
    with pytest.raises(CharacterError, match="'floating' floats"):
        build_system(floating)
    ball = Joint("ball", JointType.SPHERICAL, "base", "more", JointRole.ACTUATED)
    with pytest.raises(CharacterError, match="'ball' of 'held rod' is an actuated ball"):
        build_system(replace(rod, bodies=(*rod.bodies, Body("more", 1.0)), joints=(*rod.joints, ball)))
    far = replace(rod.flexible_parts[0].interfaces[1], frame_part=Frame((0.0, 0.0, 0.8)))
    long = replace(rod.flexible_parts[0], interfaces=(rod.flexible_parts[0].interfaces[0], far))
    with pytest.raises(CharacterError, match=r"clamped to 'tip' at z = 0\.8 m, beyond its ends at 0 and 0\.7 m"):
        build_system(replace(rod, flexible_parts=(long,)))
    tight = Joint("tight", JointType.FIXED, "base", "tip", frame_parent=Frame((0.0, 0.0, 0.75)))
    with pytest.raises(CharacterError, match=r"'rod' is 0\.7 m long .* these are 0\.75 m apart and move as one"):
        build_system(replace(rod, joints=(*rod.joints, tight)))
    with pytest.raises(CharacterError, match="not connected to the world: alone"):
        build_system(replace(rod, bodies=(*rod.bodies, Body("alone", 1.0))))
    with pytest.raises(UnknownNameError, match="'tipp'"):
        build_system(rod, tracked=("tipp",))
    with pytest.raises(UnknownNameError, match="'rood'"):
        build_system(rod, rods={"rood": RodOptions()})
    with pytest.raises(OptionError, match="`links` of a rod"):
        RodOptions(links=0)


def test_a_loop_of_motors_is_refused() -> None:
    character = heavy_four_bar(np.random.default_rng(0))
    joints = tuple(
        replace(joint, role=JointRole.ACTUATED) if joint.type is JointType.REVOLUTE else joint
        for joint in character.joints
    )
    with pytest.raises(CharacterError, match="closes a loop of motors"):
        build_system(replace(character, joints=joints))
