"""Characters written as URDF and MJCF and read back: the same motion, masses and limits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character import Character, JointType, mass_properties_of
from animato.character.structure import rest_poses, rest_stands, rigidified, topology_of
from animato.formats.character_files import load_character, save_character
from animato.formats.mjcf.written_postures import ball_in_body
from animato.formats.outgoing import plain_tree
from animato.mechanics.loops import clip_with_loops, loop_motion
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip
from animato.spatial import quaternions
from tests.mechanism_builders import four_bar, sarrus, stewart
from tests.tree_builders import random_character, random_clip, tangled_character

SAME = 1e-9
TREES = ("arm6", "lamp", "kickbot", "torso29", "bartender", "rod")
FORMATS = [".urdf", pytest.param(".xml", marks=pytest.mark.filterwarnings("ignore"))]


def hinge_angles(turn_wxyz: np.ndarray) -> np.ndarray:
    """Turns about x, then the turned y, then the turned z axis that make up a quaternion, shape [3, ...]."""
    m = quaternions.matrix_from_quaternion(turn_wxyz)
    middle = np.arctan2(m[..., 0, 2], np.hypot(m[..., 0, 0], m[..., 0, 1]))
    return np.stack([np.arctan2(-m[..., 1, 2], m[..., 2, 2]), middle, np.arctan2(-m[..., 0, 1], m[..., 0, 0])])


def restated(clip: Clip, character: Character, suffix: str) -> Clip:
    """The clip with balls as the format counts them; every other coordinate keeps its name and number."""
    columns = {name: clip.positions[:, n] for n, name in enumerate(clip.names)}
    for step in plain_tree(character).steps:
        joint = step.joint
        if joint is None or joint.type is not JointType.SPHERICAL:
            continue
        turn = np.column_stack([columns.pop(name) for name in joint.coordinate_names])
        if suffix == ".xml":
            columns.update(zip(joint.coordinate_names, ball_in_body(step, turn).T, strict=True))
        else:
            turn = quaternions.conjugate(turn) if step.reversed else turn
            columns.update(zip([f"{joint.name}.{x}" for x in "xyz"], hinge_angles(turn), strict=True))
    values = np.array(list(columns.values())).T.reshape(clip.frame_count, -1)
    return Clip(clip.times, tuple(columns), values, clip.base_positions, clip.base_quaternions_wxyz)


def assert_same_poses(one: Character, one_clip: Clip, other: Character, other_clip: Clip) -> None:
    first, second = forward_kinematics(one, one_clip), forward_kinematics(other, other_clip)
    for name in first.names:
        assert np.abs(first.of(name).position - second.of(name).position).max() < SAME
        assert np.abs(first.of(name).rotation - second.of(name).rotation).max() < SAME


def assert_same_masses(one: Character, other: Character) -> None:
    for body in rigidified(one).bodies:
        first, second = mass_properties_of(body), mass_properties_of(other.body(body.name))
        assert first.mass == pytest.approx(second.mass, abs=1e-12)
        if first.mass:
            assert np.abs(first.centre - second.centre).max() < SAME
            assert np.abs(first.inertia - second.inertia).max() < SAME


def assert_same_limits(one: Character, other: Character, suffix: str) -> None:
    known = {joint.name: joint for joint in other.joints}
    for joint in one.free_joints:
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=False):
            if name not in known:
                continue
            (read,) = known[name].limits
            assert (read.lower, read.upper, read.torque) == (limits.lower, limits.upper, limits.torque)
            assert suffix == ".xml" or read.velocity == limits.velocity
            assert (known[name].damping, known[name].friction) == (joint.damping, joint.friction)
            assert suffix == ".urdf" or known[name].armature == joint.armature


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["held", "floating", "tangled"])
def test_trees_of_every_joint(tmp_path: Path, suffix: str, seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    character = (
        tangled_character(rng, floats=False) if kind == "tangled" else random_character(rng, floats=kind == "floating")
    )
    if suffix == ".xml":
        pytest.importorskip("mujoco")
    saved = save_character(tmp_path / f"robot{suffix}", character)
    back = load_character(saved)
    assert back.floats == character.floats
    clip = random_clip(rng, character, 4)
    assert_same_poses(character, clip, back, restated(clip, character, suffix))
    if not any("evens out moments" in one for one in saved.left_out):
        assert_same_masses(character, back)
    gears = {joint.name: joint.coupling for joint in character.joints if joint.coupling}
    assert gears == {joint.name: joint.coupling for joint in back.joints if joint.coupling}


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("name", TREES)
def test_shipped_trees(tmp_path: Path, suffix: str, name: str) -> None:
    if suffix == ".xml":
        pytest.importorskip("mujoco")
    character = load_character(name)
    back = load_character(save_character(tmp_path / f"robot{suffix}", character))
    clip = random_clip(np.random.default_rng(7), character, 4)
    assert_same_poses(character, clip, back, restated(clip, character, suffix))
    assert_same_masses(character, back)
    assert_same_limits(character, back, suffix)
    assert set(back.actuated_coordinate_names) >= set(character.actuated_coordinate_names)


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("name", ["four_bar", "tilted", "sarrus", "stewart", "adjustable_four_bar", "rapper", "bear"])
def test_loops_close_as_before(tmp_path: Path, suffix: str, name: str) -> None:
    if suffix == ".xml":
        pytest.importorskip("mujoco")
    made = {"sarrus": sarrus, "stewart": stewart, "tilted": lambda: four_bar(tilt=True)}
    character = made[name]() if name in made else load_character(name)
    back = load_character(save_character(tmp_path / f"robot{suffix}", character))
    assert not topology_of(back).is_tree
    before, after = rest_poses(character), rest_poses(back)
    for body in before:
        assert np.abs(before[body].position - after[body].position).max() < SAME
        assert np.abs(before[body].rotation - after[body].rotation).max() < SAME
    assert all(max(stand.distance, stand.angle) < SAME for stand in rest_stands(back).values())
    assert set(back.actuated_coordinate_names) == set(character.actuated_coordinate_names)


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("name", ["four_bar", "stewart", "rapper"])
def test_mechanisms_follow_their_motors_as_before(tmp_path: Path, suffix: str, name: str) -> None:
    if suffix == ".xml":
        pytest.importorskip("mujoco")
    character = stewart() if name == "stewart" else load_character(name)
    back = load_character(save_character(tmp_path / f"robot{suffix}", character))
    motors = character.actuated_coordinate_names
    rng = np.random.default_rng(2)
    clip = Clip(np.arange(3) / 10.0, motors, 0.02 * rng.normal(size=(3, len(motors))))
    first, second = loop_motion(character, clip), loop_motion(back, clip)
    assert first.reached.all() and second.reached.all()
    for body in character.bodies:
        assert np.abs(first.positions(body.name) - second.positions(body.name)).max() < 1e-8  # the solver's tolerance
    whole = clip_with_loops(back, clip)
    assert np.abs(whole.selected(list(motors)).positions - clip.positions).max() < 1e-12


def test_a_wrong_axis_is_noticed(tmp_path: Path) -> None:
    """Negative control."""
    character = load_character("lamp")
    saved = save_character(tmp_path / "robot.urdf", character)
    text = saved.path.read_text().replace('<axis xyz="0 1 0"/>', '<axis xyz="0 -1 0"/>', 1)
    saved.path.write_text(text)
    clip = random_clip(np.random.default_rng(7), character, 4)
    with pytest.raises(AssertionError):
        assert_same_poses(character, clip, load_character(saved), clip)
