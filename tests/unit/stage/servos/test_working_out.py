import math

import pytest

from animato.stage.servos import CalibrationError, Readings, work_out

TICKS = 4096 / math.tau
RIGHT = math.pi / 2


@pytest.mark.parametrize("sign", [1, -1])
def test_zero_and_direction_by_hand(sign: int) -> None:
    worked = work_out(Readings(zero=2000.0, positive=2000.0 + 300 * sign), (-RIGHT, RIGHT), TICKS, 1.0, "nod")
    assert (worked.zero, worked.sign, worked.gear) == (2000.0, sign, None)
    assert worked.needed == pytest.approx((976.0, 3024.0))


@pytest.mark.parametrize("sign", [1, -1])
def test_both_stops_say_all(sign: int) -> None:
    told = [2100.0 + sign * 2.0 * TICKS * one for one in (-0.5, 1.0)]
    worked = work_out(Readings(lower=told[0], upper=told[1]), (-0.5, 1.0), 2.0 * TICKS, 2.0, "nod")
    assert worked.zero == pytest.approx(2100.0)
    assert worked.sign == sign
    assert worked.gear == pytest.approx(2.0)
    assert not worked.notes


def test_a_wrong_gear_is_noticed() -> None:
    worked = work_out(Readings(lower=1000.0, upper=1000.0 + 3 * TICKS), (-0.5, 0.5), TICKS, 1.0, "nod")
    assert worked.gear == pytest.approx(3.0)
    assert "gear is 3 and not 1" in worked.notes[0]


def test_a_stop_before_the_limit_is_said_and_one_beside_it_is_the_limit() -> None:
    readings = Readings(2000.0, 2200.0, 2000.0 - 0.7 * TICKS, 2000.0 + 0.99 * TICKS)
    worked = work_out(readings, (-1.0, 1.0), TICKS, 1.0, "nod")
    assert worked.lowest == pytest.approx(2000.0 - 0.7 * TICKS)
    assert worked.highest == pytest.approx(2000.0 + TICKS)
    assert any("before its lower limit" in note for note in worked.notes)
    assert not any("upper" in note for note in worked.notes)


@pytest.mark.parametrize(
    ("readings", "why"),
    [
        (Readings(zero=2000.0), "Nothing says which way"),
        (Readings(zero=2000.0, positive=2004.0), "went by 4 only"),
        (Readings(2000.0, 2300.0, 2500.0, 1500.0), "says the opposite"),
    ],
)
def test_what_makes_no_sense_is_refused(readings: Readings, why: str) -> None:
    with pytest.raises(CalibrationError, match=why):
        work_out(readings, (-1.0, 1.0), TICKS, 1.0, "nod")


def test_stops_do_not_say_a_zero_where_limits_are_open() -> None:
    with pytest.raises(CalibrationError, match="both limits"):
        work_out(Readings(lower=1000.0, upper=2000.0), (None, 1.0), TICKS, 1.0, "nod")
