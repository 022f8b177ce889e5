"""Inverse kinematics: from a pose to the nearest one, inside all limits, that fulfils wishes as well as can be.

Damped least squares (Levenberg) on

    sum_w weight_w h(|x_w - x_w*| / size) + pull sum_i s_i (q_i - q_i at the grab)^2 / 2

with h a square that goes on as a straight line, so that a hand far out of reach pulls no stronger than one that is
a little out of reach. The pull settles what the wishes leave open, and makes the answer one of the target alone:
who drags back is back where the drag began.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.spatial import quaternions
from animato.studio.posing.figure import Figure, turn_between
from animato.studio.posing.stance import Stance
from animato.studio.posing.wishes import Wish

_PULL = 1e-7
_ROOT_PULL = 10.0  # times that of joints: a figure reaches with its joints first
_FAR = 0.1  # of the size [1]: where the square goes on as a line
_TURN = 0.3  # of the size [1]: the lever at which a turn counts as a length
_STILL = 1e-7  # [rad, or share of the size]: a step at which it is there
_LEAST_DAMPING, _MOST_DAMPING = 1e-9, 1e6
_ROUNDS_IN_BOX = 6
_SHARES = (1.0, 0.5, 0.25)  # of a step that leads too far


@dataclass(frozen=True, eq=False)
class Approach:
    """How far an approach has come.

    Attributes:
        stance: The best pose so far.
        damping: With which it goes on.
        still: Whether it is there.
    """

    stance: Stance
    damping: float = 1e-3
    still: bool = False


def approached(
    figure: Figure,
    begin: Approach,
    wishes: Sequence[Wish],
    rest: Stance,
    *,
    rounds: int,
    longest: float,
    root_held: bool,
    seconds: float,
) -> Approach:
    """Goes on with an approach.

    Args:
        figure: Who is posed.
        begin: Where it is.
        wishes: What is wished for.
        rest: What it is pulled back to, mildly.
        rounds: At most.
        longest: How far a joint may go at most, all rounds together [rad, or share of the size].
        root_held: Whether a free root stays where it is.
        seconds: Of the processor, after which no further round begins [s]; whoever asks has other work, too.
    """
    until = time.thread_time() + seconds
    stance, damping = begin.stance, begin.damping
    pull = _PULL * np.where(figure.lengths, figure.size**-2.0, 1.0)
    pull[: figure.root_freedoms] *= _ROOT_PULL
    unit = np.where(figure.lengths, figure.size, 1.0)
    held = slice(0, figure.root_freedoms if root_held else 0)
    first = stance
    cost, gradient, matrix = _quadratic(figure, stance, wishes, rest, pull)
    for _ in range(rounds):
        if time.thread_time() > until:
            break
        back, forth = figure.room(stance)
        back[held] = forth[held] = 0.0
        gone = figure.away(stance, first)
        box = np.clip(-longest * unit - gone, back, 0.0), np.clip(longest * unit - gone, 0.0, forth)
        step = _step_in_box(matrix, gradient, damping, *box, unit)
        held_back = bool(np.any(np.abs(gone / unit) > longest - _STILL))  # it stands, but may go on the next time
        if float(np.max(np.abs(step / unit), initial=0.0)) < _STILL:
            return Approach(stance, max(damping / 10.0, _LEAST_DAMPING), still=not held_back)
        trial = _moved(figure, stance, step, first, longest * unit)
        better = None if trial is None else _quadratic(figure, trial, wishes, rest, pull)
        if trial is None or better is None or not better[0] < cost:
            damping = damping * 6.0
            if damping > _MOST_DAMPING:
                return Approach(stance, 1e-3, still=not held_back)
            continue
        slow = better[0] > cost * (1.0 - 1e-9)
        stance, damping = trial, max(damping / 6.0, _LEAST_DAMPING)
        cost, gradient, matrix = better
        if slow and not held_back:
            return Approach(stance, damping, still=True)
    return Approach(stance, min(damping, 1.0))


def _moved(figure: Figure, stance: Stance, step: np.ndarray, first: Stance, most: np.ndarray) -> Stance | None:
    """The pose after a step, or some of it: turns do not add up, so that a free root may be farther than it should."""
    for share in _SHARES:
        there = figure.moved(stance, share * step)
        if there is None or np.all(np.abs(figure.away(there, first)) <= most * (1.0 + 1e-6)):
            return there
    return None


def farthest(figure: Figure, stance: Stance, wishes: Sequence[Wish]) -> float:
    """By how much the wish that is least fulfilled is off [share of the size]."""
    places, turns = figure.bodies(stance)
    return max(float(np.linalg.norm(_off(figure, places[one.body], turns[one.body], one))) for one in wishes)


def _off(figure: Figure, place: np.ndarray, turn: np.ndarray, wish: Wish) -> np.ndarray:
    """By how much a body is off a wish: its place and turn, in that order, as shares of the size, [3 or 6]."""
    off = []
    if wish.place is not None:
        off.append((place + quaternions.rotate(turn, wish.local) - wish.place) / figure.size)
    if wish.turn_wxyz is not None:
        off.append(-_TURN * quaternions.rotate(turn, turn_between(turn, wish.turn_wxyz)))
    return np.concatenate(off)


def _quadratic(
    figure: Figure, stance: Stance, wishes: Sequence[Wish], rest: Stance, pull: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Cost, its slope [freedom] and Gauss and Newton's matrix [freedom, freedom] at a pose."""
    away = figure.away(stance, rest)
    cost, gradient, matrix = 0.5 * float(pull @ away**2), pull * away, np.diag(pull)
    places, turns = figure.bodies(stance)
    for wish in wishes:
        J = figure.jacobian(stance, wish.body, wish.local) / figure.size
        lines = [J[:3]] if wish.place is not None else []
        lines += [_TURN * figure.size * J[3:]] if wish.turn_wxyz is not None else []
        r, A = _off(figure, places[wish.body], turns[wish.body], wish), np.vstack(lines)
        far = float(np.linalg.norm(r))
        share = _FAR / far if wish.yields and far > _FAR else 1.0
        cost += wish.weight * (0.5 * far**2 if share == 1.0 else _FAR * (far - 0.5 * _FAR))
        gradient += wish.weight * share * (r @ A)
        matrix += wish.weight * share * (A.T @ A)
    return cost, gradient, matrix


def _step_in_box(
    matrix: np.ndarray, gradient: np.ndarray, damping: float, back: np.ndarray, forth: np.ndarray, unit: np.ndarray
) -> np.ndarray:
    """A damped step within bounds around 0: what would cross one is set there, and the others are solved again."""
    damped = matrix + np.diag(damping / unit**2)
    step = np.zeros(len(gradient))
    free = ~(((back >= 0.0) & (gradient > 0.0)) | ((forth <= 0.0) & (gradient < 0.0)) | (forth - back <= 0.0))
    for _ in range(_ROUNDS_IN_BOX):
        some = np.flatnonzero(free)
        if not len(some):
            break
        fixed = np.flatnonzero(~free)
        right = -gradient[some] - damped[np.ix_(some, fixed)] @ step[fixed]
        step[some] = np.linalg.solve(damped[np.ix_(some, some)], right)
        crossed = free & ((step < back) | (step > forth))
        if not crossed.any():
            break
        step = np.where(crossed, np.clip(step, back, forth), step)
        free &= ~crossed
    return np.clip(step, back, forth)
