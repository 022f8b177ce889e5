"""Small characters and clips that the tests of the view draw."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.flexible_part import Bar, FlexiblePart, Interface, Material
from animato.character.frame import Frame
from animato.character.joint import WORLD, Joint, JointType
from animato.character.landmarks import EndPoint
from animato.character.shape import Box, Mesh, Shape, Sphere
from animato.motion.clip import Clip

RED, GREEN, BLUE = (0.9, 0.05, 0.05, 1.0), (0.05, 0.8, 0.05, 1.0), (0.05, 0.05, 0.95, 1.0)


@pytest.fixture
def post() -> Character:
    """A post that stands on the floor and turns about z, with a red ball on its left and a blue one on top."""
    return Character(
        "post",
        (
            Body("foot", 1.0, shapes=(Shape(Box((0.3, 0.3, 0.05)), Frame((0.0, 0.0, 0.025))),)),
            Body(
                "pole",
                1.0,
                shapes=(
                    Shape(Box((0.08, 0.08, 0.8)), Frame((0.0, 0.0, 0.4)), GREEN),
                    Shape(Sphere(0.09), Frame((0.0, 0.3, 0.5)), RED),
                    Shape(Sphere(0.09), Frame((0.0, 0.0, 0.9)), BLUE),
                ),
            ),
        ),
        (
            Joint("ground", JointType.GROUND, WORLD, "foot"),
            Joint("turn", JointType.REVOLUTE, "foot", "pole", frame_parent=Frame((0.0, 0.0, 0.05)), axis=(0, 0, 1)),
        ),
        end_points=(EndPoint("ball", "pole", Frame((0.0, 0.3, 0.5))),),
    )


@pytest.fixture
def turning() -> Clip:
    """Half a turn of the post and back, with a pause in the middle, 2 s."""
    times = np.linspace(0.0, 2.0, 41)
    return Clip(times, ("turn",), (0.5 * np.pi * (1.0 - np.cos(np.pi * times)))[:, None])


@pytest.fixture
def walker() -> Character:
    """A floating figure without any shape."""
    joints = [
        Joint("left_hip", JointType.REVOLUTE, "pelvis", "left_leg", frame_parent=Frame((0, 0.1, 0)), axis=(0, 1, 0)),
        Joint("right_hip", JointType.REVOLUTE, "pelvis", "right_leg", frame_parent=Frame((0, -0.1, 0)), axis=(0, 1, 0)),
        Joint("neck", JointType.SPHERICAL, "pelvis", "head", frame_parent=Frame((0, 0, 0.5))),
    ]
    bodies = [Body("pelvis"), Body("left_leg"), Body("right_leg"), Body("head", 1.0, (0.0, 0.0, 0.1))]
    places = [EndPoint(f"{side}_toe", f"{side}_leg", Frame((0, 0, -0.8))) for side in ("left", "right")]
    return Character("walker", tuple(bodies), tuple(joints), end_points=tuple(places))


@pytest.fixture
def walk() -> Clip:
    """Three metres along x in 2 s."""
    times = np.linspace(0.0, 2.0, 21)
    swing = 0.4 * np.sin(2.0 * np.pi * times)
    base = np.column_stack([1.5 * times, 0.0 * times, 0.8 + 0.0 * times])
    return Clip(times, ("left_hip", "right_hip"), np.column_stack([swing, -swing]), base)


@pytest.fixture
def whip() -> Character:
    """A hinge that is bridged by a flexible bar, and a mesh that is not there."""
    steel = Material(7850.0, 2e11)
    clamps = (Interface("base"), Interface("tip", Frame((0.0, 0.0, 0.2)), Frame((0.0, 0.0, 0.4))))
    return Character(
        "whip",
        (Body("base", 1.0, shapes=(Shape(Mesh("nowhere.stl")),)), Body("tip", 0.1)),
        (
            Joint("ground", JointType.GROUND, WORLD, "base"),
            Joint("hinge", JointType.REVOLUTE, "base", "tip", frame_parent=Frame((0.0, 0.0, 0.2)), axis=(0, 1, 0)),
        ),
        flexible_parts=(FlexiblePart("bar", Bar(0.05, 0.01, 0.4), steel, clamps),),
    )


@pytest.fixture
def ring() -> Character:
    """Four bars that close a loop."""
    at = {"a": (0, 0, 0), "b": (0, 0, 0.1), "c": (0.2, 0, 0)}
    joints = [Joint("ground", JointType.GROUND, WORLD, "frame", frame_parent=Frame((0, 0, 0.2)))]
    for name, parent, child, place, on_child in (
        ("crank", "frame", "a", at["a"], (0, 0, 0)),
        ("pin", "a", "b", at["b"], (0, 0, 0)),
        ("axle", "frame", "c", at["c"], (0, 0, 0)),
        ("closing", "b", "c", (0.2, 0, 0), (0, 0, 0.1)),
    ):
        frames = (Frame(place), Frame(on_child))
        joints.append(Joint(name, JointType.REVOLUTE, parent, child, None, *frames, axis=(0, 1, 0)))
    return Character("ring", tuple(Body(name) for name in ("frame", "a", "b", "c")), tuple(joints))


@pytest.fixture
def cube_file(tmp_path: Path) -> Path:
    """An STL file of a cube with edges of 2."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    lines = ["solid cube"]
    for a, b, c, d in quads:
        for face in ((a, b, c), (a, c, d)):
            lines += ["facet normal 0 0 0", "outer loop"]
            lines += [f"vertex {x} {y} {z}" for x, y, z in corners[list(face)]]
            lines += ["endloop", "endfacet"]
    path = tmp_path / "cube.stl"
    path.write_text("\n".join([*lines, "endsolid cube"]))
    return path
