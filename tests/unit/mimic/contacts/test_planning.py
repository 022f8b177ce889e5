"""Plans of contacts of people made of a few numbers, and of captured ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import MotionError, OptionError, UnknownNameError
from animato.formats import load_character, load_motion
from animato.mimic.anatomy import Anatomy, anatomy_of
from animato.mimic.contacts import (
    FOOT_PARTS,
    ContactEdit,
    ContactPlan,
    plan_contacts,
    strict_labels,
    support_labels,
)
from animato.mimic.person import Person, person_of, resampled
from animato.motion import CapturedMotion
from tests.pose_builders import KNEEL, PUSH_UP, SIT, SQUAT, STAND, Pose, person_of_points, person_of_poses

CLIPS = {"63_01": 112, "07_01": 79, "05_03": 109, "13_26_first1200": 300, "02_04": 121}
"""CMU clips and their frames at 30 a second, after the T-pose."""


@pytest.fixture(scope="module")
def anatomy() -> Anatomy:
    return anatomy_of(load_character("pico"))


def planned(person: Person, anatomy: Anatomy, *edits: ContactEdit) -> ContactPlan:
    plan = plan_contacts(person, anatomy, person.times, edits=edits)
    assert np.all(plan.planted.any(axis=1) | plan.flight)
    assert not np.any(plan.planted[plan.flight])
    assert not np.any(plan.planted & plan.lowered)
    return plan


def part(plan: ContactPlan, name: str) -> np.ndarray:
    return plan.planted[:, [one.name for one in plan.parts].index(name)]


def walker(speed: float = 0.0, lift: float = 0.2) -> Person:
    """Stands, then moves the left foot up and forward for half a second, and stands."""
    person = person_of_poses([STAND], seconds=2.0)
    positions = person.positions.copy()
    part = np.clip((person.times - 0.75) / 0.5, 0.0, 1.0)
    eased = part * part * (3.0 - 2.0 * part)
    for name in ("left_ankle", "left_toe"):
        column = person.names.index(name)
        positions[:, column, 0] += 0.5 * eased + speed * person.times
        positions[:, column, 2] += lift * 16.0 * (part * (1.0 - part)) ** 2
    return person_of_points(person.times, person.names, positions)


def test_parts_are_the_corners_of_the_soles(anatomy: Anatomy) -> None:
    plan = planned(person_of_poses([STAND]), anatomy)
    assert tuple(one.name for one in plan.parts) == FOOT_PARTS
    for index, foot in enumerate(anatomy.feet):
        heel, toe = plan.parts[2 * index : 2 * index + 2]
        assert {point for _, point in (*heel.points, *toe.points)} == set(foot.sole.corners)
        assert {body for body, _ in (*heel.points, *toe.points)} == {foot.sole.body}
    assert plan.planted.all() and plan.support.all() and not plan.flight.any()
    assert plan.facts()["left heel"] == "100 %"


def test_labels_are_low_and_slow() -> None:
    person = walker()
    strict, support = strict_labels(person), support_labels(person)
    swing = (person.times > 0.85) & (person.times < 1.15)
    assert not strict[swing, :2].any() and not support[swing, 0].any()
    assert strict[:, 2:].all() and support[:, 1].all()
    assert strict[person.times < 0.7].all() and strict[person.times > 1.3].all()
    assert np.all(support[:, 0] >= strict[:, :2].any(axis=1))


def test_a_step_lifts_one_foot(anatomy: Anatomy) -> None:
    plan = planned(walker(), anatomy)
    swing = (plan.times > 0.9) & (plan.times < 1.1)
    assert not plan.planted[swing, :2].any() and plan.planted[:, 2:].all()
    assert not plan.flight.any()


def test_a_foot_that_slides_is_lowered(anatomy: Anatomy) -> None:
    plan = planned(walker(speed=0.45, lift=0.0), anatomy)
    assert plan.lowered[:, :2].any(axis=1).mean() > 0.5
    assert not plan.planted[:, :2].any() and plan.support[plan.times < 0.7, 0].all()


def test_short_gaps_are_closed_and_steps_are_not(anatomy: Anatomy) -> None:
    person = person_of_poses([STAND], seconds=2.0)
    column = person.names.index("left_toe")
    positions = person.positions.copy()
    positions[30:32, column, 2] += 0.07  # two frames, and their neighbours are too fast
    assert part(planned(person_of_points(person.times, person.names, positions), anatomy), "left toe").all()
    positions[30:32, column, 2] += 0.1
    gap = part(planned(person_of_points(person.times, person.names, positions), anatomy), "left toe")
    assert not gap[30:32].any()


def test_a_jump_is_flight_and_a_hop_of_a_few_frames_is_not(anatomy: Anatomy) -> None:
    high = planned(person_of_poses([STAND], seconds=2.0, jump_m=0.4), anatomy)
    assert 0.4 < high.flight.sum() / 30.0 < 2.0 * np.sqrt(0.8 / 9.81)
    assert any("in the air" in note for note in high.notes)
    low = planned(person_of_poses([STAND], seconds=2.0, jump_m=0.02), anatomy)
    assert not low.flight.any()


def test_a_foot_that_is_never_down_is_not_planted(anatomy: Anatomy) -> None:
    person = person_of_poses([STAND])
    positions = person.positions.copy()
    for name in ("left_ankle", "left_toe"):
        positions[:, person.names.index(name), 2] += 0.4
    plan = planned(person_of_points(person.times, person.names, positions), anatomy)
    assert not plan.planted[:, :2].any() and plan.planted[:, 2:].all()


@pytest.mark.parametrize(
    ("pose", "expected"),
    [(SIT, {"seat"}), (PUSH_UP, {"left hand", "right hand"}), (SQUAT, set()), (KNEEL, set()), (STAND, set())],
)
def test_hands_and_a_seat_rest_where_they_clearly_do(pose: Pose, expected: set[str], anatomy: Anatomy) -> None:
    plan = planned(person_of_poses([STAND, pose, STAND], seconds=1.5), anatomy)
    assert {one.name for one in plan.parts} - set(FOOT_PARTS) == expected
    for name in expected:
        held = part(plan, name)
        assert held[(plan.times > 2.2) & (plan.times < 3.3)].all()
        assert not held[plan.times < 1.5].any() and not held[plan.times > 4.2].any()
        rest = next(one for one in plan.parts if one.name == name)
        landmark = "left_hip" if name == "seat" else "left_wrist"
        assert 0.1 < rest.height / pose[landmark][2] < 0.6  # pico is much smaller
        assert len(rest.points) == (2 if name == "seat" else 1)
        assert any(name in note for note in plan.notes)


def test_edits_win(anatomy: Anatomy) -> None:
    person = person_of_poses([STAND], seconds=2.0)
    edits = (
        ContactEdit("left heel", 0.5, 1.0, "free"),
        ContactEdit("left toe", 0.5, 1.0, "lowered"),
        ContactEdit("right hand", 0.2, 0.4, "planted"),
        ContactEdit("right toe", -np.inf, np.inf, "free"),
    )
    plan = planned(person, anatomy, *edits)
    inside = (plan.times >= 0.5 - 1e-9) & (plan.times <= 1.0 + 1e-9)
    np.testing.assert_array_equal(part(plan, "left heel"), ~inside)
    np.testing.assert_array_equal(plan.lowered[:, 1], inside)
    assert not part(plan, "right toe").any() and plan.support.all()
    assert part(plan, "right hand").sum() == 7
    assert any("by hand" in note for note in plan.notes)
    air = planned(person, anatomy, *(ContactEdit(name, 0.5, 0.8, "free") for name in FOOT_PARTS))
    assert air.flight.sum() == 10 and not air.support[air.flight].any()


def test_bad_edits_and_people_without_feet(anatomy: Anatomy) -> None:
    person = person_of_poses([STAND])
    with pytest.raises(UnknownNameError, match="Did you mean 'left heel'"):
        planned(person, anatomy, ContactEdit("left hel", 0.0, 1.0, "free"))
    with pytest.raises(MotionError, match="holds no frame"):
        planned(person, anatomy, ContactEdit("left heel", 5.0, 6.0, "free"))
    with pytest.raises(UnknownNameError, match="planted"):
        ContactEdit("left heel", 0.0, 1.0, "plantd")
    with pytest.raises(OptionError, match="not after"):
        ContactEdit("left heel", 1.0, 0.5, "free")
    kept = [index for index, name in enumerate(person.names) if "ankle" not in name and "toe" not in name]
    legless = person_of_points(person.times, tuple(person.names[k] for k in kept), person.positions[:, kept])
    with pytest.raises(MotionError, match="no left ankle"):
        planned(legless, anatomy)


@pytest.mark.parametrize("clip", CLIPS)
def test_captured_clips(clip: str, shared_data: Path, anatomy: Anatomy) -> None:
    motion = load_motion(shared_data / "clips" / f"{clip}.bvh")
    assert isinstance(motion, CapturedMotion)
    person = person_of(motion)
    times = np.arange(CLIPS[clip]) / 30.0 + person.times[0]
    sampled = resampled(person, np.minimum(times, person.times[-1]))
    plan = planned(sampled, anatomy)
    assert len(plan.parts) == len(FOOT_PARTS)
    assert plan.flight.any() == (clip == "02_04")
    touching = (plan.planted | plan.lowered)[:, :4].reshape(-1, 2, 2).any(axis=2)
    assert np.all(touching >= plan.support)
    strict = strict_labels(sampled)
    both = strict[1:] & strict[:-1]  # two frames of standing still, on which skating is judged
    assert np.all(plan.planted[1:, :4][both]) and np.all(plan.planted[:-1, :4][both])
    if clip == "02_04":
        assert 0.4 < plan.flight.sum() / 30.0 < 0.7 and np.ptp(np.flatnonzero(plan.flight)) == plan.flight.sum() - 1
