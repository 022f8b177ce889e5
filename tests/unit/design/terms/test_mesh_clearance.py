"""Clearance between bodies whose shapes are meshes: their convex hulls count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character import Box, Frame, Mesh, Shape
from animato.design.terms import clearances
from animato.mechanics.loops.assembly import build_mechanism
from tests.unit.design.small_robots import crank_slider

pytest.importorskip("coal")
trimesh = pytest.importorskip("trimesh")

SIZE = (0.1, 0.06, 0.08)


def test_a_mesh_of_a_box_is_as_near_as_the_box(tmp_path: Path) -> None:
    """The box again, as a mesh away from its frame; and a mesh that is absent is said."""
    centre = np.array((0.03, -0.02, 0.01))
    box = trimesh.creation.box(extents=SIZE)
    box.apply_translation(centre)
    box.export(tmp_path / "box.stl")
    frame = Frame((0.0, 0.01, 0.0), (0.9, 0.3, 0.2, 0.1))
    middle = Frame.from_transform(replace(frame.transform, position=frame.transform.apply(centre)))
    found = []
    for shape in (Shape(Box(SIZE), middle), Shape(Mesh(str(tmp_path / "box.stl")), frame)):
        base = crank_slider()
        bodies = tuple(replace(body, shapes=(shape,)) if body.name == "slider" else body for body in base.bodies)
        mechanism = build_mechanism(replace(base, bodies=bodies))
        found.append(clearances(mechanism, mechanism.state[None], pairs=[("crank", "slider")], far=10.0))
    assert found[0].smallest == pytest.approx(found[1].smallest, abs=1e-6)
    assert not found[1].skipped and found[1].smallest < 2.0
    absent = replace(crank_slider(), bodies=tuple(
        replace(body, shapes=(Shape(Mesh("nowhere.stl")),)) if body.name == "slider" else body
        for body in crank_slider().bodies))  # fmt: skip
    mechanism = build_mechanism(absent)
    assert clearances(mechanism, mechanism.state[None], pairs=[("crank", "slider")]).skipped == ("slider",)
