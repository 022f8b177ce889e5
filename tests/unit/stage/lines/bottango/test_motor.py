"""How positions become curves, without any clock."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from animato.character import Scale, Wire
from animato.stage.lines import Slot
from animato.stage.lines.bottango.curve import fitted
from animato.stage.lines.bottango.motor import Motor


def motor(share: float = 0.0, speed: float = 9000.0) -> Motor:
    wire = Wire("joint", "bus", 3, zero=1500.0)
    made = Motor("3", Slot(wire, Scale(1500.0, 600.0, 500.0, 2500.0), speed, 600.4, 2399.6), 50.0, share)
    made.stand(1500.0)
    return made


def test_pulses_are_whole_and_inside_the_range() -> None:
    assert motor().ends == (601, 2399)


def test_curves_follow_one_another_without_gaps() -> None:
    for share in (0.0, 0.3, 0.9):
        one = motor(share)
        curves = [one.add(1000.0 + 10.0 * n, 1500.0 + 5.0 * n) for n in range(60)]
        made = [curve for curve in curves if curve is not None]
        assert len(made) >= 10
        for before, after in pairwise(made):
            assert before.end_ms == after.start_ms
            assert before.y1 == after.y0


def test_what_stands_still_needs_no_word() -> None:
    one = motor()
    assert all(one.add(1000.0 + 10.0 * n, 1500.0) is None for n in range(60))
    assert one.rests_at_ms == 1590.0


def test_motion_is_not_rest() -> None:
    one = motor()
    for n in range(10):
        one.add(1000.0 + 10.0 * n, 1500.0 + 5.0 * n)
    assert one.rests_at_ms is None


def test_what_is_pending_goes_out_before_it_begins() -> None:
    one = motor()
    one.add(1000.0, 1500.0)
    one.add(1010.0, 1510.0)
    assert one.due(800.0) is None
    curve = one.due(970.0)
    assert curve is not None
    assert curve.end_ms == 1010
    assert one.due(975.0) is None


def test_after_a_gap_motion_begins_where_it_stood() -> None:
    one = motor()
    for n in range(20):
        one.add(1000.0 + 10.0 * n, 1500.0 + 5.0 * n)
    one.due(2000.0)
    curve = one.add(3000.0, 1600.0) or one.due(2990.0)
    assert curve is not None
    assert curve.start_ms == 2960
    np.testing.assert_allclose(one.pulse(curve.y0), 1595.0, atol=0.2)


def test_after_a_sudden_stop_it_starts_from_there() -> None:
    one = motor()
    one.stand(1450.0)
    curve = one.add(1000.0, 1500.0) or one.due(950.0)
    assert curve is not None
    np.testing.assert_allclose([one.pulse(curve.y0), one.pulse(curve.y1)], [1450.0, 1500.0], atol=0.2)
    assert curve.duration_ms == 80


def test_a_board_never_has_more_than_it_keeps() -> None:
    """Whenever positions come, early or all at once after a pause."""
    rng = np.random.default_rng(3)
    one, made, now = motor(), [], 0.0
    for n in range(400):
        at = 1000.0 + 10.0 * n
        now = max(now, at - 120.0 + (60.0 if rng.random() < 0.1 else 0.0))
        for curve in (one.due(now), one.add(at, 1500.0 + 2.0 * n % 300, now)):
            if curve is not None:
                made.append(curve)
                assert sum(other.end_ms > now for other in made) <= 3
    assert len(made) > 50


def test_a_curve_is_sent_as_it_is_when_all_is_well() -> None:
    curve = fitted([1000.0, 1050.0], [4000.0, 4400.0])
    assert motor().joined(curve, 4000, 950.0) is curve


def test_after_a_lost_curve_the_next_leads_from_where_the_motor_stands() -> None:
    curve = motor().joined(fitted([1000.0, 1050.0], [4000.0, 4400.0]), 3500, 950.0)
    assert (curve.start_ms, curve.duration_ms, curve.y0, curve.y1) == (1000, 50, 3500, 4400)


def test_a_late_curve_begins_now_and_ends_in_time() -> None:
    curve = motor().joined(fitted([1000.0, 1050.0], [4000.0, 4400.0]), 4000, 1020.3)
    assert (curve.start_ms, curve.end_ms, curve.y0, curve.y1) == (1021, 1050, 4000, 4400)


def test_a_late_curve_is_never_too_fast() -> None:
    curve = motor(speed=1000.0).joined(fitted([1000.0, 1050.0], [4000.0, 4400.0]), 3500, 1040.0)
    pulses = 1798.0 * (curve.y1 - curve.y0) / 8192.0
    assert (curve.start_ms, curve.y0, curve.y1) == (1040, 3500, 4400)
    assert 0.99 < pulses / curve.duration_ms <= 1.0  # microseconds a millisecond
