from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

FILE = Path(__file__).parents[2] / "examples" / "play_lamp.py"


def test_the_lamp_plays_on_emulated_servos_without_a_jump() -> None:
    spec = importlib.util.spec_from_file_location("play_lamp", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    performance, frames = module.main()
    if performance.fault is not None and performance.fault.kind.value in ("silent", "late"):
        pytest.skip(f"the machine was too busy for emulated servos: {performance.fault.what}")
    assert performance.outcome.usable
    whole = [goals for _, goals in frames if len(goals) == 5]
    goals = np.array([[one[id] for id in range(1, 6)] for one in whole])
    assert goals[0].tolist() == [2200.0, 1900.0, 2300.0, 2048.0, 2048.0]  # from where they stood
    assert np.abs(np.diff(goals, axis=0)).max() <= 40.0  # counts a frame: 6 rad/s, which the fastest servo may
    told = np.round(np.vstack([one.told for one in performance.reports]))
    assert np.array_equal(goals[-len(told) :], told)
