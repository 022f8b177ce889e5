"""What is drawn of a character."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Joint, JointRole, JointType
from animato.character.landmarks import Sole
from animato.character.shape import Mesh, Shape, Sphere
from animato.motion.posture import Posture
from animato.spatial import quaternions
from animato.view.raster import palette
from animato.view.scene.posing import pose_bodies, still_clip
from animato.view.scene.scene import Scene, build_scene, place_part


def parts_of(scene: Scene, body: str) -> list:
    return [part for part in scene.parts if scene.body_names[part.body] == body]


def test_shapes_are_drawn_in_their_own_colours(post: Character) -> None:
    scene = build_scene(post)
    assert [part.colour for part in parts_of(scene, "pole")] == [
        (0.05, 0.8, 0.05),
        (0.9, 0.05, 0.05),
        (0.05, 0.05, 0.95),
    ]
    assert scene.size == pytest.approx(np.linalg.norm((0.3, 0.54, 1.04)), rel=1e-3)


def test_hidden_shapes_are_not_drawn(post: Character) -> None:
    hidden = Shape(Sphere(5.0), visual=False)
    bodies = (replace(post.bodies[0], shapes=(*post.bodies[0].shapes, hidden)), post.bodies[1])
    assert len(parts_of(build_scene(replace(post, bodies=bodies)), "foot")) == 1


def test_bodies_without_shapes_become_bones(walker: Character) -> None:
    scene = build_scene(walker)
    leg = parts_of(scene, "left_leg")
    bone = leg[0].triangles.vertices
    assert leg[0].colour == palette.LEFT
    assert bone[:, 2].min() == pytest.approx(-0.8, abs=0.03) and bone[:, 2].max() < 0.05
    assert leg[1].colour == palette.ACTUATED
    # the puck lies along the hip's axis y
    assert np.argmax(np.ptp(leg[1].triangles.vertices, axis=0)) == 1
    pelvis = parts_of(scene, "pelvis")[0].triangles.vertices
    assert np.ptp(pelvis[:, 1]) > 0.2 and pelvis[:, 2].max() > 0.5
    assert len(parts_of(scene, "head")) == 3  # neck, face, ball joint


def test_passive_joints_look_different(walker: Character) -> None:
    passive = replace(walker, joints=tuple(replace(joint, role=JointRole.PASSIVE) for joint in walker.joints))
    assert palette.PASSIVE in {part.colour for part in build_scene(passive).parts}
    assert palette.PASSIVE not in {part.colour for part in build_scene(walker).parts}


def test_missing_mesh_becomes_a_bone_and_a_present_one_is_drawn(whip: Character, cube_file: Path) -> None:
    pytest.importorskip("trimesh")
    assert len(parts_of(build_scene(whip), "base")) >= 1
    there = replace(
        whip, bodies=(Body("base", 1.0, shapes=(Shape(Mesh(str(cube_file), (0.1, 0.1, 0.1))),)), whip.bodies[1])
    )
    (cube,) = [part for part in parts_of(build_scene(there), "base") if part.bend is None]
    np.testing.assert_allclose(np.ptp(cube.triangles.vertices, axis=0), 0.2, atol=1e-12)


def test_frames_without_shape_are_left_out_where_others_have_shapes(post: Character) -> None:
    joint = Joint("mount", JointType.FIXED, "pole", "sensor", frame_parent=Frame((0.0, 0.0, 0.3)))
    fitted = replace(post, bodies=(*post.bodies, Body("sensor")), joints=(*post.joints, joint))
    assert parts_of(build_scene(fitted), "sensor") == []


def test_bent_part_stays_clamped_at_both_ends(whip: Character) -> None:
    scene = build_scene(whip)
    (bar,) = [part for part in scene.parts if part.bend is not None]
    poses = pose_bodies(whip, still_clip(Posture(("hinge",), np.array([0.5]))))
    placed, _ = place_part(bar, poses.positions[0], poses.quaternions_wxyz[0])
    rest = bar.triangles.vertices  # the base is the world here
    near = rest[:, 2] < 1e-9
    np.testing.assert_allclose(placed[near], rest[near], atol=1e-12)
    far = rest[:, 2] > 0.4 - 1e-9
    expected = poses.of("tip").apply(rest[far] - (0.0, 0.0, 0.2))
    np.testing.assert_allclose(placed[far], expected, atol=1e-12)
    # and it leaves the tip's clamp along the tip's own axis
    levels = np.unique(rest[:, 2].round(6))
    centres = [placed[np.abs(rest[:, 2] - level) < 1e-6].mean(axis=0) for level in levels]
    line = centres[-1] - centres[-5]
    axis = quaternions.rotate(poses.quaternions_wxyz[0, 1], (0.0, 0.0, 1.0))
    assert line @ axis / np.linalg.norm(line) > 0.99


def test_one_body_alone_can_be_drawn() -> None:
    scene = build_scene(Character("dot", (Body("only"),)))
    assert len(scene.parts) == 1 and scene.size > 0.0


def test_collision_shapes_and_soles_tell_where_a_foot_ends(walker: Character) -> None:
    corners = ((-0.05, -0.03, -0.8), (0.15, -0.03, -0.8), (0.15, 0.03, -0.8), (-0.05, 0.03, -0.8))
    bare = replace(walker, end_points=())
    leg = bare.bodies[1]
    touching = tuple(Shape(Sphere(0.005), Frame(corner), visual=False) for corner in corners)
    with_shapes = replace(bare, bodies=(bare.bodies[0], replace(leg, shapes=touching), *bare.bodies[2:]))
    with_sole = replace(bare, soles=(Sole("left", "left_leg", corners),))
    for character in (with_shapes, with_sole):
        points = np.vstack([part.triangles.vertices for part in parts_of(build_scene(character), "left_leg")])
        assert points[:, 0].max() == pytest.approx(0.15, abs=0.03)
        assert points[:, 2].min() == pytest.approx(-0.8, abs=0.03)
    sole = parts_of(build_scene(with_sole), "left_leg")[1].triangles.vertices
    assert sole[:, 2].min() == pytest.approx(-0.8, abs=2e-4)  # balls are sampled, so a little is missing


def test_robot_without_its_meshes_is_a_figure(shared_data: Path) -> None:
    """Unitree's G1: every limb is drawn as bones, and both sides have their colour."""
    pytest.importorskip("yourdfpy")
    from animato.formats.character_files import load_character

    robot = load_character(shared_data / "robots" / "g1" / "g1_29dof_rev_1_0.urdf")
    scene = build_scene(robot)
    drawn = {scene.body_names[part.body] for part in scene.parts}
    assert {"pelvis", "torso_link", "left_knee_link", "right_wrist_yaw_link", "left_ankle_roll_link"} <= drawn
    assert {palette.LEFT, palette.RIGHT, palette.ACTUATED} <= {part.colour for part in scene.parts}
    assert 1.0 < scene.size < 2.2
