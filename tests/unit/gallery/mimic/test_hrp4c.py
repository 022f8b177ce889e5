"""The paper's own case, where its data is there; markers and bands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.gallery.mimic.hrp4c import facing_x, foot_shares, hrp4c_ten_postures
from animato.gallery.mimic.hrp4c_band import SUIT, Band, assistance_of, band_forces
from animato.mechanics.contact import corners_of
from animato.mechanics.tree import States
from animato.mimic.published import PublishedResult, solve_published


@pytest.fixture(scope="module")
def ten(shared_data: Path) -> PublishedResult:
    robot = shared_data / "robots" / "hrp4c" / "HRP4Cmain.urdf"
    capture = shared_data / "clips" / "roboptim" / "human.trc"
    return solve_published(hrp4c_ten_postures(robot, capture))


def states_of(found: PublishedResult) -> States:
    after = found.after
    return States(found.problem.times, after.fit.postures.q, after.rates.v, after.rates.a, after.fit.postures.root)


def test_the_zmp_of_ten_postures_comes_into_the_square(ten: PublishedResult) -> None:
    assert ten.outcome.solved
    assert ten.zmp_max_cm(after=False) > 8.0
    assert ten.zmp_max_cm() <= 7.5
    assert ten.fit_errors.mean() < 0.03


def test_markers_with_long_gaps_are_left_out_and_said(ten: PublishedResult) -> None:
    assert len(ten.problem.markers.places) == 32
    told = "; ".join(ten.problem.notes)
    for name in ("RANK", "LHEEL", "STERNUP"):
        assert f"marker {name} is unseen" in told
        assert name not in ten.problem.markers.names


def test_hands_are_on_hands_and_the_pelvis_on_the_pelvis(ten: PublishedResult) -> None:
    bodies = {place.name: place.body for place in ten.problem.markers.places}
    assert bodies["RMP"] == "R_WRIST_R_LINK"
    assert bodies["LPEL"] == bodies["RPEL"] == "BODY"


def test_a_suit_takes_load_off_the_waist_and_none_without_stiffness(ten: PublishedResult) -> None:
    robot, states, planted = ten.problem.markers.character, states_of(ten), np.ones((10, 2), dtype=bool)
    (_, bare, suited), *_ = assistance_of(robot, states, planted).peaks(("CHEST_P",))
    assert suited < 0.85 * bare
    limp = (Band((("CHEST_Y_LINK", (-0.1, 0.0, 0.2)), ("BODY", (-0.1, 0.0, 0.0))), 0.0),)
    none = assistance_of(robot, states, planted, limp)
    np.testing.assert_allclose(none.assisted, none.without, atol=1e-9)


def test_a_band_is_internal_and_does_the_work_of_its_stretch(ten: PublishedResult) -> None:
    robot, states = ten.problem.markers.character, states_of(ten)
    band = SUIT[1]
    pressed, pulls = band_forces(robot, states, (band,))
    np.testing.assert_allclose(pressed[:, :6], 0.0, atol=1e-9 * np.abs(pressed).max() + 1e-9)
    ends = corners_of(robot, states, band.points)
    apart = np.diff(ends.positions, axis=1)
    rate = np.einsum("fpi,fpi->f", apart / np.linalg.norm(apart, axis=2)[..., None], np.diff(ends.velocities, axis=1))
    np.testing.assert_allclose(np.sum(pressed * states.velocities, axis=1), -pulls[:, 0] * rate, atol=1e-9)


def test_a_capture_is_turned_to_face_x() -> None:
    positions = np.zeros((2, 2, 3))
    positions[:, 0], positions[:, 1] = (1.0, 0.2, 1.0), (1.3, 0.2, 1.0)  # right, left: it faces -y
    turned = facing_x(positions, ("RHIP", "LHIP"))
    np.testing.assert_allclose(turned[0, 1] - turned[0, 0], [0.0, 0.3, 0.0], atol=1e-15)


def test_shares_go_over_from_foot_to_foot() -> None:
    planted = np.ones((20, 2), dtype=bool)
    planted[8:12, 0] = False
    shares = foot_shares(planted, 0.05 * np.arange(20))
    np.testing.assert_allclose(shares.sum(1), 1.0)
    assert shares[10, 1] > 0.85
    assert np.abs(np.diff(shares[:, 0])).max() < 0.15
