"""The power of all forces of a system is the change of its energy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import animato as an
from animato.character import Character
from animato.mechanics.flexible.mesh import MeshOptions, build_part_mesh
from animato.mechanics.flexible.reduction import ReductionOptions, reduce_part
from animato.mechanics.flexible.rods import RodOptions
from animato.mechanics.simulation.dynamics import put_energy
from animato.mechanics.simulation.system import System, build_system
from tests.gradients.test_simulation_derivatives import bar_in_a_loop
from tests.moment_builders import Moment


def undamped(character: Character) -> Character:
    parts = tuple(
        replace(part, material=replace(part.material, mass_damping=0.0, stiffness_damping=0.0))
        for part in character.flexible_parts
    )
    return replace(character, flexible_parts=parts)


def drummer() -> System:
    return build_system(undamped(an.load_character("drummer")), rods=RodOptions(stretch=1))


def reduced() -> System:
    character = undamped(bar_in_a_loop(backward=True))
    mesh = build_part_mesh(character.flexible_parts[0], MeshOptions(layers=4, across=(1, 1)))
    part = reduce_part(mesh, ReductionOptions(bent_modes=2, small_tolerance=1e-2), keep=False)
    return build_system(character, parts={"bar": part})


@pytest.mark.parametrize("build", [drummer, reduced])
def test_power_is_the_change_of_energy(build: object) -> None:
    """dE/dt = v . tau along z + v t + a t^2 / 2, whatever a is; multipliers are left out."""
    system = build()  # type: ignore[operator]
    moment, rng = Moment(system), np.random.default_rng(0)
    n = system.coordinate_count
    stiff = np.sqrt(np.abs(np.diagonal(moment.look(np.zeros(n)).by_z)))
    names = (*system.unknown_names, *system.motor_names)
    scale = np.array([0.3 / s if "mode" in one else 1.0 for one, s in zip(names, stiff, strict=True)])
    z, v, a = (0.2 * size * scale * rng.normal(size=n) for size in (1.0, 3.0, 10.0))
    step = 1e-5
    ends = [sum(put_energy(system.packed, moment.work, z + t * v + 0.5 * t * t * a, v + t * a)) for t in (step, -step)]
    power = v @ moment.forces(z, v, a, np.zeros(system.row_count))[0]
    assert (ends[0] - ends[1]) / (2.0 * step) == pytest.approx(power, rel=1e-6)
    assert abs(power) > 1e-3
