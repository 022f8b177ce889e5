"""Motor profiles, their limits, and what can be wanted of them."""

import numpy as np
import pytest

import animato as an
from animato.character import Limits, TorqueSpeedCurve
from animato.errors import OptionError
from animato.steady.options import Emphasis, Options, Tracked
from animato.steady.profiles import HELD, ProfileBasis, profile_limits, torque_limits


@pytest.fixture
def basis() -> ProfileBasis:
    return ProfileBasis.over(("a", "b"), 1.0, 2.0, 20)


@pytest.mark.parametrize("derivative", [0, 1, 2, 3])
def test_a_derivative_lies_between_its_control_points(basis: ProfileBasis, derivative: int) -> None:
    points = np.random.default_rng(0).normal(size=(basis.count, 2))
    values = basis.matrix(np.linspace(0.0, 2.0, 999), derivative) @ points
    hull = basis.difference_matrix(derivative) @ points
    assert np.all(values <= hull.max(axis=0) + 1e-9)
    assert np.all(values >= hull.min(axis=0) - 1e-9)
    assert values.max() > 0.3 * hull.max()  # and the hull is not far away


def test_fitting_starts_at_rest_in_the_first_pose(basis: ProfileBasis) -> None:
    times = np.linspace(1.0, 3.0, 41)
    clip = an.Clip(times, ("b", "a"), np.column_stack([0.3 + 0.0 * times, np.clip(times - 1.5, 0.0, 1.0)]))
    x = basis.fitted(clip)
    points = basis.control_points(x)
    assert np.array_equal(points[:HELD], [[0.0, 0.3]] * HELD)
    assert np.array_equal(basis.unknowns(points), x)
    fitted = basis.matrix(times - 1.0) @ points
    assert np.abs(fitted[:, 0] - clip.positions[:, 1]).max() < 0.02
    assert np.abs(fitted[:, 1] - 0.3).max() < 1e-9


def test_limits_are_rows_in_units_of_themselves(basis: ProfileBasis) -> None:
    limits = (Limits(lower=-1.0, upper=2.0, velocity=4.0), Limits())
    rows = profile_limits(basis, limits, np.zeros(basis.size), acceleration=np.inf, margin=0.0)
    points = np.zeros((basis.count, 2))
    points[:, 0] = 2.0  # at its upper limit
    points[:, 1] = 99.0  # not limited
    assert rows.worst_share(basis.unknowns(points)) == pytest.approx(1.0)
    points[10:, 0] = 1.0  # a jump within a piece
    speed = np.abs(basis.difference_matrix(1) @ points[:, 0]).max()
    assert rows.worst_share(basis.unknowns(points)) == pytest.approx(speed / 4.0)


def test_torque_is_lost_with_speed_while_a_motor_drives() -> None:
    curve = TorqueSpeedCurve((0.0, 8.0), (3.0, 0.0))
    torque = torque_limits((Limits(torque=3.0, curve=curve), Limits()))
    assert torque.stall == pytest.approx([3.0, np.inf])
    assert torque.slope == pytest.approx([3.0 / 8.0, 0.0])


def test_emphasis_and_words() -> None:
    hand = Tracked.parsed("left_hand=100@1.0-2.0")
    assert hand == Tracked("left_hand", 1.0, 0.0, (Emphasis(1.0, 2.0, 100.0),))
    assert list(hand.factors(np.array([0.5, 1.5, 2.5]))) == [1.0, 100.0, 1.0]
    assert Tracked.parsed("glass=2:upright") == Tracked("glass", 2.0, 1.0)
    assert Tracked.parsed("head") == Tracked("head")
    for wrong in ("head=heavy", "head=1@2", "head=1@3-2"):
        with pytest.raises(OptionError):
            Tracked.parsed(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"control_points": 3},
        {"step_s": 0.0},
        {"step_s": 0.1},
        {"stiffness_spread": 10.0},
        {"iterations": 0},
        {"rate_hz": -1},
    ],
)
def test_options_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=next(iter(wrong))):
        Options(**wrong)
