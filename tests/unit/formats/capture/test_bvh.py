"""Reading BVH: every order of channels, units, axes, and the line of every trouble."""

from __future__ import annotations

import itertools
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from animato.errors import FileFormatError, OptionError
from animato.formats.capture import bvh
from animato.formats.capture.bvh import bvh_from_text, load_bvh
from animato.formats.files import read_whole
from animato.motion.captured_motion import CapturedMotion
from animato.spatial import quaternions

SMALL = """HIERARCHY
ROOT hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT knee
  {
    OFFSET 0 -40 0
    CHANNELS 1 Xrotation
    End Site
    {
      OFFSET 0 -45 5
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
1 90 2 10 20 30 40
3 91 4 -10 0 0 5
"""


def with_channels(order: str, angles: np.ndarray) -> str:
    names = " ".join(f"{letter.upper()}rotation" for letter in order)
    skeleton = f"ROOT a\n{{\nOFFSET 0 0 0\nCHANNELS {len(order)} {names}\n}}\n"
    rows = "\n".join(" ".join(map(repr, row)) for row in angles.tolist())
    return f"HIERARCHY\n{skeleton}MOTION\nFrames: {len(angles)}\nFrame Time: 1\n{rows}\n"


@pytest.mark.parametrize("order", ["".join(p) for n in (1, 2, 3) for p in itertools.permutations("xyz", n)])
def test_channels_in_any_order(order: str, rng: np.random.Generator) -> None:
    angles = rng.uniform(-180, 180, (5, len(order)))
    capture = bvh_from_text(with_channels(order, angles), "a.bvh", metres_per_unit=1.0, up_axis="z")
    # upper-case letters: turns about the body's own axes, the first channel outermost
    expected = Rotation.from_euler(order.upper(), angles, degrees=True).as_matrix()
    found = quaternions.matrix_from_quaternion(capture.rotations_wxyz[:, 0])
    np.testing.assert_allclose(found, expected.reshape(5, 3, 3), atol=1e-12)


def test_metres_z_up_and_end_sites() -> None:
    capture = bvh_from_text(SMALL, "walk.bvh", metres_per_unit=0.01, up_axis="y")
    assert capture.names == ("hips", "knee", "knee.end")
    assert capture.parents.tolist() == [-1, 0, 1]
    assert capture.times.tolist() == [0.0, 0.04]
    assert capture.source == "walk.bvh"
    np.testing.assert_allclose(capture.offsets, [[0, 0, 0], [0, 0, -0.4], [0, -0.05, -0.45]], atol=1e-15)
    positions, turns = capture.world_poses()
    np.testing.assert_allclose(positions[1, 0], [0.03, -0.04, 0.91], atol=1e-15)
    # in the file's own axes the second frame turns by -10 degrees about z, then the knee by 5 about x
    hips = Rotation.from_euler("z", -10, degrees=True)
    knee_y_up = np.array([3, 91, 4]) + hips.apply([0, -40, 0])
    tip_y_up = knee_y_up + (hips * Rotation.from_euler("x", 5, degrees=True)).apply([0, -45, 5])
    for found, y_up in ((positions[1, 1], knee_y_up), (positions[1, 2], tip_y_up)):
        np.testing.assert_allclose(found, np.array([y_up[0], -y_up[2], y_up[1]]) * 0.01, atol=1e-14)
    np.testing.assert_allclose(turns[1, 1], turns[1, 2], atol=1e-15)


def test_unit_and_up_axis_are_guessed_and_told() -> None:
    capture = bvh_from_text(SMALL, "walk.bvh")
    assert capture.source == "walk.bvh (y taken as up, unit taken as centimetres)"
    np.testing.assert_allclose(capture.offsets[1], [0, 0, -0.4], atol=1e-15)
    lying = SMALL.replace("0 -40 0", "0 0 -0.4").replace("0 -45 5", "0 0.05 -0.45")
    assert "z taken as up, unit taken as metres" in bvh_from_text(lying, "a.bvh").source
    large = SMALL.replace("0 -40 0", "0 -800 0").replace("0 -45 5", "0 -850 5")
    assert "millimetres" in bvh_from_text(large, "a.bvh").source


def test_tabs_and_windows_lines_and_braces_on_the_same_line() -> None:
    plain = bvh_from_text(SMALL, "a.bvh")
    odd = SMALL.replace("\n{", " {").replace("  ", "\t").replace("\n", "\r\n").replace(" 90 ", "\t90  ")
    again = bvh_from_text(odd, "a.bvh")
    assert again.names == plain.names
    assert again.rotations_wxyz.tobytes() == plain.rotations_wxyz.tobytes()


def test_names_with_blanks_and_several_roots_and_ends() -> None:
    end = "OFFSET 0 -45 5\n    }\n"
    text = SMALL.replace("JOINT knee", "JOINT Bip01 L Calf").replace(end, end + "End Site\n{\nOFFSET 1 1 1\n}\n")
    text = text.replace("MOTION", "ROOT prop\n{\nOFFSET 1 0 0\n}\nMOTION")
    capture = bvh_from_text(text, "a.bvh")
    assert capture.names == ("hips", "Bip01 L Calf", "Bip01 L Calf.end", "Bip01 L Calf.end2", "prop")
    assert capture.parents.tolist() == [-1, 0, 1, 1, -1]


def test_position_channels_replace_the_offset_where_they_stand() -> None:
    text = SMALL.replace("CHANNELS 1 Xrotation", "CHANNELS 2 Yposition Xrotation")
    text = text.replace("30 40\n", "30 -39 40\n").replace("0 0 5\n", "0 0 -38 5\n")
    capture = bvh_from_text(text, "a.bvh", up_axis="y", metres_per_unit=1.0)
    assert capture.translations is not None
    np.testing.assert_allclose(capture.translations[:, 1], [[0, 0, -39], [0, 0, -38]], atol=1e-12)
    np.testing.assert_allclose(capture.translations[:, 2], np.tile([0, -5, -45], (2, 1)), atol=1e-12)


def test_first_frames_can_be_left_out() -> None:
    capture = bvh_from_text(SMALL, "a.bvh", first_frame=1, metres_per_unit=1.0, up_axis="z")
    assert capture.frame_count == 1
    assert capture.times.tolist() == [0.0]
    np.testing.assert_allclose(capture.world_poses()[0][0, 0], [3, 91, 4])
    with pytest.raises(OptionError, match="0 to 1, given 2"):
        bvh_from_text(SMALL, "a.bvh", first_frame=2)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("Frames: 2", "Frames: 999999999", None, "says 999999999, but there are 2"),
        ("Frames: 2", "Frames: -2", 17, "whole number greater than 0"),
        ("Frames: 2\n", "", 18, "'Frames:' must stand below MOTION"),
        ("Frame Time: 0.04", "Frame Time: 0", 18, "Frame Time must be seconds"),
        ("Frame Time: 0.04", "Frame Time: nan", 18, "Frame Time must be seconds"),
        ("10 20 30 40", "10 20 x 40", 19, "'x' must be a finite number"),
        ("10 20 30 40", "10 20 inf 40", 19, "'inf' must be a finite number"),
        ("10 20 30 40", "10 20 1e300 40", 19, "'1e300' must be a finite number"),
        ("-10 0 0 5", "-10 0 0", 20, "6 numbers, but the skeleton has 7 channels"),
        ("CHANNELS 1 Xrotation", "CHANNELS 2 Xrotation", 9, "number of names"),
        ("CHANNELS 1 Xrotation", "CHANNELS 1 Wrotation", 9, "some of Xposition"),
        ("OFFSET 0 -40 0", "OFFSET 0 -40", 8, "OFFSET needs 3 finite numbers"),
        ("    OFFSET 0 -40 0\n", "", 6, "'knee' has no OFFSET"),
        ("JOINT knee", "JOINT hips", 6, "'hips' stands twice"),
        ("JOINT knee", "JOINT", 6, "needs a name"),
        ("JOINT knee", "ELBOW knee", 6, "must stand here, not 'ELBOW knee'"),
        ("  }\n}\nMOTION", "  }\nMOTION", 15, "before 'hips' is closed"),
        ("MOTION\n", "}\nMOTION\n", 16, "closes nothing"),
        ("MOTION", "MOTIONS", 16, "ROOT or MOTION must stand here"),
        ("ROOT hips\n{", "ROOT hips", 3, "a '{' must open 'hips'"),
    ],
)
def test_errors_name_the_line(old: str, new: str, line: int | None, message: str) -> None:
    assert old in SMALL
    with pytest.raises(FileFormatError) as caught:
        bvh_from_text(SMALL.replace(old, new, 1), "a.bvh")
    assert message in str(caught.value)
    assert caught.value.line == line


NO_CHANNELS = "ROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 9\nFrame Time: 1\n"


@pytest.mark.parametrize("text", ["HIERARCHY\n", "MOTION\nFrames: 1\nFrame Time: 1\n", NO_CHANNELS])
def test_halves_of_files(text: str) -> None:
    with pytest.raises(FileFormatError):
        bvh_from_text(text, "a.bvh")


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="auto, y, z"):
        bvh_from_text(SMALL, "a.bvh", up_axis="x")
    with pytest.raises(OptionError, match="greater than 0"):
        bvh_from_text(SMALL, "a.bvh", metres_per_unit=0.0)


@pytest.mark.parametrize("name", ["02_04", "05_03", "07_01", "13_26_first1200", "63_01"])
def test_people_of_the_cmu_database_stand_upright(name: str, shared_data: Path) -> None:
    capture = load_bvh(shared_data / "clips" / f"{name}.bvh")
    assert "y taken as up, unit taken as 0.0564 m" in capture.source
    positions, _ = capture.world_poses()
    first = positions[0]  # a T-pose
    height = np.ptp(first[:, 2])
    assert 1.4 < height < 1.8, "from the toes to the end of the head"
    assert height > 4.0 * np.ptp(first[:, 1]), "a person is not deep"
    assert abs(np.median(positions[..., 2].min(axis=1))) < 0.08, "feet on the floor"
    head, hips, foot = (first[capture.bone(bone), 2] for bone in ("Head", "Hips", "LeftFoot"))
    assert head > hips + 0.4 > foot + 1.0


@pytest.mark.parametrize("name", ["blender/bl.bvh", "07_01.bvh"])
def test_another_reader_finds_the_same_poses(name: str, shared_data: Path) -> None:
    bvhio = pytest.importorskip("bvhio")
    path = shared_data / "clips" / name
    capture = load_bvh(path, metres_per_unit=1.0, up_axis="z")  # as in the file
    positions, _ = capture.world_poses()
    hierarchy = bvhio.readAsHierarchy(str(path))
    for frame in (0, 7, 60):
        hierarchy.loadPose(frame)
        for joint, _, _ in hierarchy.layout():
            expected = np.array(joint.PositionWorld)
            found = positions[frame, capture.bone(joint.Name)]
            np.testing.assert_allclose(found, expected, atol=2e-5)  # the other reader works in float32


def test_reading_is_quick(rng: np.random.Generator) -> None:
    joints, frames = 60, 3000
    head = ["HIERARCHY", "ROOT j0", "{", "OFFSET 0 0 0", "CHANNELS 3 Zrotation Xrotation Yrotation"]
    for number in range(1, joints):
        head += [f"JOINT j{number}", "{", "OFFSET 0 3 0", "CHANNELS 3 Zrotation Xrotation Yrotation"]
    head += ["}"] * joints + ["MOTION", f"Frames: {frames}", "Frame Time: 0.008333"]
    row = " ".join(f"{value:.6f}" for value in rng.uniform(-90, 90, 3 * joints))
    text = "\n".join([*head, *[row] * frames])
    bvh_from_text(text, "warm-up.bvh")
    started = time.perf_counter()
    capture = bvh_from_text(text, "long.bvh")
    # 0.2 s on an idle core; the rest is for machines that do other things at the same time
    assert time.perf_counter() - started < 2.0
    assert capture.rotations_wxyz.shape == (frames, joints, 4)


def long_capture(frames: int) -> str:
    """Two bones, so many frames: what an hour of sixty is, in small."""
    head = (
        "HIERARCHY\nROOT hips\n{\nOFFSET 0 90 0\n"
        "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
        "JOINT head\n{\nOFFSET 0 60 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{\nOFFSET 0 20 0\n}\n}\n}\n"
    )
    rows = "\n".join(f"{n % 7} 90 0 {n % 90}.5 1 2 {n % 45} 4 5.25" for n in range(frames))
    return f"{head}MOTION\nFrames: {frames}\nFrame Time: 0.0083333\n{rows}\n"


def _same(one: CapturedMotion, other: CapturedMotion) -> None:
    assert one.names == other.names and one.source == other.source
    for name in ("times", "offsets", "rotations_wxyz", "translations"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_blocks_give_what_the_whole_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = long_capture(5000)
    path = tmp_path / "long.bvh"
    path.write_text(text)
    whole = bvh_from_text(text, path)
    blocks = read_whole.read_text_blocks
    monkeypatch.setattr(bvh, "read_text_blocks", lambda path: blocks(path, block=1000))
    _same(load_bvh(path), whole)
    late = load_bvh(path, first_frame=4321)
    np.testing.assert_array_equal(late.rotations_wxyz, whole.rotations_wxyz[4321:])


def test_a_long_file_needs_little_more_memory_than_its_result(tmp_path: Path) -> None:
    """An hour of sixty bones, reduced: the text is read in pieces and nothing is copied at the end."""
    path = tmp_path / "long.bvh"
    path.write_text(long_capture(60_000))
    load_bvh(path)
    tracemalloc.start()
    motion = load_bvh(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert motion.translations is not None
    result = motion.rotations_wxyz.nbytes + motion.translations.nbytes
    assert peak < 1.6 * result + 40e6  # two pieces of 8 MB of text and their lines


def test_trouble_in_a_late_block_is_named_by_its_line(tmp_path: Path) -> None:
    lines = long_capture(3000).splitlines()
    lines[2500] = lines[2500].replace("90 0", "90 x", 1)
    path = tmp_path / "broken.bvh"
    path.write_text("\n".join(lines))
    with pytest.raises(FileFormatError, match=r"line 2501: 'x' must be a finite number"):
        load_bvh(path)
