"""Materials from free oscillations of the tip of a rod whose material is known."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.errors import MotionError
from animato.mechanics.simulation import State, build_system, integrate, solve_statics
from animato.steady.materials import MaterialFit, Oscillation, fit_material, oscillation_from_motion
from tests.html_pages import assert_whole

RATE = 240.0
STIFFER, BETA = 1.07, 1.5e-4


def released(character: an.Character, *, pull: float, seconds: float) -> np.ndarray:
    """Places of the ball of `rod` after it has been pulled sideways and let go, [frame, 3]."""
    system = build_system(character, tracked=("ball",))
    pulled = replace(character, gravity=(0.0, pull * 9.81, -9.81))
    bent = solve_statics(build_system(pulled, tracked=("ball",)), [0.0])
    steps = int(seconds * 1000.0)
    run = integrate(system, np.zeros((steps + 1, 3, 1)), 1e-3, start=State(bent.u[0], 0.0 * bent.u[0], bent.lam[0]))
    frames = np.arange(int(seconds * RATE)) / RATE
    return np.column_stack([np.interp(frames, run.times, column) for column in run.points[:, 0].T])


@pytest.fixture(scope="module")
def recorded() -> an.MarkerMotion:
    """A rod that is stiffer than the file says, held for a while and let go, with noise of half a millimetre."""
    rod = an.load_character("rod")
    (part,) = rod.flexible_parts
    material = replace(
        part.material, youngs_modulus=STIFFER * part.material.youngs_modulus, stiffness_damping=BETA, mass_damping=0.0
    )
    free = released(replace(rod, flexible_parts=(replace(part, material=material),)), pull=0.4, seconds=2.5)
    places = np.concatenate([np.repeat(free[:1], 30, axis=0), free])
    places += np.random.default_rng(0).normal(size=places.shape) * 5e-4
    still = np.tile([1.0, 2.0, 3.0], (len(places), 1))
    return an.MarkerMotion(np.arange(len(places)) / RATE, ("bench", "tip"), np.stack([still, places], axis=1))


@pytest.fixture(scope="module")
def fit(recorded: an.MarkerMotion) -> MaterialFit:
    return fit_material(an.load_character("rod"), oscillation_from_motion(recorded))


def test_the_record_is_found(recorded: an.MarkerMotion) -> None:
    swing = oscillation_from_motion(recorded)
    assert abs(swing.direction[1]) > 0.99  # sideways, and the marker that moves
    assert swing.times[-1] == pytest.approx(2.5, abs=0.05)
    assert swing.values[0] > 0.02


def test_stiffness_and_damping_come_back(fit: MaterialFit) -> None:
    own = an.load_character("rod").flexible_parts[0].material.youngs_modulus
    assert fit.outcome.usable
    assert fit.youngs_modulus.value / own == pytest.approx(STIFFER, rel=3e-3)
    assert abs(fit.youngs_modulus.value / own - STIFFER) < 6.0 * fit.youngs_modulus.error / own
    assert fit.stiffness_damping.value == pytest.approx(BETA, rel=0.15)
    assert fit.rms_m < 7e-4


def test_one_mode_cannot_tell_two_kinds_of_damping(fit: MaterialFit) -> None:
    assert fit.mass_damping.value == 0.0
    assert np.isnan(fit.mass_damping.error)
    assert "cannot be told apart" in fit.notes[0]


def test_its_page(fit: MaterialFit, tmp_path: Path) -> None:
    page = fit.save_page(tmp_path / "fit.html").read_text()
    assert_whole(page)
    assert "GPa" in page


def test_what_does_not_swing_is_refused() -> None:
    times = np.arange(100) / RATE
    with pytest.raises(MotionError, match="swing"):
        oscillation_from_motion(an.Clip(times, ("x",), np.exp(-times)[:, None]))
    with pytest.raises(MotionError, match="frames"):
        oscillation_from_motion(an.Clip(times[:10], ("x",), times[:10, None]))
    assert Oscillation(times, np.cos(60.0 * times), np.array([1.0, 0.0, 0.0])).frequency_hz == pytest.approx(
        9.55, rel=0.05
    )
