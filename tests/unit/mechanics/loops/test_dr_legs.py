"""DR Legs over its whole walk: a real robot with twelve motors and six closed loops, from rest to frame 2239."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.formats.character_files import load_character
from animato.loading.clips import load_clip
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.constraints.coordinates import joint_coordinates
from animato.mechanics.loops.constraints.values import constraint_values
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.mechanics.loops.motion import LoopMotion
from animato.spatial import quaternions
from benchmarks import design_dr_legs
from benchmarks.design_dr_legs import dr_legs_rows, pose_differences


@pytest.fixture(scope="module")
def walk(shared_data: Path) -> LoopMotion:
    pytest.importorskip("pxr")
    folder = shared_data / "mechanisms" / "dr_legs"
    legs = load_character(folder / "dr_legs.usda")
    clip = load_clip(folder / "dr_legs_animation_100fps.npy", legs, rate_hz=100)
    mechanism = build_mechanism(legs)
    return loop_kinematics(mechanism, clip.selected(mechanism.control_names).positions)


def test_every_frame_is_reached_and_every_row_holds(walk: LoopMotion) -> None:
    assert walk.states.shape == (2239, 31 * 7)
    assert walk.reached.all()
    for which in ("kept", "redundant", "all"):
        assert np.abs(constraint_values(walk.mechanism, walk.states, walk.controls, rows=which)).max() < 1e-9
    assert len(walk.mechanism.dropped) == len(walk.mechanism.row_indices("redundant")) == 12
    for reported in (walk.residual, walk.dropped_residual, walk.actuator_residual):
        assert reported.max() < 1e-9
    found = joint_coordinates(walk.mechanism, walk.states).columns(walk.mechanism.control_names)
    np.testing.assert_allclose(found, walk.controls, atol=1e-9)


def test_a_rod_that_is_turned_breaks_rows(walk: LoopMotion) -> None:
    """Negative control: a hundredth of a radian at one frame is seen there and only there."""
    states = walk.states.copy()
    first = 7 * walk.mechanism.body_index("upperleg_rod_l_i") + 3
    turn = np.array([np.cos(0.005), *(np.sin(0.005) * np.array([0.6, 0.0, 0.8]))])
    states[1000, first : first + 4] = quaternions.multiply(turn, states[1000, first : first + 4])
    worst = np.abs(constraint_values(walk.mechanism, states, walk.controls, rows="all")).max(axis=1)
    assert worst[1000] > 1e-3
    assert np.delete(worst, 1000).max() < 1e-9


def test_no_branch_flips(walk: LoopMotion) -> None:
    assert not walk.flipped.any()
    assert walk.flipped_joints == ()
    assert len(walk.branch_changes) == 0
    assert len(set(walk.determinant_sign)) == 1
    # A flip would be a jump. On this robot no body turns further in a frame than all motors together.
    quaternions = walk.states.reshape(2239, 31, 7)[..., 3:]
    turn = 2.0 * np.arccos(np.clip(np.abs(np.sum(quaternions[1:] * quaternions[:-1], axis=-1)), 0.0, 1.0))
    assert np.all(turn.max(axis=1) <= np.abs(np.diff(walk.controls, axis=0)).sum(axis=1) + 1e-6)
    assert walk.smallest_singular_value.min() > 1e-3


def test_where_the_walk_began_does_not_matter(walk: LoopMotion) -> None:
    """One frame alone from rest, and the walk backwards, end in the same assembly."""
    for frame in range(150, 2239, 400):
        alone = loop_kinematics(walk.mechanism, walk.controls[frame : frame + 1])
        np.testing.assert_allclose(alone.states[0], walk.states[frame], atol=1e-9)
    backwards = loop_kinematics(walk.mechanism, walk.controls[::-1])
    np.testing.assert_allclose(backwards.states[::-1], walk.states, atol=1e-9)


def test_poses_are_those_of_kamino(walk: LoopMotion) -> None:
    """Where newton is installed: single precision and a tolerance of 1e-6 are what separates the two."""
    pytest.importorskip("newton")
    from benchmarks.design_dr_legs_peer import Kamino

    peer = Kamino(design_dr_legs.FOLDER / "dr_legs.usda", walk.mechanism.control_names)
    frames = walk.controls[:40]
    found = peer.solved(frames)
    motion = loop_kinematics(walk.mechanism, frames)
    apart, turn = pose_differences(motion, peer.body_names, found.poses)
    assert apart < 5e-6 and turn < 5e-5
    assert found.residual <= 1e-6
    later = loop_kinematics(walk.mechanism, walk.controls[1:41])  # negative control: one frame late
    assert min(pose_differences(later, peer.body_names, found.poses)) > 1e-4


def test_the_benchmark_without_files_or_peer(
    walk: LoopMotion, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    known = design_dr_legs.importlib.util.find_spec
    monkeypatch.setattr(
        design_dr_legs.importlib.util, "find_spec", lambda name: None if name == "newton" else known(name)
    )
    rows = {row.name: row for row in dr_legs_rows(quick=True)}
    assert rows["dr_legs.frame_ms"].peer == "kamino: not installed"
    assert rows["dr_legs.frame_ms"].peer_value is None
    assert 0.0 < rows["dr_legs.frame_ms"].value < 50.0
    assert rows["dr_legs.residual"].value < 1e-9
    monkeypatch.setattr(design_dr_legs, "FOLDER", tmp_path / "nowhere")
    assert dr_legs_rows(quick=True) == []
    assert "left out: its files are not on this machine" in caplog.text
