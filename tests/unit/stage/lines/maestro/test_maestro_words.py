"""Bytes for a Maestro, against the examples of its user's guide."""

from __future__ import annotations

import pytest

from animato.stage.lines.maestro.maestro_words import MaestroWords, crc7, error_words, quarters_of, speed_steps


def test_commands_are_those_of_the_users_guide() -> None:
    words = MaestroWords()
    assert words.target(2, 6000) == bytes([0x84, 0x02, 0x70, 0x2E])  # 1500 microseconds
    assert words.targets(3, [0, 6000]) == bytes([0x9F, 0x02, 0x03, 0x00, 0x00, 0x70, 0x2E])
    assert words.speed(5, 140) == bytes([0x87, 0x05, 0x0C, 0x01])  # 3.5 microseconds a millisecond
    assert words.acceleration(1, 4) == bytes([0x89, 0x01, 0x04, 0x00])
    assert words.position(7) == bytes([0x90, 0x07])
    assert words.errors() == bytes([0xA1])
    assert words.home() == bytes([0xA2])


def test_the_pololu_protocol_names_the_device() -> None:
    words = MaestroWords(12)
    assert words.target(2, 6000) == bytes([0xAA, 0x0C, 0x04, 0x02, 0x70, 0x2E])
    assert words.errors() == bytes([0xAA, 0x0C, 0x21])


def test_pulses_are_rounded_to_the_nearest_quarter_microsecond() -> None:
    assert quarters_of(1500.0) == 6000
    assert quarters_of(1500.13) == 6001
    assert quarters_of(1500.12) == 6000
    assert quarters_of(-3.0) == 0
    assert quarters_of(9999.0) == 16383


@pytest.mark.parametrize(
    ("speed", "steps"), [(None, 0), (float("inf"), 0), (3500.0, 140), (3500.1, 141), (1.0, 1), (0.0, 1), (1e9, 16383)]
)
def test_speed_limits_are_rounded_up_and_never_become_open(speed: float | None, steps: int) -> None:
    assert speed_steps(speed) == steps


def test_every_error_bit_has_words() -> None:
    assert error_words(0) == ""
    assert "protocol" in error_words(1 << 4)
    assert "timeout" in error_words(1 << 5)
    assert error_words(0b11).count(";") == 1
    assert "0x8000" in error_words(1 << 15)


def test_the_check_sum_is_that_of_the_users_guide() -> None:
    assert crc7(bytes([0x83, 0x01])) == 0x17
    assert MaestroWords(checked=True).errors() == bytes([0xA1, crc7(b"\xa1")])
