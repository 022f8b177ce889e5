"""Lengths of persons and robots, and persons in a robot's proportions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.errors import MotionError
from animato.mimic.anatomy import Anatomy, anatomy_of, stand_points
from animato.mimic.mapping import scaled_by_segments, segment_scales, uniform_scale
from animato.mimic.person import Person, person_of
from tests.humanoid_builders import humanoid
from tests.person_builders import stick_figure


@pytest.fixture(scope="module")
def anatomy() -> Anatomy:
    return anatomy_of(humanoid())


@pytest.fixture(scope="module")
def person() -> Person:
    return person_of(stick_figure())


def robot_as_person(anatomy: Anatomy, scale: float, person: Person) -> Person:
    """A person that has the robot's own lengths times a scale, still."""
    points = stand_points(anatomy)
    names = tuple(name for name in person.names if name in points)
    places = np.array([points[name] for name in names]) * scale
    return replace(
        person,
        names=names,
        positions=np.tile(places, (len(person.times), 1, 1)),
        sources=tuple(() for _ in names),
    )


def test_a_large_copy_of_the_robot_has_one_scale(anatomy: Anatomy, person: Person) -> None:
    giant = robot_as_person(anatomy, 1.6, person)
    scales = segment_scales(giant, anatomy)
    assert set(scales) == {
        "thigh",
        "shin",
        "foot",
        "upper arm",
        "forearm",
        "shoulder width",
        "hip width",
        "spine",
    }
    assert np.allclose(list(scales.values()), 1.0 / 1.6, rtol=1e-12)
    assert uniform_scale(giant, anatomy) == pytest.approx(1.0 / 1.6, rel=1e-12)
    points = stand_points(anatomy)
    placed = scaled_by_segments(giant, anatomy)
    assert placed[0] == pytest.approx(np.array([points[name] for name in giant.names]), abs=1e-12)


def test_the_scale_is_the_least_squares_one(anatomy: Anatomy, person: Person) -> None:
    best = uniform_scale(person, anatomy)
    scales = segment_scales(person, anatomy)
    assert min(scales.values()) < best < max(scales.values())
    # closed form of two segments only: legs
    legs = ("left_hip", "left_knee", "left_ankle")
    few = replace(
        person,
        names=legs,
        positions=np.stack([person.landmark(name) for name in legs], axis=1),
        sources=tuple(() for _ in legs),
    )
    human, robot = np.array((0.42, 0.40)), np.array((0.33, 0.32))
    points = stand_points(anatomy)
    robot[0] = np.linalg.norm(points["left_hip"] - points["left_knee"])
    assert uniform_scale(few, anatomy) == pytest.approx(human @ robot / (human @ human), rel=1e-9)


def test_segments_keep_directions_and_get_lengths(anatomy: Anatomy, person: Person) -> None:
    placed = scaled_by_segments(person, anatomy)
    points = stand_points(anatomy)

    def span(first: str, second: str) -> tuple[np.ndarray, np.ndarray]:
        return (
            placed[:, person.names.index(second)] - placed[:, person.names.index(first)],
            person.landmark(second) - person.landmark(first),
        )

    for first, second in (("left_hip", "left_knee"), ("right_knee", "right_ankle"), ("left_shoulder", "left_elbow")):
        mine, human = span(first, second)
        length = np.linalg.norm(mine, axis=1)
        assert length == pytest.approx(np.linalg.norm(points[first] - points[second]), abs=1e-12)
        assert np.allclose(mine / length[:, None], human / np.linalg.norm(human, axis=1, keepdims=True), atol=1e-12)
    # a person whose thigh is twice as long gives the same
    stretched = person.positions.copy()
    below = [person.names.index(f"left_{place}") for place in ("knee", "ankle", "toe")]
    stretched[:, below] += (person.landmark("left_knee") - person.landmark("left_hip"))[:, None]
    other = scaled_by_segments(replace(person, positions=stretched), anatomy)
    pelvis = person.names.index("pelvis")
    assert np.allclose(other[:, below] - other[:, [pelvis]], placed[:, below] - placed[:, [pelvis]], atol=1e-12)


def test_nothing_in_common_is_said(anatomy: Anatomy, person: Person) -> None:
    lonely = replace(person, names=("head",), positions=person.positions[:, :1], sources=((),))
    with pytest.raises(MotionError, match="no two landmarks in common"):
        uniform_scale(lonely, anatomy)
