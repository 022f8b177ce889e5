"""Targets of a design from files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from animato.character.character import Character
from animato.design.problem.build import build
from animato.design.problem.target_files import POSITION_WEIGHT, TURN_WEIGHT, load_targets, point_on_body
from animato.errors import AnimatoError, FileFormatError, UnknownNameError
from animato.formats.character_files import load_character
from animato.formats.motion_files import save_motion
from animato.mechanics.loops.clip import loop_motion
from animato.motion.clip import Clip
from animato.motion.marker_motion import MarkerMotion
from animato.spatial import quaternions

TIMES = np.arange(20) / 40.0
PATH = np.stack([0.03 + 0.02 * np.cos(9.0 * TIMES), 0.0 * TIMES, 0.28 + 0.02 * np.sin(9.0 * TIMES)], axis=1)


@pytest.fixture(scope="module")
def linkage() -> Character:
    return load_character("adjustable_four_bar")


def table(path: Path, heads: str, rows: np.ndarray) -> Path:
    lines = [",".join("" if np.isnan(value) else repr(float(value)) for value in row) for row in rows]
    path.write_text("\n".join([heads, *lines]) + "\n")
    return path


def test_a_table_of_positions(tmp_path: Path, linkage: Character) -> None:
    file = table(tmp_path / "curve.csv", "time [s],pen.x [mm],pen.y [mm],pen.z [mm]", np.c_[TIMES, 1000.0 * PATH])
    motion = load_targets(file, linkage, weights={"pen": 2.0})
    (target,) = motion.targets
    assert motion.name == "curve" and motion.rate_hz == pytest.approx(40.0, rel=1e-12)
    assert target.body == "pen_holder" and target.name == "pen"
    np.testing.assert_allclose(target.positions, PATH, atol=1e-15)
    np.testing.assert_allclose(target.position_weights, 2.0 * POSITION_WEIGHT)
    assert target.orientations_wxyz is None


def test_gaps_ask_for_nothing(tmp_path: Path, linkage: Character) -> None:
    rows = np.c_[TIMES, PATH]
    rows[4:7, 1:] = np.nan
    (target,) = load_targets(table(tmp_path / "a.csv", "time,pen.x,pen.y,pen.z", rows), linkage).targets
    counts = target.position_weights[:, 0] > 0.0
    assert not counts[4:7].any() and counts[:4].all() and counts[7:].all()
    assert np.isfinite(target.positions).all()


def test_turns_are_those_of_the_point(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    name = lamp.end_points[0].name
    body, frame = point_on_body(lamp, name)
    turns = quaternions.quaternion_about((0.0, 0.6, 0.8), TIMES)
    turns[7:] *= -1.0  # the same turns
    file = table(
        tmp_path / "a.csv", "time," + ",".join(f"{name}.{q}" for q in ("qw", "qx", "qy", "qz")), np.c_[TIMES, turns]
    )
    (target,) = load_targets(file, lamp).targets
    assert target.body == body and target.positions is None
    back = quaternions.multiply(target.orientations_wxyz, frame.quaternion_wxyz)
    np.testing.assert_allclose(quaternions.angle_between(back, turns), 0.0, atol=1e-7)
    np.testing.assert_allclose(target.orientation_weight, TURN_WEIGHT)


def test_json_says_the_same(tmp_path: Path, linkage: Character) -> None:
    file = tmp_path / "a.json"
    data = {"rate_hz": 40, "unit": "cm", "targets": {"pen": {"positions": (100.0 * PATH).tolist(), "weight": 3}}}
    file.write_text(json.dumps(data))
    (target,) = load_targets(file, linkage).targets
    np.testing.assert_allclose(target.positions, PATH, atol=1e-15)
    np.testing.assert_allclose(target.position_weights, 3.0 * POSITION_WEIGHT)


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
def test_markers_are_targets_and_may_have_other_names(tmp_path: Path, linkage: Character, suffix: str) -> None:
    markers = MarkerMotion(TIMES, ("LHAND", "RHAND"), np.stack([PATH, PATH + 1.0], axis=1))
    save_motion(tmp_path / f"m{suffix}", markers)
    with pytest.raises(UnknownNameError, match="LHAND"):
        load_targets(tmp_path / f"m{suffix}", linkage)
    (target,) = load_targets(tmp_path / f"m{suffix}", linkage, mapping={"pen": "RHAND"}).targets
    np.testing.assert_allclose(target.positions, PATH + 1.0, atol=1e-15)


def test_a_rate_resamples(tmp_path: Path, linkage: Character) -> None:
    uneven = np.sort(np.r_[0.0, 0.475, np.random.default_rng(1).uniform(0.01, 0.47, 30)])
    rows = np.c_[uneven, uneven, 2.0 * uneven, -uneven]
    motion = load_targets(table(tmp_path / "a.csv", "time,pen.x,pen.y,pen.z", rows), linkage, rate_hz=40.0)
    assert motion.step_count == 20 and motion.rate_hz == pytest.approx(40.0)
    np.testing.assert_allclose(motion.targets[0].positions, np.outer(np.arange(20) / 40.0, (1, 2, -1)), atol=1e-12)


def test_a_performer_shows_how(tmp_path: Path, linkage: Character) -> None:
    four_bar = load_character("four_bar")
    clip = Clip(TIMES, ("crank_axle",), 2.0 * TIMES[:, None])
    save_motion(tmp_path / "a.npz", clip, four_bar)
    with pytest.raises(FileFormatError, match="`performer`"):
        load_targets(tmp_path / "a.npz", linkage)
    (target,) = load_targets(tmp_path / "a.npz", linkage, performer=four_bar).targets
    motion = loop_motion(four_bar, clip)
    pen = four_bar.end_point("pen")
    wanted = motion.positions("coupler") + quaternions.rotate(motion.quaternions_wxyz("coupler"), pen.frame.position)
    np.testing.assert_allclose(target.positions, wanted, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "time,pencil.x,pencil.y,pencil.z\n0,1,2,3\n", "Did you mean 'pen'"),
        ("a.csv", "time,pen.x,pen.y\n0,1,2\n", "missing: pen.z"),
        ("a.csv", "time,pen.x,pen.y,pen.z,pen.up\n0,1,2,3,4\n", "line 1.*'pen.up'"),
        ("a.csv", "time,pen.x,pen.y,pen.z\n0,,,\n", "all its cells are empty"),
        ("a.csv", "time,pen.x,pen.y,pen.z\n0,1,b,3\n", "line 2.*not a number"),
        ("a.csv", "time,pen.qw,pen.qx,pen.qy,pen.qz\n0,0,0,0,0\n", "length zero"),
        ("a.json", "{", "not JSON"),
        ("a.json", "[1, 2]", "targets are"),
        ("a.json", '{"rate_hz": 9, "targets": {"pen": {"positions": [[1, 2]]}}}', "rows of 3 numbers"),
        ("a.json", '{"targets": {"pen": {"positions": [[1, 2, 3]]}}}', "neither 'rate_hz' nor 'times'"),
        ("a.json", '{"rate_hz": 9, "unit": "inch", "targets": {"pen": {"positions": [[1, 2, 3]]}}}', "'inch'"),
        ("a.txt", "hello", "allowed: .csv"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, linkage: Character, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(AnimatoError, match=words):
        load_targets(tmp_path / name, linkage)


def test_a_problem_can_be_built_from_names(tmp_path: Path, linkage: Character) -> None:
    file = table(tmp_path / "a.csv", "time,pen.x,pen.y,pen.z", np.c_[TIMES, PATH])
    problem = build("adjustable_four_bar", file)
    assert problem.character == linkage and problem.motions[0].name == "a" and problem.step_count == 20
    assert problem.motion_at(7) == (problem.motions[0], 0)
    with pytest.raises(FileFormatError, match="no such file"):
        build("adjustable_four_bar", tmp_path / "b.csv")


def test_controls_of_a_clip_are_kept_to(tmp_path: Path, linkage: Character) -> None:
    file = table(tmp_path / "a.csv", "time,pen.x,pen.y,pen.z", np.c_[TIMES, PATH])
    turn = Clip(TIMES, ("crank_axle",), 3.0 * TIMES[:, None])
    motion = load_targets(file, linkage, controls=turn)
    np.testing.assert_allclose(motion.controls, 3.0 * TIMES[:, None], atol=1e-12)
    with pytest.raises(AnimatoError, match="`controls` lasts"):
        load_targets(file, linkage, controls=Clip(TIMES[:5], ("crank_axle",), TIMES[:5, None]))
    with pytest.raises(UnknownNameError, match="crank_axle"):
        load_targets(file, linkage, controls=Clip(TIMES, ("crank_axl",), TIMES[:, None]))
