"""Postures said in many ways, and the layer that goes from one to the next."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from animato.character.character import Character
from animato.errors import AnimatoError, MotionError, UnknownNameError
from animato.express.postures.bone_points import bone_chain
from animato.express.postures.joint_points import fit_points, joint_points
from animato.express.postures.played_clip import PlayedClip, clip_of_motion
from animato.express.postures.posture_layer import PostureLayer
from animato.express.postures.said_posture import MotionFrame, posture_of, posture_positions
from animato.formats.character_files import load_character
from animato.formats.motion_files import load_motion
from animato.mechanics.tree.kinematics.chains import Chain, build_chain
from animato.motion.captured_motion import CapturedMotion
from animato.motion.clip import Clip
from animato.motion.posture import Posture


@pytest.fixture(scope="module")
def lamp() -> Character:
    return load_character("lamp")


@pytest.fixture(scope="module")
def chain(lamp: Character) -> Chain:
    return build_chain(lamp, "light")


@pytest.mark.parametrize(("name", "end_point"), [("lamp", "light"), ("skeleton_c", "tip"), ("skeleton_e", "tip")])
def test_points_of_a_chain_are_met_whatever_their_size(name: str, end_point: str, rng: np.random.Generator) -> None:
    chain = build_chain(load_character(name), end_point)
    for _ in range(3):
        asked = joint_points(chain, rng.uniform(chain.arrays.lower, chain.arrays.upper))
        fitted = fit_points(chain, 1.7 * asked + 0.3)
        assert fitted.off_rad.max() < 1e-3
        assert np.all(fitted.positions >= chain.arrays.lower) and np.all(fitted.positions <= chain.arrays.upper)


def test_what_points_do_not_tell_stays_near(chain: Chain) -> None:
    """The tilt of the lamp turns its head about the last segment, which no point shows."""
    here = np.array([0.2, 0.3, 0.4, 0.1, 0.25])
    assert np.abs(fit_points(chain, joint_points(chain, here), here).positions - here).max() < 1e-9


def test_the_same_posture_in_all_words(lamp: Character, chain: Chain) -> None:
    proud = Posture.named(lamp, "proud")
    points = joint_points(chain, [proud.value(name) for name in chain.names])
    clip = Clip(np.array([0.0, 1.0]), proud.names, np.array([proud.positions, 0.0 * proud.positions]))
    by_name = dict(zip(proud.names, proud.positions.tolist(), strict=True))
    ways: list[Any] = ["proud", proud, by_name, proud.positions, proud.positions.tolist(), MotionFrame(clip)]
    for said in ways:
        assert np.abs(posture_positions(lamp, chain, said) - proud.positions).max() < 1e-12
    fitted = posture_positions(lamp, chain, points.tolist())
    assert np.abs(joint_points(chain, fitted) - points).max() < 1e-4  # as near as directions tell


def test_what_is_not_said_stays(lamp: Character, chain: Chain) -> None:
    proud = Posture.named(lamp, "proud")
    found = posture_of(lamp, {"nod": 0.1}, names=chain.names, chain=chain, onto=proud)
    assert found.value("nod") == 0.1
    assert found.value("elbow") == proud.value("elbow")


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        ("prowd", UnknownNameError, "Did you mean 'proud'"),
        ({"nood": 1.0}, UnknownNameError, "Did you mean 'nod'"),
        ({"nod": np.nan}, MotionError, "finite"),
        ({"nod": True}, MotionError, "finite number"),
        ([1.0, 2.0], MotionError, "5 in order"),
        (None, MotionError, "must be a name"),
        ([[0.0, 0.0, 0.0]] * 6, MotionError, "in one place"),
        ([9.0] * 5, MotionError, "outside its limits"),
        ("nowhere.bvh@2", AnimatoError, "nowhere.bvh"),
    ],
    ids=str,
)
def test_what_is_no_posture_is_told(
    lamp: Character, chain: Chain, said: Any, kind: type[AnimatoError], words: str
) -> None:
    with pytest.raises(kind, match=words):
        posture_positions(lamp, chain, said)


def test_lines_of_text_open_no_files(lamp: Character, chain: Chain) -> None:
    with pytest.raises(UnknownNameError, match="lamp_look"):
        posture_of(lamp, "lamp_look.csv", names=chain.names, chain=chain, files=False)


def test_a_back_bends_the_chain(lamp: Character, chain: Chain) -> None:
    capture = load_motion("person_squat")
    assert isinstance(capture, CapturedMotion)
    frames = [posture_positions(lamp, chain, MotionFrame(capture, time_s)) for time_s in (0.0, 1.9)]
    assert frames[1][1] - frames[0][1] > 0.3  # the shoulder of the lamp leans as the person does
    named = [capture.names[bone] for bone in bone_chain(capture, ("Hips", "Neck"))]
    assert named == ["Hips", "Spine", "Spine1", "Neck"]
    with pytest.raises(MotionError, match="not on the way"):
        bone_chain(capture, ("LeftArm", "Head"))


def test_a_skeleton_with_the_same_joints_is_copied() -> None:
    pico = load_character("pico")
    chain = build_chain(pico, "eyes")
    clip = clip_of_motion(pico, chain, load_motion("person_wave"))
    assert "right_elbow" in clip.names or "left_elbow" in clip.names
    assert np.ptp(clip.positions, axis=0).max() > 0.5


def test_a_blend_keeps_place_and_speed(rng: np.random.Generator) -> None:
    """Postures at random moments: the layer's speed changes by no more than its cubics ask for, and it arrives."""
    rate, count = 100.0, 4
    layer, rows = PostureLayer(np.zeros(count), rate), []
    for n in range(600):
        if n < 500 and rng.random() < 0.05:
            layer.hold(rng.uniform(-1.0, 1.0, count), 0.3)
        rows.append(layer.at((n + 1) / rate))
    speed = np.diff(rows, axis=0) * rate
    # d'' of the cubic is 6 d0 / T^2 + 4 v0 / T at most; ways are 2 rad and speeds 1.5 of way / T, with a margin
    most = 6.0 * 3.0 / 0.3**2 + 4.0 * 15.0 / 0.3
    assert np.abs(np.diff(speed, axis=0)).max() * rate < most
    assert np.abs(speed[-50:]).max() == 0.0
    assert not layer.moves


def test_a_stream_is_given_as_it_is_and_blended_into(lamp: Character) -> None:
    clip = load_motion("lamp_look")
    assert isinstance(clip, Clip)
    posture = Posture(clip.names, clip.positions[0])
    rate = 50.0
    stream, played = PostureLayer(np.zeros(5), rate), PostureLayer(np.zeros(5), rate)
    for n in range(150):
        time_s = n / rate
        stream.hold(clip.spline(np.array([time_s]))[0], 0.4 if n == 0 else 0.0)
        if n == 0:
            played.hold(PlayedClip(clip, posture, start_s=0.0), 0.4)
        one, other = stream.at(time_s), played.at(time_s)
        assert np.abs(one - other).max() < 0.02  # the stream's speed at the first frame is not known
        if n > 20:
            assert np.abs(one - clip.spline(np.array([time_s]))[0]).max() < 1e-12


def test_a_clip_that_repeats_has_no_seam() -> None:
    clip = Clip(np.linspace(0.0, 1.0, 51), ("a",), np.linspace(0.0, 1.0, 51)[:, None])  # ends far from where it begins
    layer = PostureLayer(PlayedClip(clip, Posture(("a",), np.zeros(1)), repeat=True), 100.0)
    rows = np.array([layer.at(n / 100.0)[0] for n in range(500)])
    assert np.abs(np.diff(rows)).max() < 0.08
    assert np.ptp(rows[250:]) > 0.5
