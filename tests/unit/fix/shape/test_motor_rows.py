"""What motors can give as rows: the same limit that `check` looks at."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Limits
from animato.character.limits import TorqueSpeedCurve
from animato.fix.shape import MotorRows
from animato.mechanics.limits.usage import AxisColumns, used_share

SPEEDS = np.concatenate([np.linspace(-12.0, 12.0, 241) + 0.013, [0.0]])
"""To and fro, and beyond the last speed of every curve."""

MOTORS = {
    "torque alone": Limits(torque=2.0),
    "a straight curve": Limits(curve=TorqueSpeedCurve((0.0, 8.0), (2.0, 0.0))),
    "torque and curve": Limits(torque=2.0, curve=TorqueSpeedCurve((0.0, 8.0), (2.0, 0.4))),
    "a gearbox below its motor": Limits(torque=1.2, curve=TorqueSpeedCurve((0.0, 8.0), (2.0, 0.4))),
    "a bent curve": Limits(curve=TorqueSpeedCurve((0.0, 3.0, 8.0), (2.0, 1.7, 0.3))),
    "a hollow curve": Limits(curve=TorqueSpeedCurve((0.0, 2.0, 5.0, 8.0), (2.0, 0.9, 0.5, 0.3))),
    "a level curve": Limits(torque=1.0, curve=TorqueSpeedCurve((0.0, 5.0), (1.0, 1.0))),
}


def shares(limits: Limits, torque: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """What `check` says of a motor, [moment]."""
    nothing = np.zeros_like(torque)
    return used_share("torque", limits, AxisColumns(nothing, speed, nothing, nothing, torque))


def rows_of(limits: Limits, friction: float = 0.0) -> MotorRows:
    return MotorRows.of([(1, "hip", limits)], np.array([0.0, friction]))


def highest(rows: MotorRows, torque: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Of all rows, [moment]."""
    blank = np.full_like(torque, 99.0)  # another motor, which has no rows
    return rows.shares(np.column_stack([blank, torque]), np.column_stack([blank, speed]))[0].max(axis=1)


@pytest.mark.parametrize("motor", MOTORS)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_rows_are_at_their_limit_where_the_motor_is(motor: str, sign: float) -> None:
    """Along the whole edge of what the motor can do, driving and braking; a hair less is less, more is more."""
    limits, rows = MOTORS[motor], rows_of(MOTORS[motor])
    edge = sign / shares(limits, np.full_like(SPEEDS, sign), SPEEDS)  # a share grows with the torque as it is
    assert np.allclose(shares(limits, edge, SPEEDS), 1.0)
    known = SPEEDS * sign < 7.9 if limits.curve and limits.curve.torques[-1] == 0.0 else np.ones(len(SPEEDS), bool)
    np.testing.assert_allclose(highest(rows, edge, SPEEDS)[known], 1.0, atol=1e-9)
    assert np.all(highest(rows, 0.999 * edge, SPEEDS)[known] < 1.0)
    assert np.all(highest(rows, 1.001 * edge, SPEEDS) > 1.0)


@pytest.mark.parametrize("motor", MOTORS)
def test_no_row_promises_more_than_check_allows(motor: str) -> None:
    """Near and beyond the speed at which a motor has nothing left, too."""
    limits, rows, rng = MOTORS[motor], rows_of(MOTORS[motor]), np.random.default_rng(4)
    torque, speed = rng.uniform(-2.5, 2.5, 4000), rng.uniform(-12.0, 12.0, 4000)
    allowed = highest(rows, torque, speed) <= 1.0
    assert 0.1 < allowed.mean() < 0.9
    assert shares(limits, torque, speed)[allowed].max() <= 1.0 + 1e-12


def test_what_has_no_limit_has_no_rows() -> None:
    none = MotorRows.of([(0, "free", Limits()), (1, "loose", Limits(velocity=3.0))])
    assert len(none) == 0 and none.names == ()
    assert none.shares(np.ones((5, 2)), np.ones((5, 2)))[0].shape == (5, 0)
    two = MotorRows.of([(0, "free", Limits()), (2, "hip", MOTORS["torque and curve"])])
    assert two.names == ("hip",) * 4 and set(two.dof.tolist()) == {2}
    assert rows_of(MOTORS["a level curve"]).names == ("hip",) * 2  # a curve that does not fall adds nothing


@pytest.mark.parametrize("motor", MOTORS)
def test_slopes_are_those_of_the_rows(motor: str) -> None:
    rows = rows_of(MOTORS[motor], friction=0.3)
    corners = [-0.2, 0.0, 2.0, 3.0, 5.0, 8.0]
    away = np.abs(np.abs(SPEEDS)[:, None] - np.abs(corners)).min(axis=1) > 1e-3
    speed, h = SPEEDS[away], 1e-5

    def at(shift: float) -> np.ndarray:
        moved = np.column_stack([speed, speed + shift])
        return rows.shares(np.ones_like(moved), moved)[0]

    _, slopes = rows.shares(np.ones((len(speed), 2)), np.column_stack([speed, speed]))
    np.testing.assert_allclose(slopes, (at(h) - at(-h)) / (2.0 * h), atol=1e-8)


def test_friction_is_never_taken_for_less_than_is_felt() -> None:
    """Torques hold it with the sign of the velocity; near a turn rows count it in full for both directions."""
    limits, friction = Limits(torque=2.0), 0.5
    with_it, without = rows_of(limits, friction), rows_of(limits)
    speed = np.linspace(-0.6, 0.6, 1201)
    felt = 0.7 + friction * np.sign(speed)
    blank = np.zeros_like(speed)
    torques, speeds = np.column_stack([blank, felt]), np.column_stack([blank, speed])
    counted, plain = with_it.shares(torques, speeds)[0], without.shares(torques, speeds)[0]
    assert np.all(counted >= plain - 1e-12)
    far = np.abs(speed) > 0.2 + 1e-9
    np.testing.assert_allclose(counted[far], plain[far], atol=1e-12)
    # Just before and just after the turn a row is the same: no jump that no row looks at.
    for row in range(len(with_it)):
        assert np.abs(np.diff(counted[:, row])).max() < 0.01
