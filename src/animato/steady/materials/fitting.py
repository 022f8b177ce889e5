"""Young's modulus and damping of a part from a free oscillation of its tip (Fig. 5 of the paper).

The part is let go from a bent rest. Model and record are compared moment by moment, not by their frequencies alone,
and the difference is made small over stiffness, damping, and how the part was held. A rod that swings far does not
swing as fast as one that swings little, and gravity makes an upright one slower: the simulation knows both.

With one visible mode of vibration there is one number of damping: mass damping alpha and stiffness damping beta act
alike, zeta = alpha m' / (2 w) + beta w / 2. Only a second mode tells them apart. So beta alone is fitted where one mode
is seen, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import least_squares

from animato.character import Character
from animato.mechanics.simulation import build_system, solve_statics
from animato.mechanics.simulation.vibration import vibration_modes
from animato.outcome import Iteration, Outcome, Progress, Status
from animato.steady.materials.material_fit import FittedValue, MaterialFit
from animato.steady.materials.oscillation import Oscillation
from animato.steady.materials.second_mode import second_mode_starts
from animato.steady.materials.stand import HELD_SHARE, Guess, Stand, build_stand

_WORTH_IT = 0.8  # of the squares that are left: what a second mode must lower them to


def fit_material(
    character: Character,
    record: Oscillation,
    *,
    part: str | None = None,
    body: str | None = None,
    progress: Progress | None = None,
) -> MaterialFit:
    """Fits Young's modulus and damping of a part to a free oscillation.

    Args:
        character: The stand: a part that is held at one end, its material a first guess, with the mass at its tip.
        record: What was measured at the tip.
        part: Which of its flexible parts; needed where it has several.
        body: What the marker was on; the body at the part's far end where not given.
        progress: Told of every trial.
    """
    setup = build_stand(character, record, part, body)
    count = 0

    def tell() -> None:
        nonlocal count
        count += 1
        if progress is not None:
            progress(Iteration(stage="fitting the material", number=count))

    # the slow swing alone first: with a fast mode on top the fit could lock on to a wrong beat of it
    slow = _fitted(setup, _first_guess(setup), _SLOW, tell, smooth=True)
    plain = _fitted(setup, slow.guess, _SLOW, tell)
    trials = [_fitted(setup, one, _ALL, tell, iterations=8) for one in second_mode_starts(setup, plain.guess)]
    best = min(trials, key=_squares, default=None)
    if best is None or _squares(best) > _WORTH_IT * _squares(plain):
        return _result(setup, plain, False, count)
    return _result(setup, _fitted(setup, best.guess, _ALL, tell), True, count)


@dataclass(frozen=True, eq=False)
class _Fitted:
    """Where a fit ended: values, their errors by name, what is left, and whether it settled."""

    guess: Guess
    errors: dict[str, float]
    left: np.ndarray
    settled: bool


def _squares(found: _Fitted) -> float:
    return float(found.left @ found.left)


_SLOW = ("stiffness", "beta", "hold", "offset", "late")
_ALL = (*_SLOW, "alpha", "second", "second_rate")


def _fitted(
    setup: Stand,
    begin: Guess,
    names: tuple[str, ...],
    tell: Callable[[], None],
    *,
    smooth: bool = False,
    iterations: int = 30,
) -> _Fitted:
    """Makes the difference of model and record small over some of the values."""
    begin = replace(begin, beta=max(begin.beta, 1e-6))  # a start on a bound would stay there
    record = setup.record
    start = np.array([getattr(begin, name) for name in names])
    scales = np.array([_SCALES[name] for name in names])
    scales[names.index("beta")] = max(begin.beta, 1e-5)
    held = record.times < HELD_SHARE / record.frequency_hz  # when exactly it was let go is not known

    def residual(x: np.ndarray) -> np.ndarray:
        tell()
        values = setup.displacement(_with(begin, names, start + (x - 1.0) * scales))
        left = np.where(np.isfinite(values), values - record.values, 1.0)
        left[held] = 0.0
        return _smoothed(left, record) if smooth else left

    # unknowns of about 1, so that steps of differences are a small share of each scale
    lower = 1.0 + (np.array([_LEAST.get(name, -np.inf) for name in names]) - start) / scales
    found = least_squares(
        residual,
        np.maximum(1.0, lower),
        bounds=(lower, np.inf),
        diff_step=1e-4,
        max_nfev=iterations,
        xtol=1e-9,
        ftol=1e-9,
    )
    errors = dict(zip(names, _errors(found.jac, found.fun) * scales, strict=True))
    best = _with(begin, names, start + (found.x - 1.0) * scales)
    return _Fitted(best, errors, found.fun, bool(found.success))


def _smoothed(values: np.ndarray, record: Oscillation) -> np.ndarray:
    """Without what is much faster than the swing."""
    step = float(np.median(np.diff(record.times)))
    window = np.hanning(max(3, int(0.4 / (record.frequency_hz * step))) + 2)
    return np.convolve(values, window / window.sum(), mode="same")


_SCALES = {
    "stiffness": 1.0,
    "beta": 1e-4,
    "hold": 0.1,
    "offset": 1e-3,
    "late": 1e-3,
    "alpha": 0.1,
    "second": 1e-2,
    "second_rate": 1e-2,
}
_LEAST = {"stiffness": 0.02, "beta": 0.0, "alpha": 0.0, "late": -0.05}


def _with(guess: Guess, names: tuple[str, ...], values: np.ndarray) -> Guess:
    return replace(guess, **dict(zip(names, map(float, values), strict=True)))


def _first_guess(setup: Stand) -> Guess:
    """Stiffness by the frequency, damping by the decay, the pull by the first amplitude."""
    record, stiffness = setup.record, 1.0
    wanted = record.frequency_hz
    for _ in range(5):
        system = build_system(setup.made_of(setup.material(Guess(stiffness, 0.0, 0.0))), tracked=(setup.body,))
        held = np.zeros(len(system.motor_names))
        rest = solve_statics(system, held)
        frequency = float(vibration_modes(system, held, rest.u[0], rest.lam[0], count=1).frequencies_hz[0])
        stiffness *= float(np.clip((wanted / max(frequency, 1e-3)) ** 2, 0.2, 5.0))
    decay = _decay_rate(record)
    guess = Guess(stiffness, 2.0 * decay / (2.0 * np.pi * wanted) ** 2, 0.05)
    for _ in range(4):
        there = float(setup.displacement(guess)[0])
        guess = replace(guess, hold=guess.hold * float(np.clip(record.values[0] / max(there, 1e-9), 0.2, 5.0)))
    return guess


def _decay_rate(record: Oscillation) -> float:
    """Of the envelope [1/s], by a line through the logarithms of the largest value of each period."""
    periods = (record.times * record.frequency_hz).astype(int)
    tall = np.array([np.abs(record.values[periods == n]).max() for n in range(int(periods[-1]))])
    good = tall > 0.05 * tall.max(initial=0.0)
    if good.sum() < 3:
        return 0.0
    moments = np.flatnonzero(good) / record.frequency_hz
    return max(0.0, -float(np.polyfit(moments, np.log(tall[good]), 1)[0]))


def _errors(jacobian: np.ndarray, residual: np.ndarray) -> np.ndarray:
    """One standard deviation of each unknown; residuals that follow one another count as fewer."""
    count = len(residual) - jacobian.shape[1]
    variance = float(residual @ residual) / max(count, 1)
    together = float(residual[1:] @ residual[:-1]) / max(float(residual @ residual), 1e-300)
    together = min(max(together, 0.0), 0.98)
    normal = np.linalg.pinv(jacobian.T @ jacobian)
    return np.sqrt(np.maximum(np.diag(normal), 0.0) * variance * (1.0 + together) / (1.0 - together))


def _result(setup: Stand, found: _Fitted, two: bool, trials: int) -> MaterialFit:
    best, errors, own, notes = found.guess, found.errors, setup.part.material.youngs_modulus, []
    if not two:
        notes.append(
            "One mode of vibration is seen, so mass damping and stiffness damping cannot be told apart: all damping is "
            "given as stiffness damping. A record that shows a second mode, as after a knock, tells them apart."
        )
    reason = "model and record agree as well as they can" if found.settled else "the fit did not settle"
    return MaterialFit(
        setup.made_of(setup.material(best)),
        setup.part.name,
        setup.record,
        setup.material(best),
        FittedValue(best.stiffness * own, errors["stiffness"] * own),
        FittedValue(max(best.alpha, 0.0), errors.get("alpha", float("nan"))),
        FittedValue(max(best.beta, 0.0), errors["beta"]),
        setup.displacement(best),
        _decay_rate(setup.record) / (2.0 * np.pi * setup.record.frequency_hz),
        Outcome(Status.SOLVED if found.settled else Status.OUT_OF_ITERATIONS, reason, trials),
        tuple(notes),
    )
