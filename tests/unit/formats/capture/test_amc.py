"""Motion from AMC files and the skeletons beside them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError, OptionError
from animato.formats import load_motion
from animato.formats.capture.amc import amc_from_text
from animato.formats.capture.asf import asf_from_text
from animato.motion import CapturedMotion
from animato.spatial import quaternions

SKELETON = """# made by hand
:version 1.10
:name test
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name lfemur
    direction 0 -2 0
    length 8
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
    id 2
    name ltibia
    direction 0 -1 0
    length 7
    axis 0 90 0 XYZ
    dof rx
    limits (-10.0 170.0)
  end
  begin
    id 3
    name lowerback
    direction 0 1 0
    length 10
    axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root lfemur lowerback
    lfemur ltibia
  end
"""
FRAME = "{number}\nroot 1 2 3 0 {yaw} 0\nlfemur {bend} 0 0\nltibia 90\n"
UNIT = 0.0254 / 0.45


def motion_text(frames: int = 20) -> str:
    rows = [FRAME.format(number=n + 1, yaw=n, bend=-n) for n in range(frames)]
    return "#!OML:ASF somewhere\n:FULLY-SPECIFIED\n:DEGREES\n" + "".join(rows)


def capture(text: str | None = None, **how: object) -> CapturedMotion:
    return amc_from_text(text or motion_text(), "a.amc", asf_from_text(SKELETON, "a.asf"), **how)  # type: ignore[arg-type]


def test_bones_begin_where_their_parents_end_in_metres_and_z_up() -> None:
    moved = capture()
    assert moved.names == ("root", "lfemur", "lowerback", "ltibia", "lowerback.end", "ltibia.end")
    assert moved.times[1] == 1 / 120 and moved.frame_count == 20
    places, _ = moved.world_poses()
    root = np.array((1.0, -3.0, 2.0)) * UNIT
    np.testing.assert_allclose(places[0, moved.bone("lfemur")], root, atol=1e-12)
    np.testing.assert_allclose(places[0, moved.bone("ltibia")], root - np.array((0, 0, 8)) * UNIT, atol=1e-12)
    np.testing.assert_allclose(places[0, moved.bone("lowerback.end")], root + np.array((0, 0, 10)) * UNIT, atol=1e-12)
    for told in ("y taken as up", "an inch / 0.45", "120 frames a second"):
        assert told in moved.source


def test_a_bone_turns_about_its_own_axis() -> None:
    """The shin bends by 90 degrees about x of an axis that is turned by 90 degrees about y: about -z of the file."""
    places, _ = capture().world_poses()
    shin = places[0, -1] - places[0, 3]
    np.testing.assert_allclose(shin, np.array((-7.0, 0.0, 0.0)) * UNIT, atol=1e-12)


def test_angles_are_applied_in_the_order_of_the_file_about_fixed_axes() -> None:
    text = ":DEGREES\n" + "".join(f"{n}\nroot 0 0 0 30 40 50\nlfemur 10 20 30\nltibia 0\n" for n in (1, 2))
    moved = capture(text, up_axis="z", metres_per_unit=1.0)
    about = [
        quaternions.quaternion_about(np.eye(3)[n], np.radians(angle)) for n, angle in enumerate((30.0, 40.0, 50.0))
    ]
    expected = quaternions.multiply(about[2], quaternions.multiply(about[1], about[0]))
    np.testing.assert_allclose(moved.rotations_wxyz[0, 0], expected, atol=1e-12)
    frame = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), np.radians(20.0))
    about = [
        quaternions.quaternion_about(np.eye(3)[n], np.radians(angle)) for n, angle in enumerate((10.0, 20.0, 30.0))
    ]
    turn = quaternions.multiply(about[2], quaternions.multiply(about[1], about[0]))
    expected = quaternions.multiply(quaternions.multiply(frame, turn), quaternions.conjugate(frame))
    np.testing.assert_allclose(moved.rotations_wxyz[0, 1], expected, atol=1e-12)


def test_radians_are_read_where_the_motion_says_so() -> None:
    text = ":RADIANS\n" + "".join(f"{n}\nroot 1 2 3 0 0 0\nlfemur 0 0 0\nltibia {np.pi / 2}\n" for n in (1, 2))
    np.testing.assert_allclose(capture(text).rotations_wxyz[0, 3], capture().rotations_wxyz[0, 3], atol=1e-12)


def test_the_skeleton_is_found_beside_the_motion(tmp_path: Path) -> None:
    motion = tmp_path / "07_01.amc"
    motion.write_text(motion_text())
    with pytest.raises(FileFormatError, match=r"neither '07_01.asf' nor another single .asf file is beside it\. Say"):
        load_motion(motion)
    for name in ("07_01.asf", "07.asf", "only.asf"):
        (tmp_path / name).write_text(SKELETON)
        assert isinstance(load_motion(motion), CapturedMotion)
        (tmp_path / name).unlink()
    for name in ("a.asf", "b.asf"):
        (tmp_path / name).write_text(SKELETON)
    with pytest.raises(FileFormatError, match=r"There are: a.asf, b.asf\. Say which with `skeleton`"):
        load_motion(motion)
    chosen = load_motion(motion, skeleton=tmp_path / "a.asf", rate_hz=60.0)
    assert isinstance(chosen, CapturedMotion) and chosen.times[1] == 1 / 60
    with pytest.raises(FileFormatError, match="a skeleton without motion"):
        load_motion(tmp_path / "a.asf")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("direction 0 -2 0", "direction 0 x 0", 17, "direction needs 3 finite numbers"),
        ("dof rx ry rz", "dof rx ry l", 20, "must be some of rx, ry, rz"),
        ("axis 0 0 20 XYZ", "axis 0 0 20 XYY", 19, "the order of axes"),
        ("name ltibia", "name lfemur", 25, "a name of its own"),
        ("lfemur ltibia", "lfemur rtibia", 44, "'rtibia' that is not described"),
        ("lfemur ltibia", "lfemur lowerback", 44, "hangs on two others"),
        ("    lfemur ltibia\n", "", 25, "'ltibia' hangs on nothing"),
        ("length 0.45", "length 0", 6, "greater than 0"),
        (":bonedata\n", ":bonedata\n id 3\n", 14, "stands outside"),
        (":hierarchy", ":documentation", None, "lacks bones"),
    ],
)
def test_damaged_skeletons_are_refused_with_the_line(old: str, new: str, line: int | None, message: str) -> None:
    assert old in SKELETON
    with pytest.raises(FileFormatError, match=message) as caught:
        asf_from_text(SKELETON.replace(old, new, 1), "a.asf")
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ltibia 90", "ltibia 90 1", "'ltibia' has 2 numbers; its skeleton asks for 1"),
        ("ltibia 90", "rtibia 90", "'rtibia' is no bone"),
        ("ltibia 90", "ltibia ninety", "must be numbers"),
        ("ltibia 90", "ltibia nan", "asks for 1 finite"),
        ("ltibia 90\n", "", "frame 1 lacks 'ltibia'"),
        ("ltibia 90\n", "ltibia 90\nltibia 91\n", "stands twice"),
        ("1\nroot", "root", "before the first one"),
    ],
)
def test_damaged_motions_are_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        capture(motion_text().replace(old, new, 1))


def test_no_frames_and_bad_options() -> None:
    with pytest.raises(FileFormatError, match="no frame is in it"):
        capture(":DEGREES\n")
    with pytest.raises(OptionError, match="rate_hz must be greater than 0"):
        capture(rate_hz=0.0)
