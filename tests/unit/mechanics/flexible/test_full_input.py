"""Full simulations name what is wrong with their input."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Body
from animato.errors import AnimatoError, CharacterError, MotionError, UnknownNameError
from animato.mechanics.flexible.full import (
    BaseMotion,
    ClampedBody,
    InterfaceWrench,
    build_full_part,
    clamp_bodies,
    resting_base,
    simulate_full,
    solve_full_statics,
)
from animato.mechanics.flexible.mesh import MeshOptions, build_part_mesh
from tests.flexible_builders import rod_mesh, rod_part, steel


def test_bodies_are_placed_by_their_frames() -> None:
    ball = Body("tip", mass=0.1, centre=(0.0, 0.0, 0.01), inertia=(1e-5, 2e-5, 3e-5, 0.0, 0.0, 0.0))
    (placed,) = clamp_bodies(rod_part(steel()), {"tip": ball})
    np.testing.assert_allclose(placed.centre, [0.0, 0.0, 0.71], atol=1e-12)
    np.testing.assert_allclose(placed.inertia, np.diag([1e-5, 2e-5, 3e-5]), atol=1e-18)
    with pytest.raises(UnknownNameError, match="'tip'"):
        clamp_bodies(rod_part(steel()), {"hand": ball})


def test_bodies_ride_on_far_interfaces_only() -> None:
    mesh = rod_mesh(steel(), layers=2)
    here = ClampedBody("motor", 0.1, np.zeros(3), np.eye(3))
    with pytest.raises(CharacterError, match="reference interface"):
        build_full_part(mesh, (here,))
    with pytest.raises(UnknownNameError, match="'elbow'"):
        build_full_part(mesh, (ClampedBody("elbow", 0.1, np.zeros(3), np.eye(3)),))
    with pytest.raises(CharacterError, match="must not be negative"):
        ClampedBody("tip", -0.1, np.zeros(3), np.eye(3))


def test_motions_are_checked() -> None:
    still = resting_base(times=np.arange(3.0))
    with pytest.raises(MotionError, match="equal steps"):
        resting_base(times=np.array([0.0, 1.0, 3.0]))
    with pytest.raises(MotionError, match="`spins`"):
        BaseMotion(
            still.times, still.rotations, still.positions, np.zeros((2, 3)), still.spin_rates, still.accelerations,
            still.gravity,
        )  # fmt: skip
    with pytest.raises(MotionError, match="at least two times"):
        simulate_full(rod_mesh(steel(), layers=2), motion=resting_base())


def test_too_much_load_says_how_far_it_came() -> None:
    mesh = build_part_mesh(rod_part(steel(), length=0.02), MeshOptions(layers=2, sectors=4))
    crushing = InterfaceWrench("tip", force=(0.0, 0.0, -1e9))
    with pytest.raises(AnimatoError, match=r"beyond \d+\.\d % of its load"):
        solve_full_statics(mesh, wrenches=(crushing,))
