from __future__ import annotations

import math
from importlib import resources

import numpy as np
import pytest

from animato.character.limits import Limits
from animato.errors import UnknownNameError
from animato.findings.checking import check
from animato.findings.words import verdict
from animato.formats.character_yaml.reader import load_character_yaml
from animato.formats.tables.clip_csv import load_clip_csv
from animato.motion.clip import Clip
from animato.outcome import Iteration


def slowed(clip: Clip, speed: float) -> Clip:
    times = clip.times[0] + (clip.times - clip.times[0]) / speed
    return Clip(times, clip.names, clip.positions, clip.base_positions, clip.base_quaternions_wxyz, clip.source)


@pytest.fixture
def swing(make_character):
    limits = Limits(-1.0, 1.0, acceleration=60.0)
    character = make_character({"left_elbow": limits, "neck": limits}, servo="MG996R")
    times = np.linspace(0.0, 2.0, 101)
    positions = np.column_stack([0.9 * np.sin(8.0 * times), 0.2 * np.sin(3.0 * times)])
    return character, Clip(times, ("left_elbow", "neck"), positions, source="wave.csv")


def test_numbers_of_a_sine(swing) -> None:
    result = check(*swing)
    speed = result.maxima["left_elbow"]["velocity"]
    limit = math.pi / 3.0 / 0.14  # 60 degrees in 0.14 s
    assert speed.limit == pytest.approx(limit, rel=1e-12)
    assert speed.share == pytest.approx(7.2 / limit, rel=2e-4)  # the spline of 50 frames a second
    assert abs(speed.value) == pytest.approx(7.2, rel=2e-4)
    assert result.maxima["left_elbow"]["position"].share == pytest.approx(0.9, rel=1e-4)
    assert result.maxima["left_elbow"]["acceleration"].share == pytest.approx(0.96, abs=0.03)
    assert result.clip_name == "wave" and not result.outcome.usable


def test_played_at_the_speed_that_fits_it_fits(swing) -> None:
    character, clip = swing
    result = check(character, clip)
    assert result.playback_speed is not None and result.playback_speed < 1.0
    floored = math.floor(100.0 * result.playback_speed) / 100.0  # what the words tell
    assert check(character, slowed(clip, floored)).outcome.usable
    assert not check(character, slowed(clip, result.playback_speed + 0.05)).outcome.usable


def test_ghost_and_progress(swing) -> None:
    character, clip = swing
    heard: list[Iteration] = []
    ghost = clip.selected(["neck"])
    result = check(character, clip, ghost, clip_name="a wave", progress=heard.append)
    assert result.ghost is ghost and result.ghost_usage is not None
    assert heard and [step.stage for step in heard] == ["kinematics", "dynamics"]
    assert result.clip_name == "a wave"


def test_a_clip_of_another_character_is_refused(swing) -> None:
    character, clip = swing
    stranger = Clip(clip.times, ("left_elbwo", "neck"), clip.positions)
    with pytest.raises(UnknownNameError, match="left_elbow"):
        check(character, stranger)


def test_the_shipped_clip_that_is_too_fast() -> None:
    library = resources.files("animato.library")
    with resources.as_file(library / "characters" / "pico.yaml") as path:
        pico = load_character_yaml(path)
    with resources.as_file(library / "clips" / "pico_hello.csv") as path:
        hello = load_clip_csv(path)
    result = check(pico, hello, clip_name="hello")
    assert verdict(result).startswith("pico cannot do 'hello' as it is:")
    assert {finding.kind for finding in result.findings} >= {"velocity", "position"}
    assert result.findings[0].kind == "velocity"
    slow = check(pico, slowed(hello, math.floor(100.0 * (result.playback_speed or 0.0)) / 100.0))
    assert {finding.kind for finding in slow.findings} == {"position"}
