"""Tables with a header, centimetres and degrees."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError
from animato.formats import load_motion
from animato.formats.training.euler_degrees import degrees_from_quaternions, quaternions_from_degrees
from animato.motion import Clip
from animato.spatial import quaternions

HEADER = "Frame,root_translateX,root_translateY,root_translateZ,root_rotateX,root_rotateY,root_rotateZ"


def read(path: Path, **how: float) -> Clip:
    motion = load_motion(path, **how)  # type: ignore[arg-type]
    assert isinstance(motion, Clip)
    return motion


def test_angles_are_about_the_worlds_axes_x_first() -> None:
    # 90 degrees about the world's x, then 90 about its z: y goes to z and stays; z goes to -y and on to x; x to y
    turn = quaternions_from_degrees(np.array([[90.0, 0.0, 90.0]]))
    to = quaternions.matrix_from_quaternion(turn[0])
    np.testing.assert_allclose(to, [[0, 0, 1], [1, 0, 0], [0, 1, 0]], atol=1e-15)
    np.testing.assert_allclose(np.abs(turn[0]), 0.5, atol=1e-15)
    np.testing.assert_allclose(degrees_from_quaternions(turn), [[90.0, 0.0, 90.0]], atol=1e-13)


@pytest.mark.parametrize("pitch", [90.0, -90.0, 89.9999999, 0.0, 180.0])
def test_angles_come_back_as_the_same_turn_where_two_axes_meet(pitch: float) -> None:
    turns = quaternions_from_degrees(np.array([[12.0, pitch, -70.0], [-170.0, pitch, 100.0]]))
    again = quaternions_from_degrees(degrees_from_quaternions(turns))
    np.testing.assert_allclose(quaternions.angle_between(turns, again), 0.0, atol=1e-7)


def test_angles_of_a_spin_do_not_jump() -> None:
    spin = quaternions.quaternion_about(np.tile((0.0, 0.0, 1.0), (40, 1)), np.linspace(0.0, 9.0, 40))
    np.testing.assert_allclose(degrees_from_quaternions(spin)[:, 2], np.degrees(np.linspace(0.0, 9.0, 40)), atol=1e-10)


def test_a_table_of_that_data_set_is_known_by_its_header(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        f"{HEADER},left_knee_joint_dof,b_dof\n0,100,0,80,0,0,0,90,1\n1,101,0,80,0,0,2,45,1\n"
    )
    clip = read(tmp_path / "a.csv")
    assert clip.names == ("left_knee_joint", "b")
    assert clip.source == "a.csv (120 frames a second taken)"
    np.testing.assert_allclose(clip.times, [0.0, 1.0 / 120.0])
    np.testing.assert_allclose(clip.positions[:, 0], [np.pi / 2, np.pi / 4])
    np.testing.assert_allclose(clip.base_positions, [[1.0, 0.0, 0.8], [1.01, 0.0, 0.8]])
    np.testing.assert_allclose(read(tmp_path / "a.csv", rate_hz=60.0).times, [0.0, 1.0 / 60.0])


def test_frames_that_are_left_out_and_empty_cells(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{HEADER},a_dof\n5,0,0,0,0,0,0,1\n8,0,0,0,0,0,0,1\n")
    np.testing.assert_allclose(read(tmp_path / "a.csv").times, [0.0, 3.0 / 120.0])
    (tmp_path / "b.csv").write_text(f"{HEADER},a_dof\n0,0,0,0,0,0,0,1\n1,0,0,,0,0,0,1\n")
    with pytest.raises(FileFormatError, match=re.escape("column 'root_translateZ' is empty")):
        read(tmp_path / "b.csv")
