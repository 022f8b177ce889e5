"""The text of Bottango's protocol."""

from __future__ import annotations

import pytest

from animato.stage.lines.bottango import hashed
from animato.stage.lines.bottango.commands import ERROR_WORDS, error_words, identifier, pca9685_address, register


def test_the_hash_is_the_sum_of_the_characters() -> None:
    # the example of their documentation
    assert hashed("xUC,4") == b"xUC,4,h368\n"
    assert hashed("xE") == b"xE,h189\n"


def test_servos_on_pins_and_on_pca9685_boards() -> None:
    assert register(9, None, (600, 2400), None, 1500) == "rSVPin,9,600,2400,30000,1500"
    assert register(3, 64, (600, 2400), 1000.0, 1500) == "rSVI2C,64,3,600,2400,1250,1500"
    assert register(19, 64, (600, 2400), 1000.0, 1500) == "rSVI2C,65,3,600,2400,1250,1500"
    assert identifier(9, None) == "9"
    assert identifier(3, 64) == "643"
    assert identifier(19, 64) == "653"


@pytest.mark.parametrize("speed", [0.0, 1e-9, 1e9, float("inf")])
def test_a_speed_limit_fits_the_boards_integers(speed: float) -> None:
    assert 1 <= int(register(9, None, (600, 2400), speed, 1500).split(",")[4]) <= 32_767


def test_every_error_has_words() -> None:
    for name, words in ERROR_WORDS.items():
        assert words in error_words(f"{name}: 7")
    assert error_words("errNew: 3") == "errNew: 3"


@pytest.mark.parametrize(("text", "address"), [("", 64), ("64", 64), ("0x41", 65), ("x", None), ("200", None)])
def test_addresses(text: str, address: int | None) -> None:
    assert pca9685_address(text) == address
