"""Moves of Reachy Mini."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from animato.errors import AnimatoError, OptionError
from animato.formats import load_character
from animato.mechanics.tree import forward_kinematics
from animato.spatial import quaternions
from animato.stage.exporting import export, take_of
from tests.export_builders import swing


def test_a_head_goes_out_as_it_moves_from_neutral(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    clip = swing(lamp)
    (tmp_path / "horn.wav").write_bytes(b"RIFF sound")
    done = export(
        tmp_path / "move.json",
        lamp,
        clip,
        to="reachy-mini",
        head="shade",
        antennas=("nod", "tilt"),
        body_yaw="turn",
        sound=str(tmp_path / "horn.wav"),
        description="Looks about",
    )
    move = json.loads((tmp_path / "move.json").read_text())
    assert move["description"] == "Looks about"
    assert move["time"] == clip.times.tolist()
    poses = forward_kinematics(lamp, clip).of("shade")
    neutral = forward_kinematics(lamp, take_of(lamp, clip).clip.part(slice(0, 1))).of("shade")
    assert np.abs(clip.positions[0]).max() < 1e-12  # the clip begins in the neutral posture
    for frame in (0, 50, 100, 200):
        one = move["set_target_data"][frame]
        head = np.array(one["head"])
        np.testing.assert_allclose(head[:3, 3], poses.position[frame] - neutral.position[0], atol=1e-12)
        turned = quaternions.matrix_from_quaternion(poses.quaternion_wxyz[frame])
        rest = quaternions.matrix_from_quaternion(neutral.quaternion_wxyz[0])
        np.testing.assert_allclose(head[:3, :3] @ rest, turned, atol=1e-12)
        assert head[3].tolist() == [0.0, 0.0, 0.0, 1.0]
        assert one["antennas"] == clip.positions[frame, 3:5].tolist()
        assert one["body_yaw"] == clip.positions[frame, 0]
    assert done.files == (tmp_path / "move.json", tmp_path / "move.wav")
    assert (tmp_path / "move.wav").read_bytes() == b"RIFF sound"
    assert move["animato"]["motion_sha256"]


def test_what_is_not_named_stays_and_what_is_not_there_is_refused(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    clip = swing(lamp)
    done = export(tmp_path / "move.json", lamp, clip, to="reachy-mini", head="light")  # a marker
    move = json.loads((tmp_path / "move.json").read_text())
    assert move["set_target_data"][5]["antennas"] == [0.0, 0.0]
    assert sum("stay" in one for one in done.left_out) == 2
    (tmp_path / "move.json").unlink()
    with pytest.raises(AnimatoError, match="head"):
        export(tmp_path / "move.json", lamp, clip, to="reachy-mini")
    with pytest.raises(AnimatoError, match="ear"):
        export(tmp_path / "move.json", lamp, clip, to="reachy-mini", head="shade", antennas=("ear", "nod"))
    with pytest.raises(OptionError, match="sound"):
        export(tmp_path / "move.json", lamp, clip, to="reachy-mini", head="shade", sound="noise.txt")
    with pytest.raises(AnimatoError, match="missing"):
        export(tmp_path / "move.json", lamp, clip, to="reachy-mini", head="shade", sound=str(tmp_path / "missing.wav"))
    assert not list(tmp_path.iterdir())
