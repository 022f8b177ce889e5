"""Input shapers against what they are known for."""

import numpy as np
import pytest

import animato as an
from animato.errors import OptionError
from animato.steady.baselines import shaped, shaper, slowed


def residual(made: an.steady.Shaper, frequency_hz: float, damping: float = 0.0) -> float:
    """Vibration that is left after the last impulse, as a share of that of one impulse."""
    w = 2.0 * np.pi * frequency_hz
    times, shares = np.array(made.delays), np.array(made.shares)
    late = made.length - times
    return abs(np.sum(shares * np.exp(-damping * w * late + 1j * w * np.sqrt(1.0 - damping**2) * late)))


@pytest.mark.parametrize("damping", [0.0, 0.05, 0.2])
@pytest.mark.parametrize("kind", ["zv", "zvd"])
def test_no_vibration_is_left_at_the_frequency(kind: str, damping: float) -> None:
    made = shaper(kind, 2.0, damping)  # type: ignore[arg-type]
    assert sum(made.shares) == pytest.approx(1.0)
    assert residual(made, 2.0, damping) < 1e-12


def test_robustness_grows_from_zv_to_ei() -> None:
    off = [residual(shaper(kind, 2.0), 2.0 * 1.12) for kind in ("zv", "zvd", "ei")]  # type: ignore[arg-type]
    assert off[0] > 0.15
    assert 0.05 > off[1] > off[2]
    assert residual(shaper("ei", 2.0), 2.0) == pytest.approx(0.05)


def test_two_modes_and_advance() -> None:
    times = np.linspace(0.0, 2.0, 201)
    clip = an.Clip(times, ("m",), np.clip((times - 0.5) / 0.3, 0.0, 1.0)[:, None])
    made = shaped(clip, [(2.0, 0.0), (5.0, 0.0)], "zv")
    assert made.times[0] == pytest.approx(-0.5 * (0.25 + 0.1))
    assert made.positions[-1, 0] == pytest.approx(1.0)
    middle = made.times[np.argmin(np.abs(made.positions[:, 0] - 0.5))]
    assert middle == pytest.approx(0.65, abs=0.02)  # neither late nor early


def test_slowed_and_wrong_input() -> None:
    clip = an.Clip(np.array([0.0, 1.0]), ("m",), np.array([[0.0], [1.0]]))
    assert slowed(clip, 3.0).duration == 3.0
    for call in (lambda: slowed(clip, 0.5), lambda: shaper("zv", 0.0), lambda: shaper("zz", 1.0)):  # type: ignore[arg-type]
        with pytest.raises(OptionError):
            call()
