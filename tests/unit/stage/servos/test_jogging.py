from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import animato as an
from animato.character import Character
from animato.errors import CharacterError, OptionError, UnknownNameError
from animato.stage.emulated import DynamixelEmulator
from animato.stage.servos import Step, jog

TICKS = 4096 / math.tau
DEGREE = math.pi / 180


@pytest.fixture
def bus() -> Iterator[DynamixelEmulator]:
    with DynamixelEmulator((1, 2), positions={2: 2000.0}) as emulated:
        yield emulated


@pytest.fixture
def head(bus: DynamixelEmulator, head_file: Callable[[str, str], Path]) -> Character:
    """Calibrated: both zeros at 2048."""
    made = an.load_character(head_file("dynamixel", bus.port))
    return replace(made, wires=tuple(replace(wire, zero=2048.0) for wire in made.wires))


def speeds(record: list[tuple[float, float, float]]) -> list[float]:
    """By goals [counts/s] over stretches of a tenth of a second: single frames may come late."""
    found = []
    for at, _, goal in record:
        later = next(((t, g) for t, _, g in record if t > at + 0.1), None)
        if later is not None:
            found.append(abs(later[1] - goal) / (later[0] - at))
    return found


def test_it_goes_there_slowly_and_lets_go(head: Character, bus: DynamixelEmulator) -> None:
    done = jog(head, "turn", 10 * DEGREE)
    assert done.report is not None
    assert done.report.fault is None
    assert done.started == 0.0
    assert done.reached == pytest.approx(10 * DEGREE)
    assert not done.holds
    assert bus.bodies[1].goal == round(2048 + 10 * DEGREE * TICKS)
    assert not bus.bodies[1].torque
    assert max(speeds(bus.shafts()[1])) < 0.5 * TICKS * 1.5  # half a radian a second, and margin for late frames
    assert bus.bodies[2].goal == 2000.0  # nobody told the other one anything
    assert all(2 not in goals for _, goals in bus.frames)


def test_it_stops_at_the_limit_and_holds_where_wanted(head: Character, bus: DynamixelEmulator) -> None:
    bus.bodies[2].position = 2048.0 + 43 * DEGREE * TICKS
    seen: list[str] = []

    def confirm(lines: list[str]) -> bool:
        seen.extend(lines)
        return True

    done = jog(head, "nod", 20 * DEGREE, by=True, hold=True, confirm=confirm)
    assert done.clipped
    assert done.reached == pytest.approx(45 * DEGREE)
    assert done.holds
    assert bus.bodies[2].torque
    assert max(goal for _, goals in bus.frames for goal in goals.values()) <= round(2048 + 45 * DEGREE * TICKS)
    assert any("outside of its range" in line for line in seen)


def test_keys(head: Character, bus: DynamixelEmulator) -> None:
    keys: list[Step] = ["up", "up", "coarser", "up", "down", "down", "finer", "finer", "up"]
    shown: list[str] = []
    done = jog(head, "turn", keys=keys, show=shown.append)
    assert done.reached == pytest.approx((1 + 1 + 2 - 2 - 2 + 0.5) * DEGREE, abs=1e-5)
    assert shown[0].startswith("1.0 deg (-90.0 to 90.0), told 2059, step 1 deg")
    assert not bus.bodies[1].torque


def test_a_no_moves_nothing(head: Character, bus: DynamixelEmulator) -> None:
    done = jog(head, "turn", 0.3, confirm=lambda lines: False)
    assert done.report is None
    assert not bus.frames
    assert not bus.bodies[1].torque


def test_what_cannot_be_jogged_is_said(head: Character) -> None:
    with pytest.raises(UnknownNameError, match="turm"):
        jog(head, "turm", 0.1)
    with pytest.raises(OptionError, match="one of them"):
        jog(head, "turn")
    bare = replace(head, wires=tuple(replace(wire, zero=None) for wire in head.wires))
    with pytest.raises(CharacterError, match="no zero"):
        jog(bare, "turn", 0.1)


def test_a_blocked_joint_is_held_and_said(head: Character, bus: DynamixelEmulator) -> None:
    bus.slip(1)
    said: list[str] = []
    done = jog(head, "turn", 60 * DEGREE, say=said.append)
    assert done.report is not None
    assert done.report.fault is not None
    assert done.holds
    assert any("blocked" in one for one in said)
