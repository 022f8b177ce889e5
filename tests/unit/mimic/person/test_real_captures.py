"""Persons of real captures, where they are on this machine."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from animato.errors import MotionError
from animato.formats import load_motion
from animato.mimic.person import Person, person_of
from animato.motion import CapturedMotion, MarkerMotion

NEEDED = (
    "pelvis",
    "hip",
    "knee",
    "ankle",
    "toe",
    "heel",
    "shoulder",
    "elbow",
    "wrist",
    "hand",
    "head",
    "neck",
    "chest",
)


def person_in(file: Path) -> Person:
    if not file.is_file():
        pytest.skip(f"{file.name} is not on this machine (a folder shared/data beside the checkout)")
    motion = load_motion(file)
    assert isinstance(motion, CapturedMotion | MarkerMotion)
    return person_of(motion)


@pytest.mark.parametrize("clip", ["02_04.bvh", "05_03.bvh", "07_01.bvh", "63_01.bvh", "amc/01_01.amc", "amc/11_01.amc"])
def test_skeletons_of_the_cmu_database(shared_data: Path, clip: str) -> None:
    person = person_in(shared_data / "clips" / clip)
    assert {name.rpartition("_")[2] for name in person.names} == set(NEEDED) and len(person.names) == 22
    if clip.endswith("bvh"):
        assert person.sources[person.names.index("pelvis")] == ("Hips",)
        assert person.sources[person.names.index("left_toe")] == ("LeftToeBase",)
        assert person.times[0] == pytest.approx(1 / 120), "the T-pose in front is left out"
    lower = np.minimum(person.landmark("left_toe")[:, 2], person.landmark("right_toe")[:, 2])
    assert np.percentile(lower, 5) == pytest.approx(0.035, abs=1e-9)
    assert 1.45 < person.landmark("head")[:, 2].max() < 2.3  # the first one jumps
    leg = sum(
        np.linalg.norm(person.landmark(f"left_{a}") - person.landmark(f"left_{b}"), axis=-1).mean()
        for a, b in (("hip", "knee"), ("knee", "ankle"))
    )
    assert 0.75 < leg < 0.95


def test_markers_with_gaps_of_seconds(shared_data: Path) -> None:
    person = person_in(shared_data / "clips" / "roboptim" / "human.trc")
    assert {name.rpartition("_")[2] for name in person.names} == set(NEEDED)
    told = " ".join(person.notes)
    assert "STERNUP (up to 1.59 s), STERNLOW" in told and "RANK, RHEEL" in told and "Bell, Pedersen, Brand" in told
    assert np.isfinite(person.positions).all()
    speeds = np.linalg.norm(np.gradient(person.positions, person.times, axis=0), axis=-1).max(axis=0)
    feet = [index for index, name in enumerate(person.names) if name.endswith(("ankle", "heel", "toe"))]
    assert speeds[feet].max() < 7.0  # markers of the file jump by 5 cm themselves, between frames 801 and 802 above all


@pytest.mark.parametrize("file", ["bl.bvh", "bl.glb"])
def test_three_bones_are_no_person(shared_data: Path, file: str) -> None:
    with pytest.raises(MotionError, match="No two legs were found"):
        person_in(shared_data / "clips" / "blender" / file)


@pytest.mark.parametrize("clip", ["05_03.bvh", "63_01.bvh", "amc/01_01.amc"])
def test_shape_alone_finds_what_names_say(shared_data: Path, clip: str) -> None:
    named = person_in(shared_data / "clips" / clip)
    capture = named.capture
    assert isinstance(capture, CapturedMotion)
    numbers = tuple(str(number) for number in range(len(capture.names)))
    shaped = person_of(dataclasses.replace(capture, names=numbers))
    assert shaped.names == named.names
    differ = [name for name in named.names if not np.array_equal(shaped.landmark(name), named.landmark(name))]
    assert differ == []
