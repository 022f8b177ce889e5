"""How low a character reaches: the same with and without the triangles of pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character import Character, Mesh, Shape
from animato.formats import load_character
from animato.view.scene import build_scene, has_meshes, lowest_height, outline_points, pose_bodies, still_clip

CUBE = """v -1 -1 -1
v 1 -1 -1
v 1 1 -1
v -1 1 -1
v -1 -1 1
v 1 -1 1
v 1 1 1
v -1 1 1
f 1 3 2
f 1 4 3
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 4 8 7
f 4 7 3
f 2 3 7
f 2 7 6
f 1 5 8
f 1 8 4
"""


def with_mesh(character: Character, path: Path) -> Character:
    """One body of it seen as a mesh."""
    first = replace(character.bodies[0], shapes=(Shape(Mesh(str(path), (0.3, 0.2, 0.7)), visual=True),))
    return replace(character, bodies=(first, *character.bodies[1:]))


def by_triangles(character: Character) -> float:
    poses = pose_bodies(character, still_clip(None))
    return float(outline_points(build_scene(character), poses)[:, 2].min())


@pytest.mark.parametrize("name", ["pico", "lamp", "rod"])
def test_without_meshes(name: str) -> None:
    character = load_character(name)
    assert not has_meshes(character)
    assert lowest_height(character, pose_bodies(character, still_clip(None))) == by_triangles(character)


@pytest.mark.parametrize("there", [True, False])
def test_with_a_mesh_that_is_there_or_not(tmp_path: Path, there: bool) -> None:
    pytest.importorskip("trimesh")
    file = tmp_path / "cube.obj"
    if there:
        file.write_text(CUBE)
    character = with_mesh(load_character("pico"), file)
    assert has_meshes(character)
    found = lowest_height(character, pose_bodies(character, still_clip(None)))
    assert abs(found - by_triangles(character)) < 1e-9 and np.isfinite(found)
