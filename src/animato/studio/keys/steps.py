"""From key to key: speeds at which keys are passed, and the way between two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from scipy.interpolate import CubicSpline

from animato.studio.keys.ease import CURVED, Ease, eased_share


@dataclass(frozen=True, eq=False)
class Steps:
    """Ways from key to key, of values that can be added, and the speeds at which each key is passed.

    A key that is passed has the harmonic mean of the mean speeds before and after it, and rests in what turns round
    there, so that nothing goes beyond the keys; its acceleration is the lesser one of the two cubic curves that meet
    in it, so that it has no jump. Keys that flow are passed as the cubic spline through all of them does, which has
    the least bend of all curves and may go beyond a key.

    Attributes:
        eases: How each key is reached; that of the first one does not count. Shape [key].
        times: Of the keys [s], shape [key].
        steps: From key to key, shape [key - 1, channel].
        speeds: At the keys [1/s], shape [key, channel].
        accelerations: At the keys [1/s^2], shape [key, channel].
    """

    eases: tuple[Ease, ...]
    times: np.ndarray
    steps: np.ndarray
    speeds: np.ndarray
    accelerations: np.ndarray

    def ways(self, times: np.ndarray, numbers: np.ndarray, last_speeds: np.ndarray | None = None) -> np.ndarray:
        """What is done of a step at times within it, shape [time, channel].

        Args:
            times: [s], shape [time].
            numbers: Of the step that each time is in, shape [time].
            last_speeds: At the end of each step in place of `speeds`, where values at the end are of another kind than
                those at the beginning, shape [key - 1, channel].
        """
        durations = np.diff(self.times)
        share = np.clip((times - self.times[numbers]) / durations[numbers], 0.0, 1.0)
        c1, c2, c3, c4, c5 = (one[numbers] for one in self._quintics(durations[:, None], last_speeds))
        s = share[:, None]
        found: np.ndarray = s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))))
        reached = np.array([list(Ease).index(ease) for ease in self.eases[1:]])[numbers]
        for number, ease in enumerate(Ease):
            here = np.flatnonzero(reached == number) if ease not in CURVED else ()
            if len(here):
                own = numbers[here]
                found[here] = eased_share(ease, share[here], durations[own])[:, None] * self.steps[own]
        return found

    def _quintics(self, durations: np.ndarray, last_speeds: np.ndarray | None) -> tuple[np.ndarray, ...]:
        """Of each step the one polynomial of degree five with the speeds and accelerations at its ends.

        Coefficients of the first to the fifth power of the share of time, each shape [key - 1, channel].
        """
        step = self.steps
        v0, v1 = durations * self.speeds[:-1], durations * (self.speeds[1:] if last_speeds is None else last_speeds)
        a0, a1 = durations**2 * self.accelerations[:-1], durations**2 * self.accelerations[1:]
        c3 = 10.0 * step - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1
        c4 = -15.0 * step + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1
        c5 = 6.0 * step - 3.0 * v0 - 3.0 * v1 - 0.5 * a0 + 0.5 * a1
        return v0, 0.5 * a0, c3, c4, c5


def steps_between(times: np.ndarray, eases: Sequence[Ease], steps: np.ndarray) -> Steps:
    """The speeds at which keys are passed.

    Args:
        times: Of the keys, rising [s], shape [key].
        eases: How each is reached, shape [key].
        steps: From key to key, shape [key - 1, channel].
    """
    speeds = np.zeros((len(times), steps.shape[1]))
    accelerations = np.zeros_like(speeds)
    passed = [n for n in range(1, len(times) - 1) if eases[n] is Ease.THROUGH and eases[n + 1] in CURVED]
    if passed:
        _pass(np.array(passed), np.diff(times)[:, None], steps, speeds, accelerations)
    flowing = [n for n in range(1, len(times) - 1) if eases[n] is Ease.FLOW and eases[n + 1] in CURVED]
    for _, together in groupby(enumerate(flowing), key=lambda pair: pair[1] - pair[0]):
        run = [n for _, n in together]
        around = slice(run[0] - 1, run[-1] + 2)
        places = np.vstack([np.zeros(steps.shape[1]), np.cumsum(steps[run[0] - 1 : run[-1] + 1], axis=0)])
        ends = ((1, speeds[run[0] - 1]), (1, speeds[run[-1] + 1]))
        spline = CubicSpline(times[around], places, bc_type=ends)
        speeds[run], accelerations[run] = spline(times[run], 1), spline(times[run], 2)
    return Steps(tuple(eases), times, steps, speeds, accelerations)


def _pass(
    inner: np.ndarray, durations: np.ndarray, steps: np.ndarray, speeds: np.ndarray, accelerations: np.ndarray
) -> None:
    """Fills in speeds and accelerations of keys that are passed without going beyond any.

    Args:
        inner: Numbers of the keys, shape [passed].
        durations: Of the steps [s], shape [key - 1, 1].
        steps: Shape [key - 1, channel].
        speeds: Shape [key, channel]; filled in.
        accelerations: Shape [key, channel]; filled in.
    """
    means = steps / durations
    before, after = means[inner - 1], means[inner]
    product = before * after
    with np.errstate(divide="ignore", invalid="ignore"):
        speeds[inner] = np.where(product > 0.0, 2.0 * product / (before + after), 0.0)
    left = (2.0 * speeds[inner - 1] + 4.0 * speeds[inner] - 6.0 * before) / durations[inner - 1]
    right = (6.0 * after - 4.0 * speeds[inner] - 2.0 * speeds[inner + 1]) / durations[inner]
    lesser = np.where(np.abs(left) < np.abs(right), left, right)
    accelerations[inner] = np.where(left * right > 0.0, lesser, 0.0)
