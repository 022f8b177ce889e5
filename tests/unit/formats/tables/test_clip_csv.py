"""Clips as CSV, as spreadsheets write them, with errors that name the cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.joint import Joint, JointType
from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.tables.clip_csv import clip_csv_text, load_clip_csv, save_clip_csv
from animato.motion.clip import Clip
from animato.spatial import quaternions

HERON = Character(
    "heron",
    (Body("base"), Body("head"), Body("hat"), Body("eye")),
    (
        Joint("stand", JointType.GROUND, "world", "base"),
        Joint("neck", JointType.REVOLUTE, "base", "head"),
        Joint("lift", JointType.PRISMATIC, "head", "hat"),
        Joint("eye", JointType.SPHERICAL, "head", "eye"),
    ),
)


def read(tmp_path: Path, text: str | bytes, **options: float) -> Clip:
    path = tmp_path / "clip.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_clip_csv(path, **options)


def made_clip(rng: np.random.Generator) -> Clip:
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(6, 3)))
    values = rng.normal(size=(6, 6))
    values[0] = (-0.0, 1e-308, 1e300, 1 / 3, 0.1, -5e-324)
    names = ("neck", "lift", "eye.qw", "eye.qx", "eye.qy", "eye.qz")
    return Clip(np.sort(rng.random(6)), names, values, rng.normal(size=(6, 3)), turns, 'take "2", line\nbreak;')


def test_a_clip_comes_back_bit_for_bit(rng: np.random.Generator, tmp_path: Path) -> None:
    clip = made_clip(rng)
    for character in (None, HERON):
        again = load_clip_csv(save_clip_csv(tmp_path / "a.csv", clip, character))
        assert again.same_as(clip)
        assert again.source == clip.source


def test_units_are_written_only_where_they_are_known(rng: np.random.Generator) -> None:
    header = clip_csv_text(made_clip(rng), HERON).splitlines()[2]
    assert header.startswith("time [s],neck [rad],lift [m],eye.qw [1],eye.qx [1]")
    assert header.endswith("base.x [m],base.y [m],base.z [m],base.qw,base.qx,base.qy,base.qz")
    assert clip_csv_text(made_clip(rng)).splitlines()[2].startswith("time [s],neck,lift,eye.qw,")


def test_odd_names_come_back(tmp_path: Path) -> None:
    names = ("time", "base.x", "a,b", 'say "no"', "arm [left]", "leg (deg)", "coordinate:x", "#3", "T")
    clip = Clip(np.arange(2.0), names, np.arange(18.0).reshape(2, 9))
    assert load_clip_csv(save_clip_csv(tmp_path / "a.csv", clip)).same_as(clip)


@pytest.mark.parametrize("name", ["", " neck", "neck\n", "\u2028"])
def test_names_that_a_table_cannot_hold_are_refused(name: str) -> None:
    with pytest.raises(MotionError, match=r"Save as \.npz"):
        clip_csv_text(Clip(np.zeros(1), (name,), np.zeros((1, 1))))


def test_units_are_converted(tmp_path: Path) -> None:
    clip = read(
        tmp_path, "Time [ms],neck [deg],nod (°),lift [mm],reach [cm],plain\n0,90,180,35,35,1\n500,-90,0,7,8,2\n"
    )
    assert clip.names == ("neck", "nod", "lift", "reach", "plain")
    assert clip.times.tolist() == [0.0, 0.5]
    assert clip.positions[0].tolist() == [np.pi / 2, np.pi, 0.035, 0.35, 1.0]


@pytest.mark.parametrize(
    "text",
    [
        "frame;neck [deg];lift [mm]\n10;0,5;1\n11;1,5;2\n13;-2;3\n",
        "\ufefffr\u0061me\tneck [deg]\tlift [mm]\r\n10\t0.5\t1\r\n11\t1.5\t2\r\n\r\n13\t-2\t3\r\n\t\t\r\n",
        '"frame","neck [deg]","lift [mm]",,\n10,"0.5",1,,\n11,1.5,2,,\n13,-2,3,,\n,,,,\n',
        "frame,neck [deg],lift [mm]\r10,0.5,1\r11,1.5,2\r13,-2,3",
    ],
)
def test_spreadsheets_of_all_kinds(text: str, tmp_path: Path) -> None:
    clip = read(tmp_path, text, rate_hz=20.0)
    np.testing.assert_allclose(clip.times, [0.0, 0.05, 0.15], atol=1e-15)
    np.testing.assert_allclose(np.degrees(clip.positions[:, 0]), [0.5, 1.5, -2.0], atol=1e-12)
    np.testing.assert_allclose(clip.positions[:, 1], [0.001, 0.002, 0.003], atol=1e-15)


def test_unicode_text_of_spreadsheets(tmp_path: Path) -> None:
    clip = read(tmp_path, "time\tneck\n0\t1\n1\t2\n".encode("utf-16"))
    assert clip.positions.ravel().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("comment", ["# fps: 25", "#fps=25", '"# FPS: 25",,', "# rate: 25 Hz", "# mine\n\n# fps: 25"])
def test_the_frame_rate_may_stand_in_a_comment(comment: str, tmp_path: Path) -> None:
    clip = read(tmp_path, f"{comment}\nframe,neck\n1,0\n2,0\n")
    assert clip.times.tolist() == [0.0, 0.04]


def test_a_rate_is_enough_where_there_are_no_times(tmp_path: Path) -> None:
    assert read(tmp_path, "neck\n1\n2\n3\n", rate_hz=10.0).times.tolist() == [0.0, 0.1, 0.2]
    with pytest.raises(OptionError, match="rate_hz"):
        read(tmp_path, "neck\n1\n", rate_hz=-1.0)
    with pytest.raises(OptionError, match="leave rate_hz away"):
        read(tmp_path, "time,neck\n0,1\n", rate_hz=30.0)


def test_rounded_quaternions_are_put_right_and_exact_ones_left_alone(tmp_path: Path) -> None:
    text = "time,base.qw,base.qx,base.qy,base.qz\n0,0.707,0.707,0,0\n1,1,0,0,1e-9\n"
    clip = read(tmp_path, text)
    assert clip.base_quaternions_wxyz is not None and clip.base_positions is not None
    np.testing.assert_allclose(clip.base_quaternions_wxyz[0], [np.sqrt(0.5), np.sqrt(0.5), 0, 0], atol=1e-12)
    assert clip.base_quaternions_wxyz[1].tolist() == [1.0, 0.0, 0.0, 1e-9]


def test_likely_degrees_without_a_unit_are_pointed_out(tmp_path: Path) -> None:
    assert "if they are degrees" in read(tmp_path, "time,neck\n0,90\n").source
    assert read(tmp_path, "time,neck\n0,0.9\n").source == "clip.csv"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("time,neck\n0,1\n1,abc\n", 3, "column 'neck' holds 'abc', which is not a number"),
        ("# a\ntime,neck\n0,1\n\n1,\n", 5, "column 'neck' is empty"),
        ("time,neck\n0,1\n1,inf\n", 3, "holds inf"),
        ("time,neck\n0,1\n1,2,3\n", 3, "3 cells, but the header names 2 columns"),
        ("time,neck\n0,0,1,2\n", 2, "separate columns by semicolons"),
        ("time,neck\n0,1\n0,2\n", 3, "'time' must rise from row to row; 0 does not come after 0"),
        ("time,neck [furlong]\n0,1\n", 1, "unit 'furlong'; allowed: rad, deg, m, cm, mm"),
        ("time [deg],neck\n0,1\n", 1, "unit 'deg'; allowed: s, ms"),
        ("time,neck,neck\n0,1,2\n", 1, "'neck' stands over two columns"),
        ("time,,neck\n0,1,2\n", 1, "column 2 has no name"),
        ("0,1\n1,2\n", 1, "the first line holds numbers"),
        ("frame,neck\n0,1\n", 1, "the frame rate is not known"),
        ("time,base.x\n0,1\n", 1, "missing: base.y, base.z"),
        ("time,base.qw,base.qx,base.qy,base.qz\n0,2,0,0,0\n", 2, "unit quaternion"),
        ("time,neck\n", 1, "no numbers below"),
    ],
)
def test_errors_name_the_line_and_the_cell(text: str, line: int, message: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize("text", [b"\n\n", b"# only a comment\n", b"time,neck\n0,\xff\n", b"time\0,neck\n"])
def test_files_that_are_no_tables(text: bytes, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError):
        read(tmp_path, text)


@pytest.mark.parametrize(
    "names",
    [
        "root_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw",
        "x,y,z,qx,qy,qz,qw",
        "base.x,base.y,base.z,base.qx,base.qy,base.qz,base.qw",
    ],
)
def test_the_base_as_others_call_it(tmp_path: Path, names: str) -> None:
    (tmp_path / "a.csv").write_text(f"{names},neck\n1,2,3,0,0,0.6,0.8,0.5\n1,2,3,0,0,0.6,0.8,0.6\n")
    clip = load_clip_csv(tmp_path / "a.csv", rate_hz=30.0)
    assert clip.names == ("neck",)
    assert clip.base_positions is not None and clip.base_quaternions_wxyz is not None
    assert clip.base_positions[0].tolist() == [1.0, 2.0, 3.0]
    assert clip.base_quaternions_wxyz[0].tolist() == [0.8, 0.0, 0.0, 0.6]


def test_joints_that_are_called_like_a_part_of_a_base_stay_joints(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("time,x,y,z,qx\n0,1,2,3,4\n1,1,2,3,4\n")
    clip = load_clip_csv(tmp_path / "a.csv")
    assert clip.names == ("x", "y", "z", "qx") and not clip.has_base
