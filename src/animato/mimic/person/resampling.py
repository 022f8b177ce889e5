"""A person at other times."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError
from animato.mimic.person.person import Person
from animato.motion import rising_times
from animato.spatial.cubic_spline import interpolate

_SAME_TIME_S = 1e-7  # times nearer than this to a frame are that frame; files round them


def resampled(person: Person, times: ArrayLike) -> Person:
    """The person at other times, on a cubic spline through the landmarks; at a frame's time exactly that frame.

    Args:
        person: Whom to resample.
        times: Strictly rising, inside the person's own [s], shape [frame].

    Raises:
        MotionError: The times do not rise, or lie outside.
    """
    wanted = rising_times(times, "a resampled person")
    first, last = float(person.times[0]), float(person.times[-1])
    if wanted[0] < first - _SAME_TIME_S or wanted[-1] > last + _SAME_TIME_S:
        raise MotionError(
            f"A person can only be resampled between {first:.6g} s and {last:.6g} s, where it was captured; "
            f"given {wanted[0]:.6g} s to {wanted[-1]:.6g} s."
        )
    flat = person.positions.reshape(len(person.times), -1)
    values = interpolate(person.times, flat)(np.clip(wanted, first, last))
    right = np.clip(np.searchsorted(person.times, wanted), 1, len(person.times) - 1)
    nearest = np.where(wanted - person.times[right - 1] < person.times[right] - wanted, right - 1, right)
    same = np.abs(person.times[nearest] - wanted) <= _SAME_TIME_S
    values[same] = flat[nearest[same]]
    return dataclasses.replace(person, times=wanted, positions=values.reshape(len(wanted), -1, 3))
