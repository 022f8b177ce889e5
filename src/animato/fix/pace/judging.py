"""How much slower a performed clip would have to be, and where.

Frames are joined by a cubic spline, which is not quite the motion that was planned. What it does is held against the
limits here, and told as a factor of the tempo at each node: the speed goes with the tempo, acceleration with its
square, jerk with its cube, and of the torque that part with its square that holding still does not take.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.fix.pace.axis_bounds import AxisBounds
from animato.fix.pace.limit_rows import HOPELESS
from animato.fix.pace.path_states import PathTorque, peak_speeds, third_derivatives
from animato.fix.pace.time_map import Pace
from animato.mechanics.contact import floor_support
from animato.mechanics.limits import LEAST_TORQUE, SHARE_TOLERANCE
from animato.mechanics.tree import inverse_dynamics, states_of_clip
from animato.motion import Clip

_LEAST_FACTOR = 0.5  # of one round
_TARGET = 0.9995  # share that is aimed at


@dataclass(frozen=True, eq=False)
class Judge:
    """Holds performed clips against the limits of a tree character.

    Attributes:
        character: A tree.
        bounds: Its limits.
        clip: The artist's.
        nodes: Artist's times [s], [node].
        torque: Along the clip at the nodes, None where it has no limits.
        on_floor: Whether the floor carries the character.
    """

    character: Character
    bounds: AxisBounds
    clip: Clip
    nodes: np.ndarray
    torque: PathTorque | None
    on_floor: bool

    def motion_factors(self, pace: Pace) -> np.ndarray:
        """What the tempo at each node would have to be multiplied by for speed, acceleration and jerk, [node]."""
        # where the root is does not matter here, and its turns take longer than all else
        performed = pace.performed(Clip(self.clip.times, self.clip.names, self.clip.positions))
        times = halved(performed.times)
        states = states_of_clip(self.character, performed, times)
        jerks = third_derivatives(self.character, performed, states)
        needed = np.ones(len(times))
        for values, kind, power in (
            (peak_speeds(times, states.velocities, states.accelerations), "velocity", 1.0),
            (states.accelerations, "acceleration", 0.5),
            (jerks, "jerk", 1.0 / 3.0),
        ):
            needed = np.minimum(needed, needed_tempo(largest_share(values, self.bounds, kind), power))
        return self._at_nodes(pace, times, needed)

    def torque_factors(self, pace: Pace, watched: np.ndarray) -> np.ndarray:
        """The same for torque, where tempo helps, [node].

        Args:
            pace: How the clip is performed.
            watched: Nodes around which torques are looked at, [node].
        """
        if self.torque is None:
            return np.ones(len(self.nodes))
        performed = pace.performed(self.clip)
        # a motor near its top speed has little left: what is between middles counts
        times = performed.times if self.on_floor else halved(halved(performed.times))
        times = times[watched[self._place(pace, times)]]
        if len(times) == 0:
            return np.ones(len(self.nodes))
        states = states_of_clip(self.character, performed, times)
        forces = inverse_dynamics(self.character, states)
        values = floor_support(self.character, states, forces).torques if self.on_floor else forces.values
        share = torque_shares(self.bounds, values, states.velocities)
        held = held_shares(self.bounds, self.torque, self._place(pace, times))
        return self._at_nodes(pace, times, torque_tempo(share, held).min(axis=1, initial=1.0))

    def _place(self, pace: Pace, times: np.ndarray) -> np.ndarray:
        """The node that is nearest to what the artist did at the robot's times, [time]."""
        return np.round(np.interp(pace.artist_at(times), self.nodes, np.arange(len(self.nodes)))).astype(int)

    def _at_nodes(self, pace: Pace, times: np.ndarray, needed: np.ndarray) -> np.ndarray:
        factors = np.ones(len(self.nodes))
        np.minimum.at(factors, self._place(pace, times), needed)
        return factors


def halved(times: np.ndarray) -> np.ndarray:
    """The times, and the middles between them: where accelerations, and speeds nearly, are largest."""
    both = np.empty(2 * len(times) - 1)
    both[::2], both[1::2] = times, 0.5 * (times[1:] + times[:-1])
    return both


def largest_share(values: np.ndarray, bounds: AxisBounds, kind: str) -> np.ndarray:
    """Largest used share of one kind of limit at each time, [time].

    Args:
        values: [time, dof].
        bounds: The limits.
        kind: Name of an attribute of them.
    """
    share = np.max(np.abs(values) / getattr(bounds, kind), axis=1, initial=0.0)
    for ball in bounds.balls:
        length = np.linalg.norm(values[:, ball.dof : ball.dof + 3], axis=1)
        share = np.maximum(share, length / getattr(ball, kind))
    return np.asarray(share)


def torque_shares(bounds: AxisBounds, torque: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Used share of each motor, those of spherical joints last, [time, dof + ball]."""
    return np.column_stack([np.abs(torque) / available_torque(bounds, torque, speed), _ball_torques(bounds, torque)])


def held_shares(bounds: AxisBounds, torque: PathTorque, nodes: np.ndarray | slice = slice(None)) -> np.ndarray:
    """Share of each motor that the slowest motion takes, in the same columns: holding still, and dry friction."""
    at_rest = torque.at_rest[nodes]
    return np.column_stack([(np.abs(at_rest) + torque.friction) / bounds.torque, _ball_torques(bounds, at_rest)])


def _ball_torques(bounds: AxisBounds, torque: np.ndarray) -> np.ndarray:
    shares = np.empty((len(torque), len(bounds.balls)))
    for k, ball in enumerate(bounds.balls):
        shares[:, k] = np.linalg.norm(torque[:, ball.dof : ball.dof + 3], axis=1) / ball.torque
    return shares


def available_torque(bounds: AxisBounds, torque: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """What motors can give: on their curves while they drive, as at rest while they brake, [time, dof]."""
    line = np.min(bounds.lines[:, :, 0] - bounds.lines[:, :, 1] * np.abs(speed)[:, :, None], axis=2)
    at_speed = np.minimum(np.maximum(line, LEAST_TORQUE * bounds.torque), bounds.torque)
    return np.where(torque * speed > 0.0, at_speed, bounds.torque)


def needed_tempo(share: np.ndarray, power: float) -> np.ndarray:
    """A factor of the tempo, at most 1, with which a share comes down to the limit."""
    over = share > 1.0 + SHARE_TOLERANCE
    return np.where(over, np.maximum(np.maximum(share / _TARGET, 1e-300) ** -power, _LEAST_FACTOR), 1.0)


def torque_tempo(share: np.ndarray, held: np.ndarray) -> np.ndarray:
    """The same for torques, of which a part is held at rest; 1 where that alone is too much."""
    over = (share > 1.0 + SHARE_TOLERANCE) & (held < HOPELESS)
    moving = np.maximum(share - held, 1e-12)
    return np.where(over, np.clip(np.sqrt(np.maximum(_TARGET - held, 0.0) / moving), _LEAST_FACTOR, 1.0), 1.0)
