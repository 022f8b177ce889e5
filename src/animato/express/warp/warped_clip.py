"""Animation warping: a whole clip performed while an end-point faces a moving target, live.

Ribeiro and Paiva (Expressive Inverse Kinematics Solving in Real-time for Virtual and Robotic Interactive
Characters, 2019) leave it to the future, for want of speed. The method is in docs/express-beyond.md.

A loop with a clip underneath does more: points, several end-points, postures that change, and it faces better behind
the motion filter (the lamp in `lamp_look` that faces ahead: 0.06 degrees off in the mean, and 0.7 here). But it holds
the posture as the paper measures it, which twists do not count in, and moves gently: a clip that faces already does not
come out as it was there (skeleton G: joints 0.3 rad away in the mean), and here it does. So both are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.errors import MotionError, OptionError
from animato.express.facing import ErrorWeights, FacingErrors, Roll, facing_errors
from animato.express.filter import TIME_OPTIMAL
from animato.express.warp.following import SETTLE_S
from animato.express.warp.warper import Warper
from animato.mechanics.tree import Chain
from animato.motion import Clip, frozen_array
from animato.spatial import quaternions

Targets = ArrayLike | Callable[[float], ArrayLike]
"""Orientations wxyz in the world: one a frame [frame, 4], one for all [4], or a function of time [s]."""


@dataclass(frozen=True, eq=False)
class Warped:
    """A clip that faces.

    Attributes:
        clip: What to perform; joints that are not in the chain move as before.
        errors: Of each frame of it, against the clip it was made of.
        targets_wxyz: Orientations that were asked for, in the world, [frame, 4].
        wanted: Positions of the chain before the motion filter [rad or m], [frame, n]; as performed without one.
        chain: The joints that were warped, and the end-point.
    """

    clip: Clip
    errors: FacingErrors
    targets_wxyz: np.ndarray
    wanted: np.ndarray
    chain: Chain


def warp_clip(
    character: Character,
    clip: Clip,
    end_point: str,
    targets_wxyz: Targets,
    *,
    rate_hz: float | None = None,
    filter: bool = True,
    smoothness: ArrayLike = TIME_OPTIMAL,
    responsiveness: ArrayLike | None = None,
    settle_s: float = SETTLE_S,
    roll: Roll = "exact",
    weights: ErrorWeights | None = None,
) -> Warped:
    """Warps a whole clip so that an end-point faces targets.

    Without a filter, a clip whose end-point already faces them comes back as it was, as far as it is within limits.

    Args:
        character: Whose clip it is.
        clip: Its frames are the postures to hold.
        end_point: What faces.
        targets_wxyz: Orientations in the world: one a frame [frame, 4], one for all [4], or a function of time [s].
        rate_hz: Of the frames of the result [Hz]; the clip's own frames where not given.
        filter: Whether the chain passes the motion filter. It needs frames at one rate.
        smoothness: As for `Warper`.
        responsiveness: As for `Warper`.
        settle_s: As for `Warper`.
        roll: As for `Warper`.
        weights: As for `Warper`.

    Raises:
        UnknownNameError: The clip names a coordinate, or you an end-point, that the character does not have.
        MotionError: Targets do not fit the frames, or the filter meets frames at no one rate.
    """
    times = _frame_times(clip, rate_hz, even=filter)
    rate = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else 1.0
    source = clip if rate_hz is None else clip.resampled(times)
    targets = _targets(targets_wxyz, times)
    warper = Warper(
        character,
        source,
        end_point,
        rate_hz=rate,
        filter=filter,
        smoothness=smoothness,
        responsiveness=responsiveness,
        settle_s=settle_s,
        roll=roll,
        weights=weights,
    )
    return _performed(warper, source, targets)


def _performed(warper: Warper, source: Clip, targets: np.ndarray) -> Warped:
    """Every frame of a clip, warped to face its target, wxyz, [frame, 4]."""
    times, end_point = source.times, warper.chain.end_point.name
    rows, wanted = np.empty((len(times), len(warper.names))), np.empty((len(times), len(warper.chain.names)))
    for n, time in enumerate(times):
        rows[n] = warper.step(time, targets[n])
        wanted[n] = warper.wanted
    columns = [warper.names.index(name) for name in warper.chain.names]
    others = [n for n, name in enumerate(source.names) if name not in warper.chain.names]
    rows[:, others] = source.positions[:, others]  # to the bit; the spline passes them to rounding only
    seen = np.array([warper.in_base(target, time) for target, time in zip(targets, times, strict=True)])
    errors = facing_errors(
        warper.chain,
        rows[:, columns],
        warper.unwarped(times)[:, columns],
        seen,
        warper.weights,
        roll_tolerance=warper.roll_tolerance,
    )
    warped = Clip(
        times,
        warper.names,
        rows,
        source.base_positions,
        source.base_quaternions_wxyz,
        f"{source.source or 'a clip'}, warped to face with {end_point}",
    )
    return Warped(warped, errors, targets, wanted, warper.chain)


def _frame_times(clip: Clip, rate_hz: float | None, *, even: bool) -> np.ndarray:
    """Times of the frames of the result [s]."""
    if rate_hz is not None:
        if not (np.isfinite(rate_hz) and rate_hz > 0.0):
            raise OptionError(f"`rate_hz` must be a number greater than 0, not {rate_hz}.")
        count = int(np.floor(clip.duration * rate_hz + 1e-9)) + 1
        return np.asarray(clip.times[0] + np.arange(count) / rate_hz)
    steps = np.diff(clip.times)
    if even and len(steps) and np.ptp(steps) > 1e-3 * steps.mean():
        raise MotionError(
            f"The motion filter needs frames at one rate, and those of the clip are {steps.min():.6g} to "
            f"{steps.max():.6g} s apart. Give `rate_hz`, or switch the `filter` off."
        )
    return clip.times


def _targets(targets_wxyz: Targets, times: np.ndarray) -> np.ndarray:
    """Unit quaternions, one a frame."""
    if callable(targets_wxyz):
        array = np.array([targets_wxyz(float(time)) for time in times], dtype=np.float64)
    else:
        array = np.asarray(targets_wxyz, dtype=np.float64)
    array = frozen_array(np.tile(array, (len(times), 1)) if array.ndim == 1 else array, (len(times), 4), "The targets")
    if np.linalg.norm(array, axis=1).min() < 1e-9:
        raise MotionError("The targets must be quaternions (w, x, y, z) of unit length; one of them has no length.")
    return quaternions.normalized(array)
