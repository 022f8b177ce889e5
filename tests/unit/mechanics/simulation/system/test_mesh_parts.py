"""Characters whose flexible part is a mesh of a file."""

from dataclasses import replace
from pathlib import Path

import meshio
import numpy as np
import pytest

import animato as an
from animato.character import Bar, FlexiblePart, Interface, Mesh
from animato.errors import AnimatoError
from animato.mechanics.flexible.mesh import MeshOptions, build_part_mesh
from animato.mechanics.simulation import build_system, solve_statics


@pytest.fixture(scope="module")
def stands(tmp_path_factory: pytest.TempPathFactory) -> tuple[an.Character, an.Character]:
    """`rod` with a printed bar in the place of its rod, and with a mesh of the same bar."""
    rod = an.load_character("rod")
    (part,) = rod.flexible_parts
    length = part.geometry.length
    material = replace(part.material, youngs_modulus=2.3e9, density=1170.0, model="st_venant_kirchhoff")
    bar = FlexiblePart(part.name, Bar(0.03, 0.02, length), material, part.interfaces)
    mesh = build_part_mesh(bar, MeshOptions(layers=8))
    path = tmp_path_factory.mktemp("mesh") / "bar.vtu"
    meshio.write_points_cells(path, 1000.0 * mesh.nodes, [("tetra", mesh.tets[:, :4])])
    clamps = tuple(replace(one, extent=0.02) for one in part.interfaces)
    filed = FlexiblePart(part.name, Mesh(str(path), (0.001, 0.001, 0.001)), material, clamps)
    return replace(rod, flexible_parts=(bar,)), replace(rod, flexible_parts=(filed,))


def test_a_mesh_sags_as_the_bar_that_it_is_of(stands: tuple[an.Character, an.Character]) -> None:
    places = []
    for stand in stands:
        system = build_system(stand, tracked=("ball",))
        places.append(solve_statics(system, [np.radians(40.0)]).points[0, 0])
    bar, mesh = places
    rigid = np.linalg.norm(bar)
    assert np.linalg.norm(bar - mesh) < 0.004 * rigid
    assert isinstance(stands[1].flexible_parts[0].geometry, Mesh)


def test_it_is_simulated_through_the_front_door(stands: tuple[an.Character, an.Character]) -> None:
    times = np.linspace(0.0, 0.6, 61)
    clip = an.Clip(times, ("motor",), np.clip(times - 0.2, 0.0, 0.2)[:, None])
    run = an.simulate(stands[1], clip, an.SimulationOptions(step_s=2e-3))
    assert run.peak_deviation_m > 0.001


def test_a_mesh_that_is_not_there_is_named(stands: tuple[an.Character, an.Character]) -> None:
    part = stands[1].flexible_parts[0]
    lost = replace(part, geometry=Mesh(str(Path("nowhere") / "lost.vtu")))
    with pytest.raises(AnimatoError, match="lost"):
        build_system(replace(stands[1], flexible_parts=(lost,)))


def test_a_clamp_off_the_mesh_is_named(stands: tuple[an.Character, an.Character]) -> None:
    part = stands[1].flexible_parts[0]
    far = Interface(part.interfaces[0].body, part.interfaces[0].frame_body, extent=1e-6)
    with pytest.raises(AnimatoError, match="extent"):
        build_system(replace(stands[1], flexible_parts=(replace(part, interfaces=(far, *part.interfaces[1:])),)))
