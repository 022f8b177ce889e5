"""An idle layer: the character breathes and shifts while its end-point keeps facing what it faces.

Joints follow slow waves, one breathing rhythm that runs up the chain and a wander of their own, inside the null space
of the end-point's orientation. The orientation stays, the posture lives.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError, OptionError
from animato.express.facing import pack_turns
from animato.express.options import Options
from animato.express.warp.idle_kernel import idle_rows
from animato.mechanics.tree import Chain
from animato.motion import frozen_array
from animato.spatial import quaternions

_WANDERS = 3  # slow waves of each joint beside the breath
_LAG = 0.25  # [rad of phase] by which each joint breathes later than the one before it
_DRIVE = 1.5  # of the wish over the amplitude: the flow saturates as tanh does


class IdleLayer:
    """Moves a chain a little, always, without turning its end-point.

    The same time and positions always give the same answer, and near ones near answers. A joint at a limit
    holds still. A chain without a null space, such as three joints about different axes, is left as it is.

    Args:
        chain: The joints and the end-point; slides are left alone.
        seed: Of the waves; layers of different seeds move differently.
        amplitude_rad: How far a joint moves at most from where it is, one number or one a joint [rad].
        rate_hz: Breaths a second [Hz].
        breathing: Share of the breath, 0 to 1; the rest is wander, slower than the breath.
        fade_s: Time from 0 over which the layer grows to its full size [s].
        tolerance_rad: Turn of the end-point that is allowed at most [rad].

    Attributes:
        chain: As given.
        free_dimensions: Of the null space, outside singular postures; 0 where the layer does nothing.
        amplitude_rad: Of each joint; 0 for slides [rad], [n].
    """

    def __init__(
        self,
        chain: Chain,
        *,
        seed: int = Options.idle_seed,
        amplitude_rad: ArrayLike = Options.idle_amplitude_rad,
        rate_hz: float = Options.idle_rate_hz,
        breathing: float = 0.6,
        fade_s: float = 2.0,
        tolerance_rad: float = 1e-3,
    ) -> None:
        turns = pack_turns(chain, 0.0)
        amplitude = _amplitudes(amplitude_rad, len(chain.names))
        _check("rate_hz", rate_hz, 0.0, np.inf, "0 or more")
        _check("breathing", breathing, 0.0, 1.0, "from 0 to 1")
        _check("fade_s", fade_s, 0.0, np.inf, "0 or more")
        _check("tolerance_rad", tolerance_rad, 1e-9, np.pi, "from 1e-9 to pi")
        self.chain = chain
        self.amplitude_rad = np.where(chain.arrays.slides, 0.0, amplitude)
        self.amplitude_rad.setflags(write=False)
        self._columns, self._axis = turns.columns, turns.axis
        self._box = np.stack([turns.lower, turns.upper, self.amplitude_rad[turns.columns]], axis=1)
        self._tolerance, self._fade = float(tolerance_rad), float(fade_s)
        moving = (self._box[:, 2] > 0.0) & (turns.upper > turns.lower)
        self._box[~moving, 2] = 0.0
        rank = _rank(turns.axis, moving)
        self.free_dimensions = int(moving.sum()) - rank
        if self.free_dimensions > 0:
            drive = _DRIVE * np.sqrt(moving.sum() / self.free_dimensions)  # what the projection takes on average
            self._size, self._frequency, self._phase = _waves(len(turns.columns), seed, float(rate_hz), breathing)
            self._size *= drive * self._box[:, 2, None]

    def offsets(self, time: ArrayLike, positions: ArrayLike) -> np.ndarray:
        """Positions with the layer's offsets added; never raises on values.

        Args:
            time: Since the layer began [s]; one moment, or [k]. Before 0 nothing moves.
            positions: Of the chain's joints without the layer [rad or m], [n] or [k, n]. Rows that hold
                something that is not a finite number come back as they are.

        Returns:
            Positions of the same shape, within limits where the given ones are.

        Raises:
            MotionError: The shapes do not fit.
        """
        given, moments = np.asarray(positions, dtype=np.float64), np.asarray(time, dtype=np.float64)
        if given.shape != (*moments.shape, len(self.chain.names)) or moments.ndim > 1:
            raise MotionError(
                f"The idle layer of {len(self.chain.names)} joints takes one time and positions [n] or times [k] and "
                f"positions [k, n]; given {moments.shape} and {given.shape}."
            )
        out = np.array(given, ndmin=2)
        moments = np.atleast_1d(moments)
        rows = np.flatnonzero(np.isfinite(out).all(axis=1) & np.isfinite(moments))
        if self.free_dimensions > 0 and len(rows):
            starts = np.ascontiguousarray(out[rows][:, self._columns])
            moved = np.empty_like(starts)
            idle_rows(self._axis, self._box, self._tolerance, starts, self._wishes(moments[rows]), moved)
            out[np.ix_(rows, self._columns)] = moved
        return out.reshape(given.shape)

    def _wishes(self, moments: np.ndarray) -> np.ndarray:
        """Where the joints would like to go [rad], [k, m]."""
        angle = 2.0 * np.pi * self._frequency * moments[:, None, None] + self._phase
        wishes = np.sum(self._size * np.sin(angle), axis=2)
        share = np.clip(moments / self._fade, 0.0, 1.0) if self._fade > 0.0 else (moments >= 0.0) * 1.0
        return np.ascontiguousarray(wishes * (share**3 * (10.0 - 15.0 * share + 6.0 * share**2))[:, None])


def _waves(count: int, seed: int, rate: float, breathing: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Size, frequency [Hz] and phase [rad] of the waves, each [count, 1 + wanders]; sizes sum to 1."""
    random = np.random.default_rng(seed)
    size = random.uniform(0.5, 1.0, (count, 1 + _WANDERS))
    size[:, 1:] *= (1.0 - breathing) / size[:, 1:].sum(axis=1, keepdims=True)
    size[:, 0] = breathing * random.choice((-1.0, 1.0), count)
    frequency = rate * random.uniform(0.15, 0.7, (count, 1 + _WANDERS))
    frequency[:, 0] = rate
    phase = random.uniform(0.0, 2.0 * np.pi, (count, 1 + _WANDERS))
    phase[:, 0] = phase[0, 0] - _LAG * np.arange(count)
    return size, frequency, phase


def _rank(axis: np.ndarray, moving: np.ndarray) -> int:
    """Of the orientation Jacobian of the moving joints, in a posture that is not singular."""
    turn = np.array([1.0, 0.0, 0.0, 0.0])
    columns = []
    for i in range(len(axis)):
        if moving[i]:
            columns.append(quaternions.rotate(turn, axis[i]))
        turn = quaternions.multiply(turn, quaternions.quaternion_about(axis[i], np.float64(0.7 + 0.31 * i)))
    return int(np.linalg.matrix_rank(np.array(columns), tol=1e-6)) if columns else 0


def _amplitudes(amplitude_rad: ArrayLike, count: int) -> np.ndarray:
    """One a joint, checked."""
    given = np.asarray(amplitude_rad)
    values = frozen_array(np.broadcast_to(given, (count,)) if given.ndim == 0 else given, (count,), "amplitude_rad")
    if values.min(initial=0.0) < 0.0:
        raise OptionError(f"amplitude_rad must be 0 or more, not {values.min()}.")
    return values


def _check(name: str, value: float, least: float, most: float, allowed: str) -> None:
    if not (np.isfinite(value) and least <= value <= most):
        raise OptionError(f"{name} must be a number {allowed}, not {value}.")
