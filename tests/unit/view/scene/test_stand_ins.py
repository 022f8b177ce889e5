"""Meshes that are missing: named, and something is drawn in their place."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.character import Character
from animato.formats import load_character
from animato.view.scene.scene import build_scene
from animato.view.scene.stand_ins import missing_meshes, stand_in

ROBOT = """<robot name="arm">
  <link name="base"><visual><geometry><box size=".2 .2 .1"/></geometry></visual></link>
  <link name="upper"><visual><geometry><mesh filename="gone/upper.stl"/></geometry></visual>
    <collision><geometry><cylinder radius=".03" length=".3"/></geometry></collision></link>
  <link name="hand"><inertial><origin xyz="0 0 .05"/><mass value="2"/>
    <inertia ixx="{ixx}" iyy="{iyy}" izz="{izz}" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="gone/hand.dae"/></geometry></visual></link>
  <joint name="a" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
  <joint name="b" type="fixed"><parent link="upper"/><child link="hand"/><origin xyz="0 0 .3"/></joint>
</robot>"""
EDGES = np.array((0.1, 0.06, 0.02))


def robot(folder: Path) -> Character:
    x, y, z = 2.0 * (np.sum(EDGES**2) - EDGES**2) / 12.0
    path = folder / "arm.urdf"
    path.write_text(ROBOT.format(ixx=x, iyy=y, izz=z))
    return load_character(path)


def test_missing_meshes_are_named_once(tmp_path: Path) -> None:
    assert missing_meshes(robot(tmp_path)) == ("upper.stl", "hand.dae")
    assert missing_meshes(load_character("lamp")) == ()


def test_every_body_with_a_missing_mesh_is_seen(tmp_path: Path) -> None:
    scene = build_scene(robot(tmp_path))
    drawn = {scene.body_names[part.body] for part in scene.parts if len(part.triangles.faces)}
    assert drawn == {"base", "upper", "hand"}
    upper = np.vstack([p.triangles.vertices for p in scene.parts if scene.body_names[p.body] == "upper"])
    np.testing.assert_allclose(np.ptp(upper, axis=0)[2], 0.3, rtol=1e-9)


def test_a_box_of_mass_and_inertia_is_that_box(tmp_path: Path) -> None:
    hand = robot(tmp_path).body("hand")
    vertices = stand_in(hand, 0.01).vertices
    np.testing.assert_allclose(np.ptp(vertices, axis=0), EDGES, rtol=1e-6)
    np.testing.assert_allclose((vertices.max(axis=0) + vertices.min(axis=0)) / 2.0, (0.0, 0.0, 0.05), atol=1e-9)
