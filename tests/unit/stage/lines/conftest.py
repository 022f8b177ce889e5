"""Slots for servos on emulated buses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from animato.character import Bus, BusKind, Scale, Wire
from animato.stage.lines import Slot


@pytest.fixture
def slot() -> Callable[..., Slot]:
    """Makes a slot: `slot(1)`, `slot(1, lowest=1000.0, speed=None, current=0.5)`."""

    def made(
        id: int = 1, lowest: float = 0.0, highest: float = 4095.0, speed: float | None = 3000.0, **wire: Any
    ) -> Slot:
        stated = {end: wire.pop(f"wire_{end}") for end in ("lowest", "highest") if f"wire_{end}" in wire}
        scale = Scale(2048.0, 4096.0 / (2.0 * math.pi), 0.0, 4095.0)
        return Slot(Wire(f"joint{id}", "arm", id, zero=2048.0, **stated, **wire), scale, speed, lowest, highest)

    return made


@pytest.fixture
def bus_at() -> Callable[..., Bus]:
    """Makes a bus at a port: `bus_at(port, BusKind.FEETECH)`."""

    def made(port: str, kind: BusKind = BusKind.DYNAMIXEL, **options: Any) -> Bus:
        return Bus("arm", kind, port, 1_000_000, **options)

    return made
