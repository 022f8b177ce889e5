"""How a target will go on turning, and how far that has proved right.

The angular velocity is a running mean, the less the more it varies. Every frame says how good the predictions were that
were made for it some time ago. Predictions are believed in as far as they were good on average, and twice as far while
nothing longer could be judged yet.
"""

from __future__ import annotations

import numpy as np

from animato.express.facing import shortest
from animato.express.tracking.constants import TRACKING
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import (
    Quaternion,
    Vector,
    about,
    cross,
    dot,
    length,
    quaternion,
    rotated,
    rotation_vector,
    times,
    vector,
)

FORWARD, UP, SPIN = range(3)
"""Rows of what is remembered of a frame: two directions of what is faced, and how it was thought to turn [rad/s]."""


class Prediction:
    """Watches what is faced, frame by frame.

    Args:
        step_s: From frame to frame [s].
        horizon_s: How far to look at most [s].

    Attributes:
        spin: Angular velocity with which it is thought to go on [rad/s], [3].
        trusted_s: How far that is believed in [s].
        still_s: Since when nothing has turned [s].
        jumped: Whether what is faced has just jumped.
    """

    def __init__(self, step_s: float, horizon_s: float) -> None:
        self._step = step_s
        lags = [lag for lag in TRACKING.judged_s if lag <= horizon_s] or [TRACKING.judged_s[0]]
        self._lags = np.array([max(1, round(lag / step_s)) for lag in lags])
        self._most = horizon_s
        self._past = np.zeros((int(self._lags[-1]) + 1, 3, 3))
        self.forget()

    def forget(self) -> None:
        """Begins anew."""
        self._errors = np.full(len(self._lags), np.inf)
        self._mean, self._spread = np.zeros(3), np.zeros(1)
        self._seen = 0
        self.spin = np.zeros(3)
        self.trusted_s = TRACKING.first_trust_s
        self.still_s = 0.0
        self.jumped = False

    def see(self, forward: np.ndarray, up: np.ndarray) -> None:
        """Takes what is faced now, as two directions [3]; twice the same where any roll will do."""
        learnt = self._mean, self._spread, self.spin
        turned = watch(self._past, self._seen, forward, up, self._step, *learnt, self._lags, self._errors)
        self._seen += 1
        self.jumped = turned > max(TRACKING.jump_rad_s * self._step, TRACKING.jump_rad)
        self.still_s = self.still_s + self._step if turned < TRACKING.still_rad_s * self._step else 0.0
        good = self._errors < TRACKING.trusted_rad
        count = int(np.argmin(good)) if not good.all() else len(good)
        trusted = self._lags[count - 1] * self._step if count else 0.0
        unknown = count == len(good) or not np.isfinite(self._errors[count])
        wide = TRACKING.unproved if unknown else 1.0
        self.trusted_s = min(self._most, max(TRACKING.first_trust_s, wide * trusted))


@kernel
def turned_both(turns: np.ndarray, forward: np.ndarray, up: np.ndarray, out: np.ndarray) -> None:
    """Writes two directions [3] after the first of some turns [r, 4], [2, 3]."""
    turn = quaternion(turns, 0)
    out[0, 0], out[0, 1], out[0, 2] = rotated(turn, (forward[0], forward[1], forward[2]))
    out[1, 0], out[1, 1], out[1, 2] = rotated(turn, (up[0], up[1], up[2]))


@kernel
def watch(
    past: np.ndarray,
    seen: int,
    forward: np.ndarray,
    up: np.ndarray,
    step: float,
    mean: np.ndarray,
    spread: np.ndarray,
    spin: np.ndarray,
    lags: np.ndarray,
    errors: np.ndarray,
) -> float:
    """Learns from one frame; gives the angle by which it turned since the frame before [rad].

    Args:
        past: What was seen, over and over, [frames, 3, 3].
        seen: Frames so far.
        forward: One direction of what is faced, [3].
        up: Another, or the same, [3].
        step: From frame to frame [s].
        mean: Running mean of the angular velocity, changed [rad/s], [3].
        spread: Running mean of its squared distance from that, changed, [1].
        spin: Angular velocity to go on with, changed [rad/s], [3].
        lags: Frames after which predictions are judged, growing, [lag].
        errors: Their running means, infinite where there is none yet, changed [rad], [lag].
    """
    size, row = len(past), seen % len(past)
    a, b = (forward[0], forward[1], forward[2]), (up[0], up[1], up[2])
    turned = 0.0
    if seen > 0:
        before = (seen - 1) % size
        turn = rotation_vector(_turn(vector(past[before], FORWARD), vector(past[before], UP), a, b))
        turned = length(turn)
        newest = min(1.0, step / TRACKING.newest_s)
        moving = 1.0 if turned < TRACKING.jump_rad_s * step else 0.0
        fast, away = 0.0, 0.0
        for i in range(3):
            off = moving * turn[i] / step - mean[i]
            mean[i] += newest * off
            away += off * off
            fast += mean[i] * mean[i]
        spread[0] += newest * (away - spread[0])
        for i in range(3):
            spin[i] = mean[i] * fast / (fast + spread[0] + 1e-12)
    for k in range(len(lags)):
        if lags[k] > seen:
            break
        then = past[(seen - lags[k]) % size]
        passed = lags[k] * step
        rate = length(vector(then, SPIN))
        axis = (then[SPIN, 0] / max(rate, 1e-12), then[SPIN, 1] / max(rate, 1e-12), then[SPIN, 2] / max(rate, 1e-12))
        turn_on = about(axis, rate * passed)
        error = max(_apart(rotated(turn_on, vector(then, FORWARD)), a), _apart(rotated(turn_on, vector(then, UP)), b))
        share = step / (TRACKING.judging_s + TRACKING.judging_share * passed)
        errors[k] = error if not errors[k] < np.inf else errors[k] + min(1.0, share) * (error - errors[k])
    past[row, FORWARD], past[row, UP], past[row, SPIN] = forward, up, spin
    return turned


@kernel
def _apart(a: Vector, b: Vector) -> float:
    return np.arctan2(length(cross(a, b)), dot(a, b))


@kernel
def _turn(forward: Vector, up: Vector, new_forward: Vector, new_up: Vector) -> Quaternion:
    """The turn from one pair of directions to another; the shortest where the pairs are the same direction twice."""
    turn = shortest(forward, new_forward, up)
    if dot(forward, up) > 1.0 - 1e-9:
        return turn
    now = rotated(turn, up)
    angle = np.arctan2(dot(new_forward, cross(now, new_up)), dot(now, new_up))
    return times(about(new_forward, angle), turn)
