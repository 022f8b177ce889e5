"""Whether a record shows a second mode of vibration, and how a fit with it begins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.errors import MotionError
from animato.mechanics.simulation import build_system, solve_statics
from animato.steady.materials.stand import HELD_SHARE, Guess, Stand

_LEAST_FRAMES = 20
_SECOND_SEEN = 0.02  # share of the first mode's amplitude from which on a second mode counts as seen


def second_mode_starts(setup: Stand, guess: Guess) -> list[Guess]:
    """Guesses with a second mode, where the record shows one.

    The swing does not tell to a fraction of the fast period when it was let go, so that moments around it are tried.
    """
    record = setup.record
    system = build_system(setup.made_of(setup.material(guess)), tracked=(setup.body,))
    held = np.zeros(len(system.motor_names))
    rest = solve_statics(system, held)
    try:
        _, rate = setup.second_mode(system, held, rest.u[0], rest.lam[0])
    except MotionError:
        return []
    if rate * float(np.median(np.diff(record.times))) > 0.5 * np.pi:
        return []  # too few frames a period to see it
    period = 2.0 * np.pi / rate
    tried = (replace(guess, late=guess.late + shift * period) for shift in (0.0, 1.0 / 3.0, -1.0 / 3.0))
    found = [_with_second(setup, one, rate) for one in tried]
    return [one for one in found if one is not None]


def _with_second(setup: Stand, guess: Guess, rate: float) -> Guess | None:
    """A guess with displacement and velocity of the second mode that what is left early shows; None without it."""
    record = setup.record
    # high modes die first, so that they are looked for early
    early = record.times < max(3.0 / record.frequency_hz, 0.2 * record.times[-1])
    early &= record.times > HELD_SHARE / record.frequency_hz
    left = (record.values - setup.displacement(guess))[early]
    if not np.all(np.isfinite(left)) or early.sum() < _LEAST_FRAMES:
        return None
    times = record.times[early] + guess.late
    fall = np.exp(-0.5 * guess.beta * rate**2 * times)
    slow = 2.0 * np.pi * record.frequency_hz
    waves = np.column_stack(
        [fall * np.cos(rate * times), fall * np.sin(rate * times), np.cos(slow * times), np.sin(slow * times)]
    )
    amounts = np.linalg.lstsq(waves, left, rcond=None)[0]
    noise = float(np.std(left - waves @ amounts))
    seen = float(np.hypot(amounts[0], amounts[1]))
    if seen < _SECOND_SEEN * record.values[0] or seen < 6.0 * noise / np.sqrt(early.sum()):
        return None
    return replace(guess, alpha=0.05, second=float(amounts[0]), second_rate=float(amounts[1]))
