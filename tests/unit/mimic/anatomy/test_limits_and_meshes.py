"""Warnings about limits, and soles from mesh files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character import Body, Character, Frame, Joint, JointType, Limits, Mesh, Shape
from animato.errors import CharacterError
from animato.mimic.anatomy import anatomy_of
from tests.humanoid_builders import humanoid


def limited(*limits: Limits | None) -> Character:
    """The small humanoid with limits of its joints in turn."""
    robot = humanoid()
    joints = []
    for index, joint in enumerate(robot.joints):
        one = limits[index % len(limits)]
        joints.append(replace(joint, stated_limits=() if one is None else (one,)))
    return replace(robot, joints=tuple(joints))


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ((None,), "No range is stated for any joint."),
        ((Limits(-2.0, 2.0, 5.0, torque=9.0), Limits(-2.0, 2.0, torque=8.0)), "No speed limit is stated for 13"),
        ((Limits(-2.0, 2.0, 5.0), Limits(-2.0, 2.0, 6.0, torque=8.0)), "No torque limit is stated for 13"),
        ((Limits(-2.0, 2.0, 5.0, torque=100.0),), "All 26 joints state the same torque limit, 100 N m"),
        ((Limits(-2.0, 2.0, 9.0, torque=10.0),), "All 26 joints state the same speed limit, 9 rad/s"),
        ((Limits(-2.0, 2.0, 5.0, torque=5000.0), Limits(-2.0, 2.0, 6.0, torque=8.0)), "are no motor's: 13"),
    ],
)
def test_limits_that_are_missing_or_look_made_up(limits: tuple[Limits | None, ...], said: str) -> None:
    assert any(said in note for note in anatomy_of(limited(*limits)).notes)


def test_good_limits_are_not_talked_about() -> None:
    good = (Limits(-2.0, 2.0, 5.0, torque=9.0), Limits(-2.0, 2.0, 6.0, torque=8.0))
    assert not any("limit" in note or "range" in note for note in anatomy_of(limited(*good)).notes)


def test_a_sole_from_a_mesh(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / "foot.stl"
    box = trimesh.creation.box((200.0, 80.0, 20.0))
    foot = Shape(Mesh(str(path), (0.001, 0.001, 0.001)), Frame((0.03, 0.0, -0.05)))
    lifted = trimesh.creation.icosphere(radius=30.0).apply_translation((0.0, 0.0, 25.0))
    trimesh.util.concatenate([box, lifted]).export(path)
    sole = anatomy_of(humanoid(foot=foot)).feet[0].sole
    corners = np.array(sole.corners)
    assert len(corners) == 4
    assert corners.min(0) == pytest.approx((-0.07, -0.04, -0.06), abs=1e-6)
    assert corners.max(0) == pytest.approx((0.13, 0.04, -0.06), abs=1e-6)


@pytest.mark.parametrize("content", [None, b"not a mesh"])
def test_a_mesh_that_cannot_be_read_is_guessed_for(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "foot.stl"
    if content is not None:
        path.write_bytes(content)
    anatomy = anatomy_of(humanoid(foot=Shape(Mesh(str(path)))))
    assert sum("guessed" in note for note in anatomy.notes) == 2


def test_what_does_not_look_like_a_sole_is_no_sole(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / "foot.stl"
    trimesh.creation.box((0.05, 0.2, 0.02)).export(path)  # turned by a quarter: a wrong up axis in the file
    anatomy = anatomy_of(humanoid(foot=Shape(Mesh(str(path)), Frame((0.0, 0.0, -0.05)))))
    assert sum("guessed" in note for note in anatomy.notes) == 2


def test_four_legs_are_too_many() -> None:
    bodies, joints = [Body("trunk", 5.0)], []
    for x in (0.3, -0.3):
        for y in (0.1, -0.1):
            above, at = "trunk", (x, y, 0.0)
            for index, axis in enumerate(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0))):
                name = f"leg {x} {y} {index}"
                bodies.append(Body(name, 0.3))
                joints.append(Joint(name, JointType.REVOLUTE, above, name, frame_parent=Frame(at), axis=axis))
                above, at = name, (0.0, 0.0, -0.2)
    with pytest.raises(CharacterError, match="four legs"):
        anatomy_of(Character("dog", tuple(bodies), tuple(joints)))
