"""Targets from somebody else's world: skeletons, scale, placing, weights over time."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from animato.character.character import Character
from animato.design.problem.placing import Placing, fitting
from animato.design.problem.target_files import POSITION_WEIGHT, load_targets, point_on_body
from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.character_files import load_character
from animato.formats.motion_files import save_motion
from animato.formats.tables import PointPaths
from animato.mechanics.loops.assembly import build_mechanism
from animato.motion.captured_motion import CapturedMotion
from animato.spatial import quaternions

FRAMES = 12


@pytest.fixture(scope="module")
def arm() -> Character:
    return load_character("planar_arm")


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dancer of two bones, written as a BVH: hips that wander, and a hand that swings."""
    swing = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), 0.5 * np.sin(np.linspace(0.0, 3.0, FRAMES)))
    turns = np.stack([np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1)), swing], axis=1)
    offsets = np.array([[0.0, 0.0, 0.9], [0.5, 0.0, 0.3]])
    moved = np.tile(offsets, (FRAMES, 1, 1))
    moved[:, 0, 1] += np.linspace(0.0, 0.2, FRAMES)
    dance = CapturedMotion(np.arange(FRAMES) / 30.0, ("Hips", "Hand"), np.array([-1, 0]), offsets, turns, moved)
    path = tmp_path_factory.mktemp("rig") / "dance.bvh"
    save_motion(path, dance)
    return path


def test_a_skeleton_is_a_target_once_it_is_mapped(arm: Character, rig: Path) -> None:
    tip, root = arm.end_points[0].name, arm.bodies[1].name
    reading = {"metres_per_unit": 0.01}
    motion = load_targets(rig, arm, mapping={tip: "Hand", root: "Hips"}, reading=reading)  # type: ignore[arg-type]
    assert {target.name for target in motion.targets} == {tip, root}
    assert all(target.orientations_wxyz is None for target in motion.targets)
    hips = next(target for target in motion.targets if target.name == root)
    assert hips.positions is not None and np.ptp(hips.positions[:, 1]) == pytest.approx(0.2, abs=1e-5)
    with pytest.raises(FileFormatError, match=r"which bone a point follows. Bones: Hips, Hand"):
        load_targets(rig, arm)


def test_a_skeleton_is_fitted_at_its_first_moment(arm: Character, rig: Path) -> None:
    tip, root = arm.end_points[0].name, arm.bodies[1].name
    motion = load_targets(rig, arm, mapping={tip: "Hand", root: "Hips"}, fit=True, turns=True)
    state = build_mechanism(arm).state
    assert "scaled by" in motion.notes[0] and "turned about z" in motion.notes[0]
    middle = np.mean([target.positions[0] for target in motion.targets], axis=0)  # type: ignore[index]
    rest = []
    for target in motion.targets:
        pose = state[7 * build_mechanism(arm).body_index(target.body) :][:7]
        rest.append(pose[:3] + quaternions.rotate(pose[3:], target.point))
        turns = target.orientations_wxyz
        assert turns is not None and quaternions.angle_between(turns[0], pose[3:]) < 1e-7
    np.testing.assert_allclose(middle, np.mean(rest, axis=0), atol=1e-9)
    hand = next(target for target in motion.targets if target.name == tip)
    assert hand.orientations_wxyz is not None
    swing = quaternions.angle_between(hand.orientations_wxyz, hand.orientations_wxyz[0])
    assert np.max(swing) == pytest.approx(0.5 * np.max(np.abs(np.sin(np.linspace(0.0, 3.0, FRAMES)))), abs=1e-5)


def test_fitting_undoes_a_placing() -> None:
    random = np.random.default_rng(3)
    rest = {name: random.standard_normal(3) for name in "abcd"}
    wanted = Placing(0.4, 0.7, (1.0, -2.0, 0.3))
    there = Placing(1.0 / 0.4, -0.7).applied(
        PointPaths(np.zeros(1), {name: (rest[name] - wanted.shift)[None] for name in rest})
    )
    found = fitting(there, rest, None)
    assert (found.scale, found.turn) == pytest.approx((0.4, 0.7), abs=1e-12)
    assert found.shift == pytest.approx(wanted.shift, abs=1e-12)
    assert fitting(there, rest, 0.5).scale == 0.5
    one = PointPaths(np.zeros(2), {"a": np.array([[np.nan] * 3, [1.0, 1.0, 1.0]])})
    assert fitting(one, rest, None).scale == 1.0
    with pytest.raises(MotionError, match="there is none"):
        fitting(PointPaths(np.zeros(1), {"a": np.full((1, 3), np.nan)}), rest, None)


def test_paths_are_scaled_and_placed(arm: Character, tmp_path: Path) -> None:
    tip = arm.end_points[0].name
    file = tmp_path / "wanted.csv"
    file.write_text(f"time,{tip}.x,{tip}.y,{tip}.z\n0,1,0,0\n0.1,1,0,1\n")
    (target,) = load_targets(file, arm, scale=0.5, place=(0.1, 0.2, 0.3, 90.0)).targets
    np.testing.assert_allclose(target.positions, [[0.1, 0.7, 0.3], [0.1, 0.7, 0.8]], atol=1e-12)
    for wrong in ({"scale": -1.0}, {"place": (1.0, 2.0)}, {"fit": True, "place": (0.0, 0.0, 0.0)}):
        with pytest.raises(OptionError):
            load_targets(file, arm, **wrong)  # type: ignore[arg-type]
    assert point_on_body(arm, tip)[0] == target.body


def test_weights_over_time(arm: Character, tmp_path: Path) -> None:
    tip = arm.end_points[0].name
    file = tmp_path / "wanted.csv"
    file.write_text(f"time,{tip}.x,{tip}.y,{tip}.z,{tip}.weight\n0,1,0,0,1\n0.1,1,0,1,3\n0.2,1,0,1,\n")
    (target,) = load_targets(file, arm).targets
    np.testing.assert_allclose(target.position_weights[:, 0], [POSITION_WEIGHT, 3 * POSITION_WEIGHT, 0.0])
    said = {"rate_hz": 10, "targets": {tip: {"positions": [[1, 0, 0], [1, 0, 1], [1, 0, 1]], "weight": [1, 3, None]}}}
    (tmp_path / "wanted.json").write_text(json.dumps(said))
    (same,) = load_targets(tmp_path / "wanted.json", arm).targets
    np.testing.assert_array_equal(same.position_weights, target.position_weights)
    for text, message in ((f"time,{tip}.x,{tip}.y,{tip}.z,a.weight\n0,1,0,0,1\n", "neither place nor turn"),
                          (f"time,{tip}.x,{tip}.y,{tip}.z,{tip}.weight\n0,1,0,0,-1\n", "at least 0")):  # fmt: skip
        file.write_text(text)
        with pytest.raises(FileFormatError, match=message):
            load_targets(file, arm)
