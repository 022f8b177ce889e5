"""Rods whose bending is known are drawn along their links."""

from __future__ import annotations

import numpy as np

from animato.character import Body, Character, FlexiblePart, Frame, Interface, Joint, JointType, Material, Rod
from animato.mechanics.simulation.posing import LinkPlace, Performance
from animato.mechanics.tree import BodyPoses
from animato.view.scene import build_scene, place_part, pose_bodies, set_stage

LENGTH, LINKS = 1.0, 20


def _character() -> Character:
    steel = Material(7850.0, 2e11)
    ends = (Interface("base"), Interface("tip", frame_part=Frame((0.0, 0.0, LENGTH))))
    return Character(
        "stalk",
        (Body("base"), Body("tip")),
        (Joint("ground", JointType.GROUND, "world", "base"),),
        flexible_parts=(FlexiblePart("rod", Rod(0.002, LENGTH), steel, ends),),
    )


def _quarter_circle() -> Performance:
    """The rod as an arc of 90 degrees in the plane of x and z, in two frames: straight, then bent."""
    stations = (np.arange(LINKS) + 0.5) * LENGTH / LINKS
    angles = np.concatenate([[0.0, np.pi / 2.0], stations / LENGTH * np.pi / 2.0])
    places = np.concatenate([[0.0, LENGTH], stations])
    positions, turns = np.zeros((2, LINKS + 2, 3)), np.zeros((2, LINKS + 2, 4))
    radius = 2.0 * LENGTH / np.pi
    positions[0, :, 2], turns[0, :, 0] = places, 1.0
    positions[1, :, 0] = radius * (1.0 - np.cos(angles))
    positions[1, :, 2] = radius * np.sin(angles)
    turns[1, :, 0], turns[1, :, 2] = np.cos(angles / 2.0), np.sin(angles / 2.0)
    names = ("base", "tip", *(f"rod.{n}" for n in range(LINKS)))
    times = np.array([0.0, 1.0])
    return Performance(
        times,
        (),
        np.zeros((2, 0)),
        poses=BodyPoses(times, names, positions, turns),
        rods={"rod": tuple(LinkPlace(2 + n, float(s), LENGTH / LINKS) for n, s in enumerate(stations))},
    )


def test_a_rod_is_drawn_where_its_links_are() -> None:
    character, performance = _character(), _quarter_circle()
    scene = build_scene(character, performance.rods)
    rod = next(part for part in scene.parts if part.name == "rod")
    poses = pose_bodies(character, performance, [1.0])
    vertices, normals = place_part(rod, poses.positions[0], poses.quaternions_wxyz[0])
    radius = 2.0 * LENGTH / np.pi
    distance = np.hypot(radius - vertices[:, 0], vertices[:, 2])  # from the arc's centre
    assert np.abs(distance - radius).max() < 0.002 + 6e-4 * LENGTH  # the halves of links at its ends are straight
    assert np.abs(np.linalg.norm(normals, axis=1) - 1.0).max() < 0.01
    # by its clamps alone it would be far from that arc
    plain = next(part for part in build_scene(character).parts if part.name == "rod")
    off = place_part(plain, poses.positions[0], poses.quaternions_wxyz[0])[0]
    assert np.abs(np.hypot(radius - off[:, 0], off[:, 2]) - radius).max() > 0.02 * LENGTH


def test_between_frames_poses_go_from_one_to_the_next() -> None:
    performance = _quarter_circle()
    middle = performance.poses_at([0.5])
    assert np.allclose(np.linalg.norm(middle.quaternions_wxyz, axis=2), 1.0)
    assert np.allclose(middle.positions[0, 1], performance.poses.positions[:, 1].mean(axis=0))
    assert performance.centre_line("rod").shape == (2, LINKS, 3)


def test_a_stage_takes_a_performance_in_place_of_a_clip() -> None:
    character, performance = _character(), _quarter_circle()
    stage = set_stage(character, performance, ghost=performance, width=64, height=48)
    assert stage.picture(1.0).shape == (48, 64, 3)
