"""The motion filter: set-points at any rate in, commands at a fixed rate and inside all limits out.

It takes the place of the filter of Ribeiro and Paiva (Expressive Inverse Kinematics Solving in Real-time
for Virtual and Robotic Interactive Characters, 2019), Section 3.7, whose equation 23 runs away as printed.
Smoothness, responsiveness, softness, haste and overshoot are its character parameters. The derivation is in
docs/express-filter.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Limits
from animato.errors import MotionError
from animato.express.filter.arrays import (
    ACCELERATION,
    GOAL_ACCELERATION,
    GOAL_JERK,
    HELD,
    JERK,
    LOWER,
    POINT,
    STEP,
    UPPER,
    FilterManner,
    build_settings,
    resting_state,
)
from animato.express.filter.kernel import filter_frames, filter_step
from animato.express.filter.safety import stays_inside
from animato.motion import frozen_array


class MotionFilter:
    """Follows set-points, one a joint, so that position, velocity, acceleration and jerk limits always hold.

    Commands are samples of a motion with constant jerk from each to the next: the cubic spline through
    them keeps every limit at every moment, not at the samples only. A set-point that stands is reached
    in the least time that limits and sampling allow, and without overshoot.

    Joints are at rest at 0, or at the position of their range next to it, until `reset`.

    Args:
        limits: One a joint. What is None is not limited; a position limit holds as a limit, not as an error.
        rate_hz: Of the commands [Hz].
        smoothness: From 0 to 1, one number or one a joint. Set-points are eased over half a second times
            this, so that oscillation and noise fade, and starts and stops take 1 to 3 times as long, with
            so much less acceleration and jerk. At 0, where not given, it is time-optimal.
        responsiveness: From 0 to 1, one number or one a joint. The share of the set-points' velocity that
            is anticipated: at 1, where not given, a steadily moving target is followed without lag, but one
            that stops suddenly is passed by the way that braking takes; at 0 no set-point is ever passed.
        softness: From 0 to 1, one number or one a joint. How early a joint slows down on its way to an end of
            its range: 1 / beta of the paper. At 0, where not given, ends are hard.
        haste: From 0 to 1, one number or one a joint. The share of the easing that is left out again, rho of
            the paper: the motion stays soft, but comes sooner. 0 where not given.
        overshoot: From 0 to 0.9, one number or one a joint. The share of a way by which its end is passed
            before the joint comes back and settles. At 0, where not given, a standing set-point is never passed.

    Attributes:
        limits: As given.
        rate_hz: As given.
    """

    def __init__(
        self,
        limits: Sequence[Limits],
        rate_hz: float,
        *,
        smoothness: ArrayLike | None = None,
        responsiveness: ArrayLike | None = None,
        softness: ArrayLike | None = None,
        haste: ArrayLike | None = None,
        overshoot: ArrayLike | None = None,
    ) -> None:
        self._manner = _changed(FilterManner(), smoothness, responsiveness, softness, haste, overshoot)
        self._settings = build_settings(limits, rate_hz, self._manner)
        self.limits = tuple(limits)
        self.rate_hz = float(rate_hz)
        self._commands = np.zeros((3, len(self.limits)))
        self.reset(np.clip(0.0, self._settings.joints[:, LOWER], self._settings.joints[:, UPPER]))

    @property
    def manner(self) -> FilterManner:
        """The character parameters, as given or as tuned since."""
        return self._manner

    @property
    def joint_count(self) -> int:
        """How many joints it moves."""
        return len(self.limits)

    @property
    def positions(self) -> np.ndarray:
        """The last command [rad or m], [joint]."""
        return self._commands[0].copy()

    @property
    def velocities(self) -> np.ndarray:
        """Those of the last command [rad/s or m/s], [joint]."""
        return self._commands[1].copy()

    @property
    def accelerations(self) -> np.ndarray:
        """Those of the last command [rad/s^2 or m/s^2], [joint]."""
        return self._commands[2].copy()

    @property
    def held(self) -> np.ndarray:
        """Whether the last set-point was not a finite number, so that the one before it holds, [joint]."""
        return self._state.joints[:, HELD] == 1.0

    def tune(
        self,
        *,
        smoothness: ArrayLike | None = None,
        responsiveness: ArrayLike | None = None,
        softness: ArrayLike | None = None,
        haste: ArrayLike | None = None,
        overshoot: ArrayLike | None = None,
    ) -> None:
        """Changes the character while joints move; what is not given stays as it is.

        Nothing jumps: positions, velocities and accelerations go on from where they are. A joint that is in faster
        motion than its new smoothness allows takes it on step by step while it slows down. Call it from where `step`
        is called.

        Raises:
            OptionError: A value is not allowed; nothing has changed then.
        """
        manner = _changed(self._manner, smoothness, responsiveness, softness, haste, overshoot)
        settings = build_settings(self.limits, self.rate_hz, manner)
        for column in (ACCELERATION, JERK):  # what holds now: the kernel brings it to the new goals
            settings.joints[:, column] = self._settings.joints[:, column]
        self._manner, self._settings = manner, settings

    def reset(self, positions: ArrayLike, velocities: ArrayLike | None = None) -> None:
        """Starts anew from where the joints are; the next command comes one sample later.

        Args:
            positions: [rad or m], [joint]; inside the limits.
            velocities: [rad/s or m/s], [joint]; zero if not given. Each must let its joint stop in its range.
        """
        here = frozen_array(positions, (self.joint_count,), "The positions to start from")
        speed = frozen_array(
            np.zeros(self.joint_count) if velocities is None else velocities,
            (self.joint_count,),
            "The velocities to start from",
        )
        settings, steps = self._settings, speed / self.rate_hz
        settings.joints[:, ACCELERATION] = settings.joints[:, GOAL_ACCELERATION]
        settings.joints[:, JERK] = settings.joints[:, GOAL_JERK]
        for i, one in enumerate(self.limits):
            low, high = one.range
            if not low <= here[i] <= high:
                raise MotionError(
                    f"Joint {i} cannot start at {here[i]:.6g}: its range is {low:.6g} to {high:.6g}. "
                    "Start inside it, or widen the limits."
                )
            if one.velocity is not None and abs(speed[i]) > one.velocity:
                raise MotionError(
                    f"Joint {i} cannot start at velocity {speed[i]:.6g}: its limit is {one.velocity:.6g}. Start slower."
                )
            if steps[i] != 0.0 and not stays_inside(settings.joints[i], here[i] + steps[i], steps[i], 0.0):
                raise MotionError(
                    f"Joint {i} at {here[i]:.6g} with velocity {speed[i]:.6g} cannot stop before the end of its "
                    f"range, {low:.6g} to {high:.6g}. Start slower or further away."
                )
        self._state = resting_state(settings, here)
        self._state.joints[:, POINT] += steps
        self._state.joints[:, STEP] = steps
        self._commands[:] = here, speed, np.zeros(self.joint_count)

    def step(self, set_points: ArrayLike) -> np.ndarray:
        """Makes the next command.

        Never raises on values: a set-point outside the range is brought to its edge, one that is not a
        finite number leaves the last good one in place, and `held` says so.

        Args:
            set_points: The newest ones, the same again until there are new ones [rad or m], [joint].

        Returns:
            Positions to send [rad or m], [joint].
        """
        newest = _numbers(set_points)
        if newest.shape != (self.joint_count,):
            raise MotionError(f"There must be {self.joint_count} set-points, one a joint, not shape {newest.shape}.")
        filter_step(self._settings, self._state, newest, self.rate_hz, self._commands)
        return self.positions


def _changed(manner: FilterManner, *values: ArrayLike | None) -> FilterManner:
    """A manner with some of its values replaced."""
    given = zip(manner._fields, values, strict=True)
    return manner._replace(**{word: value for word, value in given if value is not None})


def _numbers(set_points: ArrayLike) -> np.ndarray:
    """Set-points as an array, finite or not."""
    try:
        return np.ascontiguousarray(set_points, dtype=np.float64)
    except (TypeError, ValueError):
        raise MotionError(f"Set-points must be numbers, one a joint, not {set_points!r}.") from None


@dataclass(frozen=True, eq=False)
class FilteredMotion:
    """Commands that follow a recording of set-points.

    Attributes:
        rate_hz: Of the frames [Hz]; the first is one sample after the start.
        positions: [rad or m], [frame, joint].
        velocities: [rad/s or m/s], [frame, joint].
        accelerations: [rad/s^2 or m/s^2], [frame, joint].
        jerks: Constant from the frame before to this one [rad/s^3 or m/s^3], [frame, joint].
        held: Whether a set-point was not a finite number and the one before it was kept, [frame, joint].
    """

    rate_hz: float
    positions: np.ndarray
    velocities: np.ndarray
    accelerations: np.ndarray
    jerks: np.ndarray
    held: np.ndarray

    @property
    def times(self) -> np.ndarray:
        """Since the start [s], [frame]."""
        return np.arange(1, len(self.positions) + 1) / self.rate_hz


def follow(
    limits: Sequence[Limits],
    rate_hz: float,
    set_points: ArrayLike,
    *,
    smoothness: ArrayLike | None = None,
    responsiveness: ArrayLike | None = None,
    softness: ArrayLike | None = None,
    haste: ArrayLike | None = None,
    overshoot: ArrayLike | None = None,
    start: ArrayLike | None = None,
) -> FilteredMotion:
    """Filters a whole recording at once.

    Args:
        limits: One a joint.
        rate_hz: Of set-points and commands [Hz].
        set_points: [rad or m], [frame, joint]; NaN where none was known.
        smoothness: As for `MotionFilter`.
        responsiveness: As for `MotionFilter`.
        softness: As for `MotionFilter`.
        haste: As for `MotionFilter`.
        overshoot: As for `MotionFilter`.
        start: Positions at rest before the first frame [rad or m], [joint]; the first set-points if not given.
    """
    wanted = _numbers(set_points)
    if wanted.ndim != 2 or wanted.shape[1] != len(limits) or len(wanted) == 0:
        raise MotionError(f"Set-points must have the shape frames x {len(limits)} joints, not {wanted.shape}.")
    manner = _changed(FilterManner(), smoothness, responsiveness, softness, haste, overshoot)
    settings = build_settings(limits, rate_hz, manner)
    if start is None:
        start = np.clip(np.where(np.isfinite(wanted[0]), wanted[0], 0.0), *settings.joints.T[: UPPER + 1])
    first = MotionFilter(limits, rate_hz)
    first.reset(start)
    state = resting_state(settings, first.positions)
    commands, held = np.empty((len(wanted), 3, len(limits))), np.empty(wanted.shape, dtype=np.bool_)
    filter_frames(settings, state, wanted, float(rate_hz), commands, held)
    accelerations = commands[:, 2]
    jerks = np.diff(accelerations, axis=0, prepend=np.zeros((1, len(limits)))) * rate_hz
    return FilteredMotion(float(rate_hz), commands[:, 0], commands[:, 1], accelerations, jerks, held)
