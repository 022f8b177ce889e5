"""Derivatives of the forces of systems in minimal coordinates against central differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import animato as an
from animato.character import (
    Bar,
    Body,
    Character,
    FlexiblePart,
    Frame,
    Interface,
    Joint,
    JointRole,
    JointType,
    MaterialModel,
)
from animato.mechanics.flexible.mesh import MeshOptions, build_part_mesh
from animato.mechanics.flexible.reduction import ReductionOptions, reduce_part
from animato.mechanics.flexible.rods import RodOptions
from animato.mechanics.simulation.system import System, build_system
from tests.moment_builders import Moment, differences
from tests.rod_builders import STEEL
from tests.simulation_builders import heavy_four_bar
from tests.tree_builders import random_character

TOLERANCE = 1e-6


def with_passive_joints(character: Character, *, losses: bool) -> Character:
    """Balls and every third joint passive; with losses on all of them."""
    joints = []
    for n, given in enumerate(character.joints):
        joint = given
        moves = joint.type is not JointType.GROUND and joint.type is not JointType.FIXED
        if moves and joint.role is JointRole.ACTUATED and (joint.type is JointType.SPHERICAL or n % 3 == 0):
            joint = replace(joint, role=JointRole.PASSIVE)
        if moves and losses:
            joint = replace(joint, damping=0.3, friction=0.2, armature=0.05)
        joints.append(joint)
    return replace(character, joints=tuple(joints))


def tangle() -> System:
    character = with_passive_joints(random_character(np.random.default_rng(3), floats=False), losses=True)
    return build_system(character, joint_stiffness={"j0": 30.0}, joint_damping=0.1, friction_speed=1.0)


def four_bar() -> System:
    return build_system(heavy_four_bar(np.random.default_rng(0)))


def drummer() -> System:
    return build_system(an.load_character("drummer"), rods={"left_leg": RodOptions(stretch=1)})


def bar_in_a_loop(backward: bool) -> Character:
    """Motor, bar, motor and a ball that closes the loop; entered at the bar's far interface where backward."""
    inertia = (2e-4, 1e-4, 3e-4, 1e-5, 0.0, 2e-5)
    bodies = (Body("base"), *(Body(name, 0.2, (0.01, 0.0, 0.03), inertia) for name in ("arm", "tip", "hand")))
    one, two = ("tip", "arm") if backward else ("arm", "tip")
    joints = (
        Joint("ground", JointType.GROUND, "world", "base"),
        Joint("first", JointType.REVOLUTE, "base", one, axis=(0.0, 1.0, 0.0)),
        Joint("second", JointType.REVOLUTE, two, "hand", axis=(1.0, 0.3, 0.0)),
        Joint("ball", JointType.SPHERICAL, "hand", "base", JointRole.PASSIVE, Frame((0.0, 0.0, 0.05))),
    )
    clamps = (Interface("arm", Frame((0.0, 0.0, 0.1))), Interface("tip", frame_part=Frame((0.0, 0.0, 0.2))))
    material = replace(STEEL, model=MaterialModel.ST_VENANT_KIRCHHOFF, mass_damping=0.1, stiffness_damping=1e-4)
    return Character("loop", bodies, joints, (FlexiblePart("bar", Bar(0.01, 0.006, 0.2), material, clamps),))


def reduced_loop(backward: bool) -> System:
    character = bar_in_a_loop(backward)
    mesh = build_part_mesh(character.flexible_parts[0], MeshOptions(layers=4, across=(1, 1)))
    part = reduce_part(mesh, ReductionOptions(bent_modes=2, small_tolerance=1e-2), keep=False)
    return build_system(character, parts={"bar": part})


SYSTEMS: dict[str, Callable[[], System]] = {
    "tangle": tangle,
    "four bar": four_bar,
    "drummer": drummer,
    "reduced part": lambda: reduced_loop(False),
    "reduced part backward": lambda: reduced_loop(True),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_derivatives_against_differences(name: str) -> None:
    """In coordinates scaled to comparable energies; modes of meshes are stiff by six orders of magnitude."""
    moment = Moment(SYSTEMS[name]())
    system, rng = moment.system, np.random.default_rng(0)
    n, m = system.coordinate_count, system.row_count
    stiff = np.sqrt(np.abs(np.diagonal(moment.look(np.zeros(n)).by_z)))
    scale = np.array([0.3 / s if "mode" in one else 1.0 for one, s in zip(_names(system), stiff, strict=True)])
    z, v, a = (0.3 * size * scale * rng.normal(size=n) for size in (1.0, 10.0, 100.0))
    lam = 10.0 * rng.normal(size=m)
    moment.look(z, v, a, lam)
    tau, gap = moment.forces(z, v, a, lam)
    np.testing.assert_allclose(moment.tau * scale, tau * scale, atol=1e-12 * np.abs(tau * scale).max())
    np.testing.assert_array_equal(moment.gap, gap)
    known = (moment.by_z.copy(), moment.by_v.copy(), moment.by_a.copy())
    jac = moment.jac.copy()
    for which, (found, size) in enumerate(zip(known, (1.0, 10.0, 100.0), strict=True)):
        by_tau, by_gap = differences(moment, (z, v, a), lam, which, 1e-5 * size * scale)
        both = np.outer(scale, scale)
        np.testing.assert_allclose(found * both, by_tau * both, atol=TOLERANCE * np.abs(found * both).max())
        if which == 0:
            np.testing.assert_allclose(jac * scale, by_gap * scale, atol=TOLERANCE)
        else:
            np.testing.assert_array_equal(by_gap, 0.0)


def _names(system: System) -> tuple[str, ...]:
    return (*system.unknown_names, *system.motor_names)


def test_a_wrong_derivative_is_noticed() -> None:
    """Without the multipliers' part by_z is off by far more than the tolerance."""
    moment = Moment(four_bar())
    rng = np.random.default_rng(0)
    n, m = moment.system.coordinate_count, moment.system.row_count
    z, v, a = (rng.normal(size=n) for _ in range(3))
    lam = 10.0 * rng.normal(size=m)
    without = moment.look(z, v, a).by_z.copy()
    by_tau, _ = differences(moment, (z, v, a), lam, 0, np.full(n, 1e-6))
    assert np.abs(without - by_tau).max() > 1e-2 * np.abs(by_tau).max()


def test_jacobians_of_outputs() -> None:
    """Points and rotations of tracked bodies move as their Jacobians say."""
    moment = Moment(build_system(an.load_character("drummer"), tracked=("head", "left_hand")))
    z, step = 0.2 * np.random.default_rng(0).normal(size=moment.system.coordinate_count), 1e-6
    moment.look(z)
    point_jac, rotation_jac, R = moment.point_jac.copy(), moment.rotation_jac.copy(), moment.rotations.copy()
    for i in range(len(z)):
        ahead = moment.look(z + step * np.eye(len(z))[i])
        points, rotations = ahead.points.copy(), ahead.rotations.copy()
        back = moment.look(z - step * np.eye(len(z))[i])
        np.testing.assert_allclose((points - back.points) / (2.0 * step), point_jac[:, :, i], atol=1e-8)
        spin = np.einsum("kij,klj->kil", (rotations - back.rotations) / (2.0 * step), R)
        axial = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
        np.testing.assert_allclose(axial, rotation_jac[:, :, i], atol=1e-8)
