"""The demonstrators are those of Hoshyari et al. (2019), Table 1, and their clips are what their keyframes make."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character import Bar, Character, JointRole, JointType, Rod
from animato.character.mass_properties import mass_properties_of
from animato.errors import UnknownNameError
from animato.formats import load_character
from animato.gallery.steady import DEMONSTRATORS, TABLE_1, demonstrator, save_animations
from animato.gallery.steady.bartender import TRIM_DEG
from animato.gallery.steady.dancer import WAVING_S
from animato.gallery.steady.drummer import SKIN_M
from animato.loading import load_clip
from animato.mechanics.loops import clip_with_loops, loop_motion
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip

RODS_MM_CM = {  # thickness and length
    "rod": [(4, 70)],
    "two_rods": [(4, 30), (4, 30)],
    "dancer": [(4, 25), (4, 22), (4, 22)],
    "bartender": [(4, 24), (4, 16)],
    "rapper": [],
    "drummer": [(5, 45), (5, 45), (4, 10), (4, 10)],
    "boxer": [(5, 45), (5, 45), (4, 10), (4, 10)],
}


def shipped(name: str) -> tuple[Character, Clip]:
    """A demonstrator's character and clip."""
    character = load_character(DEMONSTRATORS[name].character)
    return character, load_clip(DEMONSTRATORS[name].clip, character)


def motors(character: Character) -> list[str]:
    """Names of the joints with a motor."""
    return [joint.name for joint in character.joints if joint.role is JointRole.ACTUATED]


def test_the_shipped_clips_are_what_the_keyframes_make(tmp_path: Path) -> None:
    for path in save_animations(tmp_path):
        name = next(one.name for one in DEMONSTRATORS.values() if one.clip == path.stem)
        character, clip = shipped(name)
        made = load_clip(path, character)
        assert made.names == clip.names
        np.testing.assert_allclose(made.times, clip.times, atol=1e-12)
        np.testing.assert_allclose(made.positions, clip.positions, atol=2e-6)  # files have six decimals


def test_they_stand_in_the_order_of_table_1() -> None:
    assert list(DEMONSTRATORS) == list(TABLE_1)
    with pytest.raises(UnknownNameError, match="drumer"):
        demonstrator("drumer")


@pytest.mark.parametrize("name", DEMONSTRATORS)
def test_motors_parameters_and_durations_are_those_of_table_1(name: str) -> None:
    one, (character, clip) = DEMONSTRATORS[name], shipped(name)
    driven = motors(character)
    assert len(driven) == one.motor_count
    assert all(joint.actuator is not None for joint in character.joints if joint.name in driven)
    assert (one.options.control_points or 0) * len(driven) == one.parameters == TABLE_1[name].parameters
    assert clip.duration == pytest.approx(TABLE_1[name].duration_s)
    if name != "rapper":  # one body fewer than the paper's
        assert 6 * (len(character.bodies) - 1) == TABLE_1[name].rigid_dof


@pytest.mark.parametrize("name", DEMONSTRATORS)
def test_rods_are_as_long_and_thick_as_said_and_clamped_at_both_ends(name: str) -> None:
    character, _ = shipped(name)
    rods = [part.geometry for part in character.flexible_parts if isinstance(part.geometry, Rod)]
    assert [(round(2e3 * rod.radius), round(1e2 * rod.length)) for rod in rods] == RODS_MM_CM[name]
    for part in character.flexible_parts:
        assert isinstance(part.geometry, Rod | Bar)
        first, second = part.interfaces
        assert first.body != second.body
        assert first.frame_part.position == (0.0, 0.0, 0.0)
        assert second.frame_part.position == (0.0, 0.0, part.geometry.length)


@pytest.mark.parametrize("name", DEMONSTRATORS)
def test_what_is_tracked_is_there_and_moves(name: str) -> None:
    one, (character, _) = DEMONSTRATORS[name], shipped(name)
    held = {joint.child for joint in character.joints if joint.type is JointType.GROUND}
    for tracked in (one.tracked, *one.weightings.values()):
        for body in tracked:
            assert body.body in {other.name for other in character.bodies} - held


def test_the_dancers_weightings_are_those_of_figures_9_and_10() -> None:
    unity, still, wave = DEMONSTRATORS["dancer"].weightings.values()
    times = np.array([0.5, 2.0, 5.0])
    weights = [[body.weight * body.factors(times) for body in bodies] for bodies in (unity, still, wave)]
    np.testing.assert_allclose(weights[0], 1.0)
    np.testing.assert_allclose(weights[1], [[100.0] * 3, [1.0] * 3, [1.0] * 3])
    np.testing.assert_allclose(weights[2], [[100.0] * 3, [1.0, 100.0, 1.0], [1.0] * 3])
    _, clip = shipped("dancer")
    waving = (clip.times > WAVING_S[0]) & (clip.times < WAVING_S[1])
    swings = np.diff(np.sign(np.round(clip.velocity()[waving, clip.column("left_roll")], 2)))
    assert np.count_nonzero(swings) >= 6


def test_the_ball_of_the_rod_is_that_of_the_known_frequencies() -> None:
    character, _ = shipped("rod")
    ball = mass_properties_of(character.body("ball"))
    assert ball.mass == 0.1
    np.testing.assert_allclose(ball.inertia, 8e-6 * np.eye(3), atol=1e-18)
    (part,) = character.flexible_parts
    assert (part.material.youngs_modulus, part.material.density, part.material.poisson_ratio) == (200e9, 7850.0, 0.3)
    assert part.material.mass_damping == part.material.stiffness_damping == 0.0


def test_the_bartender_holds_the_glass_level_but_for_the_sag_and_visits_three_places() -> None:
    character, clip = shipped("bartender")
    bends = [clip.column(name) for name in ("shoulder", "elbow", "wrist")]
    tilt = np.degrees(clip.positions[:, bends].sum(axis=1))
    np.testing.assert_allclose(tilt[0], TRIM_DEG, atol=1e-3)
    assert np.abs(tilt - TRIM_DEG).max() < 0.1  # between keys all three go by one ease
    glass = character.end_point("glass")
    path = forward_kinematics(character, clip).of(glass.body).apply(glass.frame.position)
    low = path[path[:, 2] < 0.085]
    places = {round(float(np.degrees(np.arctan2(y, x)))) for x, y, _ in low}
    assert {0, 70, -70} <= places
    np.testing.assert_allclose(np.hypot(low[:, 0], low[:, 1]), 0.34, atol=0.01)
    assert path[:, 2].min() > 0.045  # above the coasters


def test_the_loop_of_the_rapper_closes_and_its_elbow_follows_the_crank() -> None:
    character, clip = shipped("rapper")
    kinds = sorted(
        joint.type for joint in character.joints if joint.role is JointRole.PASSIVE and joint.type != "ground"
    )
    assert kinds == [JointType.REVOLUTE, JointType.SPHERICAL, JointType.UNIVERSAL]
    motion = loop_motion(character, clip)
    assert motion.reached.all()
    assert not motion.flipped.any()
    assert motion.residual.max() < 1e-10
    closed = clip_with_loops(character, clip)
    crank, elbow = (closed.positions[:, closed.column(name)] for name in ("crank_axle", "elbow"))
    np.testing.assert_allclose(elbow, crank, atol=1e-9)


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_drummers_sticks_hit_the_drum_and_never_go_through_it(side: str) -> None:
    character, clip = shipped("drummer")
    tip = character.marker(f"{side}_stick")
    path = forward_kinematics(character, clip).of(tip.body).apply(tip.position)
    clear = path[:, 2] - 0.009 - SKIN_M  # the tip is a ball of 9 mm
    assert 0.0 < clear.min() < 0.01
    assert np.hypot(path[clear < 0.01, 0] - 0.26, path[clear < 0.01, 1]).max() < 0.112
    low = clear < 0.012
    assert np.count_nonzero(np.diff(low.astype(int)) == 1) == 15
