"""Lines that stay and bodies by themselves in films."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from animato.character.character import Character
from animato.errors import OptionError
from animato.formats import load_character
from animato.loading import load_clip
from animato.mechanics.tree import BodyPoses
from animato.motion.clip import Clip
from animato.report.kit import Figure, Film, Line, PlacedBodies, film_data
from animato.report.kit.film import unpacked


@pytest.fixture(scope="module")
def lamp() -> Character:
    return load_character("lamp")


@pytest.fixture(scope="module")
def clip(lamp: Character) -> Clip:
    return load_clip("lamp_look", lamp)


def sent_line(lamp: Character, clip: Clip, places: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Corners of each piece, and all corners [m]."""
    data = film_data(Film((Figure(lamp, clip),), (Line(places),)))
    line = data["things"][0]["line"]
    shares = unpacked(data["numbers"], line["rows"], signed=True) / 32767.0
    return line["counts"], np.array(line["middle"]) + line["spread"] * shares


def test_a_line_keeps_its_corners_however_fast_they_are_passed(lamp: Character, clip: Clip) -> None:
    zigzag = np.array([[0.3, 0.0, 0.1], [0.3, 0.1, 0.2], [0.3, 0.2, 0.1], [0.3, 0.3, 0.2]])
    fine = np.concatenate([np.linspace(a, b, 500) for a, b in itertools.pairwise(zigzag)])
    counts, corners = sent_line(lamp, clip, fine)
    assert counts == [len(corners)] and len(corners) < 40
    for corner in zigzag:
        assert np.linalg.norm(corners - corner, axis=1).min() < 2e-5


def test_a_line_is_broken_where_nothing_is(lamp: Character, clip: Clip) -> None:
    places = np.linspace([0.0, 0.0, 0.0], [0.1, 0.0, 0.0], 11)
    places[[0, 5, 6]] = np.nan
    counts, corners = sent_line(lamp, clip, places)
    assert counts == [2, 2]
    np.testing.assert_allclose(corners[:, 0], [0.01, 0.04, 0.07, 0.1], atol=1e-5)


def test_bodies_stand_where_they_are_told_to(lamp: Character, clip: Clip) -> None:
    name, times = lamp.bodies[1].name, np.array([0.0, 2.0])
    turns = np.array([[1.0, 0.0, 0.0, 0.0], [np.cos(0.3), 0.0, 0.0, np.sin(0.3)]])
    placed = BodyPoses(times, (name,), np.array([[[0.0, 0.0, 0.0]], [[0.2, 0.0, 0.0]]]), turns[:, None])
    figure = PlacedBodies(lamp, clip, name="where it should be", ghost=True, placed=placed)
    poses = figure.poses(np.array([1.0, 5.0]))
    np.testing.assert_allclose(poses.of(name).position, [[0.1, 0.0, 0.0], [0.2, 0.0, 0.0]], atol=1e-12)
    half = [np.cos(0.15), 0.0, 0.0, np.sin(0.15)]
    np.testing.assert_allclose(poses.of(name).quaternion_wxyz[0], half, atol=1e-12)
    assert {part.body for part in figure.scene().parts} == {1}


def test_bodies_have_a_look_of_their_own_and_share_its_numbers(lamp: Character, clip: Clip) -> None:
    still = BodyPoses(np.zeros(1), (lamp.bodies[1].name,), np.zeros((1, 1, 3)), np.array([[[1.0, 0.0, 0.0, 0.0]]]))
    alone, both = (
        film_data(Film((Figure(lamp, clip), *more))) for more in ((), (PlacedBodies(lamp, clip, placed=still),))
    )
    assert [one["look"] for one in both["figures"]] == [0, 1]
    assert 0 < len(both["looks"][1]) < len(both["looks"][0])
    assert len(both["numbers"]) < 1.1 * len(alone["numbers"])
    with pytest.raises(OptionError, match="`placed` names no body"):
        PlacedBodies(lamp, clip)


def test_a_film_is_seen_from_where_it_says(lamp: Character, clip: Clip) -> None:
    camera = Film((Figure(lamp, clip),), seen_from=np.array([0.0, 1.0, 0.2])).shot().camera
    away = np.subtract(camera.eye, camera.target)
    np.testing.assert_allclose(away / np.linalg.norm(away), np.array([0.0, 1.0, 0.2]) / np.hypot(1.0, 0.2), atol=1e-9)
