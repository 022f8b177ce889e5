"""Every limit of a tree character along a clip, as rows in s'' and b = s'^2.

With s(t) the artist's time at the robot's, v = q' s' and v' = q'' b + q' s''; the motors give
a s'' + d b + c + damping q' sqrt(b) + friction, with a = M q', d = M q'' + h(q, q') without gravity and c = h(q, 0).
A motor's line of torque over speed adds its fall times |q'| sqrt(b). The square root is concave: its tangent at a
reference r, sqrt(b) <= (sqrt(r) + b / sqrt(r)) / 2, makes a row that is safe everywhere and exact at r.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.fix.pace.axis_bounds import AxisBounds
from animato.fix.pace.path_states import PathStates
from animato.fix.pace.sweep import NodeRows

HOPELESS = 0.95
"""Share of a motor that holding still may take; where it is more, torque is none of time's business."""
_LETS_GO = 5.0
"""From there on a row leaves room for moving, more by so much than what holding takes beyond."""
_LEAST_ROOM = 1e-3

_Part = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class SpeedRows:
    """Rows g s'' + a b + r sqrt(b) <= h, scaled to limits of 1.

    Attributes:
        of_change: g, [node, row].
        of_square: a, [node, row].
        of_speed: r, not negative, [node, row].
        room: h, more than 0, [node, row].
    """

    of_change: np.ndarray
    of_square: np.ndarray
    of_speed: np.ndarray
    room: np.ndarray

    def highest_tempo(self) -> np.ndarray:
        """The largest s' at each node with s'' = 0, infinite where nothing limits it, [node]."""
        a, r, h = self.of_square, self.of_speed, self.room
        with np.errstate(divide="ignore", invalid="ignore"):
            root = r * r + 4.0 * a * h
            tempo = np.where(root >= 0.0, 2.0 * h / (r + np.sqrt(np.maximum(root, 0.0))), np.inf)
        tempo[(a == 0.0) & (r == 0.0)] = np.inf
        return np.asarray(tempo.min(axis=1, initial=np.inf))

    def counting(self, highest: np.ndarray, change: float) -> SpeedRows:
        """Without columns of rows that count nowhere; the arguments are those of `near`."""
        tempo = highest[:, None]
        worst = np.abs(self.of_change) * change + np.maximum(self.of_square, 0.0) * tempo**2 + self.of_speed * tempo
        kept = np.any(worst > self.room, axis=0)
        return SpeedRows(*(np.ascontiguousarray(one[:, kept]) for one in self._parts))

    @property
    def _parts(self) -> _Part:
        return self.of_change, self.of_square, self.of_speed, self.room

    def near(self, reference: np.ndarray, highest: np.ndarray, change: float) -> NodeRows:
        """Rows in s'' and b alone, without those that cannot count.

        Args:
            reference: Tempo at which they are exact, more than 0, [node].
            highest: No tempo is larger, [node].
            change: Largest |s''| [1/s].
        """
        half = 0.5 * self.of_speed
        a = self.of_square + half / reference[:, None]
        h = np.maximum(self.room - half * reference[:, None], _LEAST_ROOM)
        worst = np.abs(self.of_change) * change + np.maximum(a, 0.0) * highest[:, None] ** 2
        counts = worst > h
        first = np.concatenate([[0], np.cumsum(counts.sum(axis=1))])
        rows = np.column_stack([self.of_change[counts], a[counts], h[counts]])
        return NodeRows(first, np.ascontiguousarray(rows))


def speed_rows(states: PathStates, bounds: AxisBounds) -> SpeedRows:
    """Rows of acceleration and torque, both directions."""
    found: list[_Part] = []
    _add_accelerations(found, states, bounds)
    if states.torque is not None:
        _add_torques(found, states, bounds)
    if not found:
        empty = np.zeros((len(states.dq), 0))
        return SpeedRows(empty, empty, empty, empty)
    return SpeedRows(*(np.concatenate(parts, axis=1) for parts in zip(*found, strict=True)))


def _add_accelerations(found: list[_Part], states: PathStates, bounds: AxisBounds) -> None:
    limited = np.flatnonzero(np.isfinite(bounds.acceleration))
    scale = 1.0 / bounds.acceleration[limited]
    _both_ways(found, states.dq[:, limited] * scale, states.ddq[:, limited] * scale)
    for ball in bounds.balls:
        if np.isfinite(ball.acceleration):
            # its length along the direction that each of both terms has: what is between is seen to afterwards
            dq, ddq = states.dq[:, ball.dof : ball.dof + 3], states.ddq[:, ball.dof : ball.dof + 3]
            for direction in (_unit(ddq), _unit(dq)):
                along = [np.sum(one * direction, axis=1, keepdims=True) / ball.acceleration for one in (dq, ddq)]
                _both_ways(found, *along)


def _both_ways(found: list[_Part], change: np.ndarray, square: np.ndarray) -> None:
    none, one = np.zeros_like(change), np.ones_like(change)
    found.append((change, square, none, one))
    found.append((-change, -square, none, one))


def _add_torques(found: list[_Part], states: PathStates, bounds: AxisBounds) -> None:
    torque = states.torque
    assert torque is not None
    limited = np.flatnonzero(np.isfinite(bounds.torque))
    speed = np.abs(states.dq[:, limited])
    way = np.sign(states.dq[:, limited])
    a, d, c = torque.of_change[:, limited], torque.of_square[:, limited], torque.at_rest[:, limited]
    drag, friction = torque.damping[limited] * speed, torque.friction[limited]
    stall = bounds.torque[limited]
    for sign in (1.0, -1.0):
        with_way = np.maximum(sign * way, 0.0)
        room = stall - sign * c - friction * with_way
        found.append((sign * a / stall, sign * d / stall, with_way * drag / stall, _relieved(room / stall)))
    for k in range(bounds.lines.shape[1]):
        line, fall = bounds.lines[limited, k, 0], bounds.lines[limited, k, 1]
        has = np.flatnonzero(np.isfinite(line))
        if has.size:
            scale, sign = 1.0 / line[has], way[:, has]
            room = (line[has] - sign * c[:, has] - friction[has]) * scale
            slower = (drag[:, has] + fall[has] * speed[:, has]) * scale
            found.append((sign * a[:, has] * scale, sign * d[:, has] * scale, slower, _relieved(room)))


def _relieved(room: np.ndarray) -> np.ndarray:
    """Room for moving; where holding still takes nearly all, or more than all, what tempo cannot help is let go."""
    least = 1.0 - HOPELESS
    return np.where(room >= least, room, least + _LETS_GO * (least - room))


def _unit(vectors: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-300))
