"""The shaft of an emulated servo, by a clock of the test's own."""

from __future__ import annotations

import itertools

import pytest

from animato.stage.emulated import ServoBody


def _on(**options: float) -> ServoBody:
    body = ServoBody(1000.0, **options)
    body.torque = True
    body.advance(0.0)
    return body


def test_goes_to_its_goal_at_its_speed() -> None:
    body = _on()
    body.speed_limit = 500.0
    body.tell(1200.0, 0.0)
    body.advance(0.1)
    assert body.position == pytest.approx(1050.0)
    body.advance(1.0)
    assert body.position == 1200.0


def test_can_do_no_more_than_its_top_speed() -> None:
    body = _on(top_speed=100.0)
    body.tell(2000.0, 0.0)
    body.advance(1.0)
    assert body.position == pytest.approx(1100.0)


def test_speeds_up_and_slows_down_as_it_may() -> None:
    body = _on()
    body.acceleration, body.speed_limit = 1000.0, 400.0
    body.tell(1500.0, 0.0)
    speeds = []
    for k in range(1, 400):
        body.advance(0.01 * k)
        speeds.append(body.speed)
    assert max(speeds) == pytest.approx(400.0, rel=0.02)
    changes = [abs(b - a) for a, b in itertools.pairwise(speeds)]
    assert max(changes) <= 10.0 + 1e-9
    assert body.position == pytest.approx(1500.0, abs=1.0)


def test_does_not_move_without_torque_or_when_held() -> None:
    body = ServoBody(1000.0)
    body.advance(0.0)
    body.tell(1200.0, 0.0)
    body.advance(1.0)
    assert body.position == 1000.0
    body.torque = True
    body.push(30.0, 1.0)
    body.advance(2.0)
    assert body.position == 1030.0
    assert body.current > 0.5


def test_records_where_it_was_and_where_it_should_be() -> None:
    body = _on()
    body.tell(1100.0, 0.5)
    body.advance(0.51)
    body.advance(0.511)
    times, positions, goals = zip(*body.record, strict=True)
    assert list(times) == sorted(times)
    assert goals[-1] == 1100.0
    assert positions[0] == 1000.0
    body.advance(0.6)
    at_rest = len(body.record)
    body.advance(0.601)
    assert len(body.record) == at_rest
