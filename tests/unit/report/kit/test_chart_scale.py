from __future__ import annotations

import numpy as np
import pytest

from animato.report.kit.scale import Scale, peak_keeping, round_ticks, tick_text


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 4.0, [0, 1, 2, 3, 4]),
        (-0.07, 0.07, [-0.05, 0.0, 0.05]),
        (-500.0, 420.0, [-400, -200, 0, 200, 400]),
        (3.0, 3.0, [3.0]),
        (-45.0, 60.0, [-40, -20, 0, 20, 40, 60]),
        (0.9, 1.9, [1.0, 1.2, 1.4, 1.6, 1.8]),
        (0.0, 3600.0, [0, 1000, 2000, 3000]),
    ],
)
def test_ticks_are_round_and_inside(low, high, expected) -> None:
    assert np.allclose(round_ticks(low, high, 5), expected, atol=1e-12)


def test_tick_texts() -> None:
    ticks = round_ticks(-0.1, 0.1, 4)
    assert [tick_text(tick, ticks) for tick in ticks] == ["-0.10", "-0.05", "0.00", "0.05", "0.10"]
    assert [tick_text(tick, [0.0, 500.0]) for tick in (0.0, 500.0)] == ["0", "500"]
    assert tick_text(-0.0, [-0.0, 1.0]) == "0"
    assert tick_text(3.0, [3.0]) == "3"
    assert [tick_text(tick, [-1e6, 0.0, 1e6]) for tick in (-1e6, 0.0, 1e6)] == ["-1M", "0", "1M"]
    assert [tick_text(tick, [0.0, 5000.0, 1e4]) for tick in (0.0, 5000.0, 1e4)] == ["0", "5k", "10k"]


def test_scale_holds_what_is_beyond_its_ends() -> None:
    scale = Scale(0.0, 10.0, 100.0, 0.0)
    assert np.allclose(scale(np.array([0.0, 5.0, 10.0])), [100.0, 50.0, 0.0], atol=1e-12)
    assert np.allclose(scale(np.array([-np.inf, np.inf])), [105.0, -5.0], atol=1e-12)
    assert float(Scale(1.0, 1.0, 0.0, 10.0)(1.0)) == 5.0


def test_thinned_curves_keep_their_peaks(rng) -> None:
    values = rng.normal(size=10_007)
    values[[17, 5555, 10_006]] = 50.0, -60.0, 40.0
    chosen = peak_keeping(values, 600, keep=(1234,))
    assert len(chosen) < 700 and np.all(np.diff(chosen) > 0)
    assert {0, 17, 1234, 5555, 10_006} <= set(chosen.tolist())
    assert np.array_equal(peak_keeping(values[:100], 600), np.arange(100))
