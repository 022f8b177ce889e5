"""Landmarks of markers: sets, gaps, hip centres."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from animato.errors import MotionError, UnknownNameError
from animato.mimic.person import person_of
from animato.mimic.person.gaps import LONGEST_GAP_S
from animato.motion import MarkerMotion
from animato.spatial import quaternions
from tests.person_builders import points_of, stick_figure

SKIN = {
    "asis": ("pelvis", (0.09, 0.12, 0.05)),
    "psis": ("pelvis", (-0.11, 0.04, 0.05)),
    "knee": ("knee", (0.0, 0.05, 0.0)),
    "knee_in": ("knee", (0.0, -0.05, 0.0)),
    "ankle": ("ankle", (0.0, 0.04, 0.0)),
    "ankle_in": ("ankle", (0.0, -0.04, 0.0)),
    "heel": ("ankle", (-0.06, 0.0, -0.04)),
    "toe": ("toe", (0.0, 0.0, 0.03)),
    "shoulder": ("shoulder", (0.0, 0.0, 0.05)),
    "elbow": ("elbow", (0.0, 0.04, 0.0)),
    "elbow_in": ("elbow", (0.0, -0.04, 0.0)),
    "wrist": ("wrist", (0.03, 0.0, 0.0)),
    "wrist_in": ("wrist", (-0.03, 0.0, 0.0)),
    "hand": ("hand", (0.0, 0.0, 0.0)),
}
"""Markers of the left side: the joint's bone they sit on, and where [m]; those of the right are mirrored."""

SETS = {
    "plug-in gait": "ASI PSI KNE KNM ANK MED HEE TOE SHO ELB ELBM WRA WRB FIN",
    "cmu": "FWT BWT KNE KNI ANK ANKI HEE MT5 SHO ELB ELBI WRA WRB FIN",
    "helen hayes": ".ASIS .PSIS .Knee.Lat .Knee.Med .Ankle.Lat .Ankle.Med .Heel .Toe.Med .Shoulder .Elbow.Lat "
    ".Elbow.Med .Wrist.Lat .Wrist.Med .Hand",
    "subject": "Ann:.IAS Ann:.IPS Ann:.FLE Ann:.FME Ann:.FAL Ann:.TAM Ann:.FCC Ann:.FM2 Ann:.SAE Ann:.HLE Ann:.HME "
    "Ann:.USP Ann:.RSP Ann:.HM2",
}


def markers(words: str = SETS["plug-in gait"], frames: int = 60) -> MarkerMotion:
    """Markers on the skin of a stick figure; the side's letter stands before the dotted or the whole word."""
    figure = stick_figure(frames=frames)
    places, turns = figure.world_poses()
    names, points = [], []
    for letter, side, sign in (("L", "left", 1.0), ("R", "right", -1.0)):
        for word, (joint, offset) in zip(words.split(), SKIN.values(), strict=True):
            bone = figure.bone(joint if joint == "pelvis" else f"{side}_{joint}")
            local = np.array(offset) * (1.0, sign, 1.0)
            points.append(places[:, bone] + quaternions.rotate(turns[:, bone], local))
            prefix, colon, rest = word.rpartition(":")
            names.append(f"{prefix}{colon}{letter}{rest}")
    return MarkerMotion(figure.times, tuple(names), np.stack(points, axis=1), "skin")


@pytest.mark.parametrize("words", SETS.values(), ids=SETS)
def test_joints_are_the_means_of_the_markers_around_them(words: str) -> None:
    person = person_of(markers(words))
    joints, _ = stick_figure(frames=60).world_poses()
    figure = stick_figure(frames=60)
    for landmark in ("left_knee", "right_knee", "left_ankle", "left_elbow", "right_wrist"):
        np.testing.assert_allclose(person.landmark(landmark), joints[:, figure.bone(landmark)], atol=1e-12)
    assert {"pelvis", "left_heel", "right_toe", "left_hand"} <= set(person.names)
    assert "The floor is where the capture has it" in " ".join(person.notes)


def test_hip_centres_are_predicted_from_the_pelvis() -> None:
    person = person_of(markers())
    width = 0.24  # between the front markers, whose middle is at x 0.09 and z 1.0; the back ones are as high
    expected = (0.09 - 0.19 * width, 0.36 * width, 1.0 - 0.30 * width)
    np.testing.assert_allclose(person.landmark("left_hip")[0], expected, atol=1e-12)
    np.testing.assert_allclose(person.landmark("right_hip")[0], np.array(expected) * (1, -1, 1), atol=1e-12)
    assert person.sources[person.names.index("left_hip")] == ()
    assert any("Bell, Pedersen, Brand" in note for note in person.notes)


def test_joints_of_a_body_model_are_taken_as_they_are() -> None:
    names = {joint: joint for joint in stick_figure().names} | {"left_toe": "left_foot", "right_toe": "right_foot"}
    figure = stick_figure()
    person = person_of(points_of(figure, {**names, "chest": "spine3"}))
    joints, _ = figure.world_poses()
    for landmark in ("left_hip", "pelvis", "chest", "left_toe", "head", "right_hand"):
        np.testing.assert_allclose(person.landmark(landmark), joints[:, figure.bone(landmark)], atol=1e-12)
    np.testing.assert_allclose(person.landmark("left_heel")[:, 2], 0.0, atol=1e-9)


def unseen(motion: MarkerMotion, name: str, frames: slice) -> MarkerMotion:
    positions = motion.positions.copy()
    positions[frames, motion.names.index(name)] = np.nan
    return dataclasses.replace(motion, positions=positions)


def test_short_gaps_are_filled_by_splines_and_said() -> None:
    whole = markers(frames=60)
    person = person_of(unseen(whole, "LELB", slice(20, 32)))  # 13 frames of 1/60 s to the next
    assert LONGEST_GAP_S > 13 / 60
    np.testing.assert_allclose(person.positions, person_of(whole).positions, atol=5e-4)  # half a wave of 1 s, cubic
    assert any("filled by splines: LELB" in note for note in person.notes)


def test_a_marker_with_a_long_gap_leaves_the_mean_and_is_named() -> None:
    person = person_of(unseen(markers(), "LELB", slice(20, 50)))
    assert person.sources[person.names.index("left_elbow")] == ("LELBM",)
    assert any("not seen for longer than that: LELB (up to 0.52 s)" in note for note in person.notes)


def test_a_long_gap_on_a_rigid_foot_is_rebuilt_from_three_others() -> None:
    whole = markers()
    rebuilt = person_of(unseen(whole, "RHEE", slice(10, 40)))
    np.testing.assert_allclose(rebuilt.landmark("right_heel"), person_of(whole).landmark("right_heel"), atol=1e-9)
    told = "on the same foot, pelvis or head: RHEE"
    assert any(told in note for note in rebuilt.notes)
    two = dataclasses.replace(whole, names=tuple(name.replace("MED", "XXX") for name in whole.names))
    alone = person_of(unseen(two, "RHEE", slice(10, 40)))
    assert not any(told in note for note in alone.notes), "two markers do not fix a foot in space"


def test_a_landmark_without_any_marker_is_left_out_unless_it_is_needed() -> None:
    assert not person_of(unseen(markers(), "LFIN", slice(5, 50))).has("left_hand")
    gone = unseen(unseen(markers(), "LELB", slice(5, 50)), "LELBM", slice(5, 50))
    with pytest.raises(
        MotionError, match=r"arms .* are not complete: no markers for left_elbow\. Markers of left_elbow"
    ):
        person_of(gone)


def test_thumbs_at_the_foot_are_toes_and_at_the_hand_are_not() -> None:
    motion = markers()
    named = dataclasses.replace(motion, names=tuple(n.replace("TOE", "THUMB") for n in motion.names))
    assert person_of(named).sources[person_of(named).names.index("left_toe")] == ("LTHUMB",)
    hand = dataclasses.replace(named, names=tuple(n.replace("THUMB", "X").replace("FIN", "THUMB") for n in named.names))
    assert not person_of(hand).has("left_toe")


def test_unknown_markers_and_sets_are_named() -> None:
    with pytest.raises(UnknownNameError, match="Marker 'NOSE'"):
        person_of(markers(), sources={"head": ["NOSE"]})
    motion = markers()
    odd = dataclasses.replace(motion, names=tuple(f"M{n}" for n in range(len(motion.names))))
    with pytest.raises(MotionError, match="Say with `sources` which markers"):
        person_of(odd)
