"""The cheer that the demo fixes: too much as it is, and on its feet."""

from __future__ import annotations

import animato as an
from animato.gallery.fix import pico_cheer


def test_the_cheer_asks_for_too_much_and_stands() -> None:
    pico = an.load_character("pico")
    result = an.check(pico, pico_cheer(pico))
    assert len(result.findings) >= 8
    assert {one.kind for one in result.findings} >= {"position", "velocity", "acceleration", "torque"}
    assert result.balance is not None and not result.tips
