"""Limits of characters whose joints close loops."""

import numpy as np
import pytest

import animato as an
from animato.mechanics.limits import limit_usage
from animato.mechanics.simulation import loop_torques


@pytest.fixture(scope="module")
def rapper() -> an.Character:
    return an.load_character("rapper")


def swing(seconds: float) -> an.Clip:
    times = np.linspace(0.0, seconds, 81)
    return an.Clip(times, ("crank_axle",), 0.6 * (1.0 - np.cos(2.0 * np.pi * times / seconds))[:, None])


def test_torques_of_a_loop_are_checked(rapper: an.Character) -> None:
    clip = swing(1.5)
    usage = limit_usage(rapper, clip, oversampling=1)
    names = [axis.name for axis in usage.axes]
    motor = names.index("crank_axle")
    assert usage.shares["velocity"][:, motor].max() > 0.2
    assert 0.05 < usage.peak("torque") < 1.0
    from animato.character.structure import rigidified

    told = loop_torques(rigidified(rapper), clip)
    column = told.names.index("crank_axle")
    assert usage.values["torque"][:, motor] == pytest.approx(told.torques[:, column], abs=1e-9)


def test_faster_asks_for_more(rapper: an.Character) -> None:
    slow, fast = (limit_usage(rapper, swing(seconds), oversampling=1) for seconds in (2.0, 0.5))
    assert fast.peak("torque") > slow.peak("torque")
    assert fast.peak("acceleration") == pytest.approx(16.0 * slow.peak("acceleration"), rel=1e-6)


def test_check_says_what_loops_carry() -> None:
    result = an.check("rapper", "rapper_verse", oversampling=1)
    assert result.outcome.usable
    assert any("Loops are closed" in note for note in result.notes)
