"""Known answers of what servos show: present = actual + homing (Dynamixel), actual - homing (Feetech)."""

import pytest

from animato.character import BusKind
from animato.stage.emulated import DynamixelEmulator, FeetechEmulator
from animato.stage.lines.dynamixel import registers as dynamixel
from animato.stage.lines.feetech import registers as feetech
from animato.stage.servos import Encoder, place

DYNAMIXEL, FEETECH = BusKind.DYNAMIXEL, BusKind.FEETECH


@pytest.mark.parametrize(
    ("kind", "homing", "actual", "present"),
    [
        (DYNAMIXEL, 0, 1000, 1000),
        (DYNAMIXEL, 300, 1000, 1300),
        (DYNAMIXEL, -300, 100, -200),
        (DYNAMIXEL, -512, 116, -396),  # torque off and on again after it stood at 3700: a turn away
        (DYNAMIXEL, 1024, 4000, 5024),
        (FEETECH, 300, 1000, 700),
        (FEETECH, 300, 100, 3896),
        (FEETECH, -2047, 4000, 1951),
    ],
)
def test_offsets(kind: BusKind, homing: int, actual: int, present: int) -> None:
    assert Encoder(kind, homing).present(actual) == present
    assert Encoder(kind, homing).actual(present) == actual


def test_position_mode_ignores_a_large_offset_of_a_dynamixel() -> None:
    assert Encoder(DYNAMIXEL, 1025).present(500) == 500
    assert not Encoder(DYNAMIXEL, 1025).is_kept
    assert Encoder(FEETECH, 2047).is_kept


def test_emulated_servos_show_the_same() -> None:
    one = DynamixelEmulator((1,), positions={1: 1500.0})
    one.servos[1].set(dynamixel.HOMING_OFFSET, -300)
    one.servos[1].set(dynamixel.DRIVE_MODE, 1)  # reverse does not flip the sign of the offset
    assert one.servos[1].read(132, 4)[1] == (1200).to_bytes(4, "little")
    one.stop()
    other = FeetechEmulator((1,), positions={1: 100.0})
    other.servos[1].set(feetech.HOMING_OFFSET, 300)
    assert other.servos[1].present == Encoder(FEETECH, 300).present(100.0) == 3896
    other.stop()


def test_a_range_inside_the_turn_fits_whatever_turn_it_was_read_in() -> None:
    for kind in (DYNAMIXEL, FEETECH):
        for turns in (-4096, 0, 8192):
            placed = place(1000.0 + turns, 3000.0 + turns, Encoder(kind))
            assert placed.fits
            assert (placed.lowest, placed.highest, placed.turns) == (1000.0, 3000.0, -turns)
            assert placed.margin == 1000.0


def test_a_feetech_that_overflows_gets_the_offset_that_centres_it() -> None:
    placed = place(3500.0, 4700.0, Encoder(FEETECH, 0))
    assert not placed.fits
    assert placed.homing == -2044  # the middle, 4100 = 4 on the encoder, is shown as 2048
    moved = Encoder(FEETECH, placed.homing)
    assert moved.present(3500) == 1448
    assert moved.present(4700) == 2648


def test_a_dynamixel_that_crosses_its_own_end_needs_another_horn_position() -> None:
    placed = place(3900.0, 4500.0, Encoder(DYNAMIXEL, 0))
    assert not placed.fits
    assert placed.homing is None
    assert placed.turn == 2048 - (4200 - 4096)  # 1944 counts up: 171 degrees
    assert placed.least_turn == 4096 - 3900  # so that it begins at 0
    for shift in (placed.turn, placed.least_turn):
        assert place(3900.0 + shift, 4500.0 + shift, Encoder(DYNAMIXEL, 0)).fits


def test_a_dynamixel_s_offset_that_pushes_its_range_out_is_taken_back() -> None:
    placed = place(3800.0, 4500.0, Encoder(DYNAMIXEL, 800))
    assert (placed.fits, placed.homing, placed.turn) == (False, 0, 0.0)
    assert place(3000.0, 3700.0, Encoder(DYNAMIXEL, 0)).fits


@pytest.mark.parametrize("kind", [DYNAMIXEL, FEETECH])
def test_more_than_a_turn_cannot_be_told(kind: BusKind) -> None:
    placed = place(0.0, 5000.0, Encoder(kind))
    assert not placed.fits
    assert placed.is_too_wide
    assert placed.homing is None
