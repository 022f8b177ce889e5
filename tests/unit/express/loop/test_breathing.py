"""The idle layer comes and goes while a loop runs."""

from __future__ import annotations

import numpy as np
import pytest

from animato.express import Loop, Options, build


def positions(loop: Loop, frames: int) -> np.ndarray:
    return np.array([loop.step().positions for _ in range(frames)])


@pytest.mark.parametrize("idle", [False, True])
def test_it_comes_and_goes_without_a_jump(idle: bool) -> None:
    loop = Loop(build("skeleton_g", "curious", options=Options(rate_hz=100.0, idle=idle)), record=True)
    loop.submit([1.0, 0.3, 1.0])
    still = positions(loop, 400)[-1]
    assert loop.breathe(True)
    breathing = positions(loop, 800)
    assert np.ptp(breathing[400:], axis=0).max() > 0.01
    assert loop.breathe(False)
    gone = positions(loop, 600)
    assert np.ptp(gone[-100:], axis=0).max() < 1e-3
    if not idle:
        np.testing.assert_allclose(gone[-1], still, atol=2e-3)
    assert max(loop.report().limit_share.values()) <= 1.0 + 1e-9 and not loop.report().warnings


def test_what_cannot_breathe_says_so() -> None:
    loop = Loop(build("torso29", "address", options=Options(end_point="head", also_facing=("left_hand",))))
    assert not loop.breathe(True) and loop.step().warnings == ("bad idle",)
    assert loop.breathe(False)
