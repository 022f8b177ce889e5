"""A curve on its way: sent once more, lost, late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from animato.character import Scale, Wire
from animato.stage.lines import Slot
from animato.stage.lines.bottango.courier import Errand
from animato.stage.lines.bottango.curve import fitted
from animato.stage.lines.bottango.delivery import Delivery
from animato.stage.lines.bottango.motor import Motor


class Clockwork:
    """Stands in for a courier: the test says what time it is."""

    synced_ms = 0

    def __init__(self) -> None:
        self.now = 900.0
        self.errand = Errand(lambda: None)

    def now_ms(self) -> float:
        return self.now

    def put(self, make: Callable[[], str | None], on_lost: Callable[[], None]) -> Errand:
        return self.errand


@pytest.fixture
def courier() -> Any:
    return Clockwork()


@pytest.fixture
def motor() -> Motor:
    wire = Wire("joint", "bus", 3, zero=1500.0)
    made = Motor("3", Slot(wire, Scale(1500.0, 600.0, 500.0, 2500.0), 9000.0, 600.0, 2400.0), 50.0, 0.0)
    made.stand(600.0 + 1800.0 * 4000 / 8192)
    return made


def test_what_the_driver_may_have_is_sent_the_very_same(courier: Any, motor: Motor) -> None:
    delivery = Delivery(courier, motor, fitted([1000.0, 1050.0], [4000.0, 4400.0]))
    first = delivery.text()
    courier.now, courier.errand.is_unsure = 1020.0, True
    assert delivery.text() == first
    courier.now = 1060.0
    assert delivery.text() is None
    assert motor.delivered == 4400


def test_what_it_surely_has_not_begins_anew(courier: Any, motor: Motor) -> None:
    delivery = Delivery(courier, motor, fitted([1000.0, 1050.0], [4000.0, 4400.0]))
    delivery.text()
    courier.now = 1020.0
    again = delivery.text()
    assert again is not None
    assert again.startswith("sC,3,1020,30,4000,")


def test_after_it_was_lost_the_motor_stands_where_it_stood(courier: Any, motor: Motor) -> None:
    delivery = Delivery(courier, motor, fitted([1000.0, 1050.0], [4000.0, 4400.0]))
    delivery.text()
    assert motor.delivered == 4400
    delivery.lose()
    assert motor.delivered == 4000


def test_the_end_of_a_motion_is_sent_even_if_it_is_late(courier: Any, motor: Motor) -> None:
    last = None
    for n in range(10):
        last = motor.add(1000.0 + 10.0 * n, 1500.0 + 10.0 * n) or last
    last = motor.due(2000.0) or last
    assert last is not None
    courier.now = 2000.0
    text = Delivery(courier, motor, last).text()
    assert text is not None
    assert text.startswith("sC,3,2000,20,")
    assert motor.delivered == last.y1


def test_what_is_over_is_not_sent(courier: Any, motor: Motor) -> None:
    courier.now = 1051.0
    assert Delivery(courier, motor, fitted([1000.0, 1050.0], [4000.0, 4400.0])).text() is None
    assert motor.delivered == 4000
