"""The robot follows while the stroke is still being drawn.

Every plan ends at rest at the end of what is drawn, or of as much of it as a plan looks ahead, so that the robot can
always stop in time. A new plan takes over a moment later than it is made, where the robot then is and as fast as it
then moves. Where there is no such plan, the last one goes on.
"""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.errors import AnimatoError, OptionError
from animato.mechanics.tree import PointKinematics, build_point_kinematics
from animato.motion import Clip, Posture
from animato.trace.live.drawing import LiveStroke, reach_balls
from animato.trace.live.motion import LiveMotion
from animato.trace.live.planner import Planner, Wishes
from animato.trace.sketch import Plane, step_towards

_DETAIL = 1.0 / 40.0  # of the lever of the joints: length of a piece
_STEPS_A_PIECE = 6.0
_MOST_NOTES = 20
_WARM_SAMPLES = 24
_FAR = 4.0  # times the length of a piece by which a point must be off to be told


@dataclass(frozen=True)
class LiveFigures:
    """How the tracing went so far.

    Attributes:
        updates: Plans that were made and took over.
        kept: Times at which no new plan could take over, and the last one went on.
        ignored: Samples that could not be used.
        outliers: Samples that the hand cannot have drawn, and that were left out.
        shortened: Plans that left something out, because the robot could not keep up.
        update_ms: How long each update took [ms], [update].
        deviation: Largest distance of a point of a plan from the drawing [m].
        notes: What went wrong, in plain sentences, each once.
    """

    updates: int
    kept: int
    ignored: int
    outliers: int
    shortened: int
    update_ms: np.ndarray
    deviation: float
    notes: tuple[str, ...]


class Loop:
    """Joint positions for a stroke that grows.

    Times are those of one clock, that of the samples: `add` takes what was drawn up to now, `command` says where the
    joints should be. Neither raises for what happens while drawing; `figures` tells about it.

    Attributes:
        names: Of the joints that move, in the order of all positions, [n].
        motion: All plans so far.
    """

    def __init__(
        self,
        character: Character,
        points: str | Sequence[str],
        plane: Plane | None = None,
        *,
        start: Posture | str | None = None,
        delay_s: float = 0.3,
        longest_lag_s: float = 0.6,
        commit_s: float = 0.02,
        beta: float = 1.0,
        gamma: float = 1e-3,
        detail_m: float | None = None,
        approach_speed: float = 0.5,
        torque: bool = True,
        lift_m: float = 0.02,
        warm: bool = True,
    ) -> None:
        """Prepares the robot at rest.

        Args:
            character: The robot.
            points: Its point, or points, that follow.
            plane: Where flat samples go; its origin is that of the drawing, whose middle is not known yet. None for
                samples in space.
            start: Posture in which the robot is. From there its point goes straight to the first sample.
            delay_s: How far behind the hand the robot aims to be [s]. The less, the more it brakes for what might come.
            longest_lag_s: How much later than that it may be [s]. Where it would be later, it leaves out detail of what
                was drawn, and in the end goes straight to the newest sample; infinite to do all, however late.
            commit_s: What is this near stays as it is [s]; longer than an update takes.
            beta: Weight of the timing error [1/s^2].
            gamma: Weight of the duration [1/s].
            detail_m: Length of the pieces of the path [m]; by the lever of the joints where not given.
            approach_speed: Of the way to the first sample, if limits allow [m/s].
            torque: Whether torque limits hold.
            lift_m: By how much points are lifted while the pen is up, off the plane, or upward without one [m].
            warm: Whether to load all compiled code now, so that the first samples take no longer than later ones; takes
                about half a second the first time in a process.

        Raises:
            AnimatoError: A point or posture that does not exist, or options out of range.
        """
        wishes = Wishes(delay_s, longest_lag_s, beta, gamma, torque)
        _check(wishes, commit_s, detail_m, approach_speed, lift_m)
        named = (points,) if isinstance(points, str) else tuple(points)
        if plane is not None and len(named) != 1:
            raise OptionError("Samples of several points are places in space; leave the `plane` out.")
        posture = Posture.named(character, start) if isinstance(start, str) else start
        self._character = character
        self._kinematics = build_point_kinematics(character, named, start=posture)
        places, J = self._kinematics.jacobians(self._kinematics.start[None])
        square_lever = max(float(np.sum(J**2)) / 3.0, 1e-12)
        self._detail = detail_m or _DETAIL * float(np.sqrt(square_lever))
        board = None if plane is None else replace(plane, centred=False)
        up = np.array([0.0, 0.0, 1.0]) if board is None else off_the_board(board, places[0, 0])
        self._stroke = LiveStroke(
            places[0], self._detail / _STEPS_A_PIECE, board, approach_speed, reach_balls(self._kinematics), lift_m * up
        )
        self._planner = Planner(character, self._kinematics, self._detail, square_lever, wishes)
        self._delay, self._commit = delay_s, commit_s
        self.names = self._kinematics.names
        self.motion = LiveMotion(self.names, self._kinematics.start)
        self._now = self._tried = -np.inf
        self._seconds: list[float] = []
        self._kept, self._deviation = 0, 0.0
        self._stuck_at = -1.0  # length of the stroke with which there was no way on from rest
        self._notes: dict[str, None] = {}
        if warm:
            warm_up(character, named, posture, wishes)

    @property
    def character(self) -> Character:
        """The robot."""
        return self._character

    @property
    def detail_m(self) -> float:
        """Length of the pieces of a path [m]."""
        return self._detail

    @property
    def drawn(self) -> tuple[np.ndarray, np.ndarray]:
        """Times [s], [k], and places [m], [k, point, 3], of what was drawn, the way to the first sample included."""
        times, places = self._stroke.drawn.after(-np.inf)
        return times.copy(), places.reshape(len(times), -1, 3).copy()

    @property
    def time(self) -> float:
        """The latest moment that was seen [s]."""
        return float(self._now)

    @property
    def done(self) -> bool:
        """Whether the robot rests at the end of what was drawn, or where it cannot go on until more is drawn."""
        settled = self._reached or self._stuck_at == self._stroke.line.length
        return not self._stroke.begun or (settled and self._now >= self.motion.ends)

    @property
    def left_m(self) -> float:
        """How much of what is drawn so far the robot leaves out, or has no plan for yet [m]."""
        return max(self._stroke.drawn.length - self.motion.end_distance, 0.0)

    @property
    def lag_s(self) -> float:
        """How long ago that was drawn where the robot is now [s]; 0 before it moves."""
        if not self.motion.plans:
            return 0.0
        here = self._stroke.line.time_of(np.array([self.motion.course(self._now)[0]]))
        return max(self._now - float(here[0]), 0.0)

    @property
    def update_count(self) -> int:
        """How often it planned anew so far, whether the plan took over or not."""
        return len(self._seconds)

    @property
    def figures(self) -> LiveFigures:
        """How it went so far."""
        return LiveFigures(
            len(self.motion.plans),
            self._kept,
            self._stroke.ignored,
            self._stroke.outliers,
            self._planner.shortened,
            1000.0 * np.array(self._seconds),
            max(self._deviation, self._stroke.beyond),
            tuple(self._notes),
        )

    def add(self, points: ArrayLike, times: ArrayLike, *, down: bool = True) -> None:
        """Takes samples as they are drawn, and plans anew.

        Args:
            points: [m], [sample, 2] on the plane, [sample, 3] in space, or [sample, point, 3]; or one sample alone.
            times: [s], [sample]. Samples that are no numbers or not later than the last are ignored.
            down: Whether the pen draws. While it is up the points keep `lift_m` off what is drawn.
        """
        self._stroke.add(points, times, down)
        last = self._stroke.latest
        if last is not None:
            self._now = max(self._now, last)
        self._update()

    def finish(self) -> None:
        """The pen is lifted: the robot goes to the very last sample."""
        self._stroke.finish()
        self._update()

    def command(self, time: float) -> np.ndarray:
        """Joint positions at a moment [rad or m], [n]; what was asked for once stays so.

        Args:
            time: [s], on the clock of the samples. What is later than `time` + commit_s may still change.
        """
        if np.isfinite(time):
            self._now = max(self._now, float(time))
            ends_soon = self._now + self._commit > self.motion.ends - 0.5 * self._delay
            if (ends_soon and not self._reached) or (
                self._planner.too_late and self._now >= self._tried + self._commit
            ):
                self._update()
        return self.motion.position(float(time) if np.isfinite(time) else self._now)

    def advance(self, seconds: float) -> np.ndarray:
        """Joint positions so much later than the latest moment that was seen [rad or m], [n]."""
        return self.command(self._now + max(float(seconds), 0.0))

    def posture(self, time: float) -> Posture:
        """The whole posture at a moment, joints that do not take part included."""
        held = self._kinematics.held
        return Posture(self.names + held.names, np.concatenate([self.command(time), held.positions]))

    def points_at(self, times: ArrayLike) -> np.ndarray:
        """Where the points are at moments [m], as it is decided now, [k, point, 3]."""
        return self._kinematics.places(self.motion.states(times)[0])

    def clip(self, rate_hz: float = 250.0) -> Clip:
        """The motion from the first plan to its end, as it is decided now."""
        if not self.motion.plans:
            raise AnimatoError("Nothing has moved yet, so there is no clip; add samples first.")
        begin, end = self.motion.plans[0].begins, self.motion.ends
        times = begin + np.arange(int(np.ceil((end - begin) * rate_hz)) + 1) / rate_hz
        held = self._kinematics.held
        positions = np.hstack([self.motion.states(times)[0], np.tile(held.positions, (len(times), 1))])
        return Clip(times - begin, self.names + held.names, positions, source=f"drawn live, {self._character.name}")

    @property
    def _reached(self) -> bool:
        return self.motion.end_distance >= self._stroke.line.length - 1e-9

    def _update(self) -> None:
        """Plans from the end of what is committed; never raises."""
        settled = self._reached and not self._planner.too_late
        if not self._stroke.begun or settled or self._stuck_at == self._stroke.line.length:
            return
        self._tried = self._now
        begin = clock.perf_counter()
        rests = self._now + self._commit >= self.motion.ends
        try:
            plan = self._planner.planned(self.motion, self._stroke, self._now + self._commit)
        except Exception as error:  # a robot that moves must get its next command, whatever went wrong
            plan = None
            if len(self._notes) < _MOST_NOTES:
                self._notes[str(error)] = None
        if plan is None:
            self._kept += 1
            if rests:  # trying the same again would end the same
                self._stuck_at = self._stroke.line.length
        else:
            self.motion.append(plan)
            self._tell(self._planner.deviation)
        self._seconds.append(clock.perf_counter() - begin)

    def _tell(self, deviation: float) -> None:
        """Says once what a person should know of the last plan."""
        self._deviation = max(self._deviation, deviation)
        if max(deviation, self._stroke.beyond) > _FAR * self._detail:
            self._notes.setdefault("Part of the stroke is out of reach; the robot goes as near as it can.", None)
        if self._planner.shortened:
            self._notes.setdefault("The robot could not keep up, and left out some of what was drawn.", None)


def _check(wishes: Wishes, commit_s: float, detail_m: float | None, approach_speed: float, lift_m: float) -> None:
    """Raises where an option is out of range."""
    values = {"delay_s": wishes.delay_s, "commit_s": commit_s, "beta": wishes.beta, "gamma": wishes.gamma}
    for name, value in {**values, "lift_m": lift_m}.items():
        if not (np.isfinite(value) and value >= 0.0):
            raise OptionError(f"`{name}` is a number 0 or more; given {value}.")
    if not wishes.longest_lag_s >= 0.0:
        raise OptionError(f"`longest_lag_s` is 0 s or more; given {wishes.longest_lag_s}.")
    if wishes.beta == 0.0 and wishes.gamma == 0.0:
        raise OptionError("With `beta` and `gamma` both 0 nothing is wanted; give one of them a weight.")
    if not (np.isfinite(approach_speed) and approach_speed > 0.0):
        raise OptionError(f"`approach_speed` is a number above 0 m/s; given {approach_speed}.")
    if detail_m is not None and not (np.isfinite(detail_m) and detail_m > 0.0):
        raise OptionError(f"`detail_m` is a number above 0; given {detail_m}.")


def off_the_board(board: Plane, place: np.ndarray) -> np.ndarray:
    """The way off a board on the side on which a place is, upward where that is on the board itself; a unit vector."""
    normal: np.ndarray = np.cross(board.u, board.v)
    side = float(normal @ (place - board.origin))
    if abs(side) < 1e-6:
        side = float(normal[2])
    return -normal if side < 0.0 else normal


def warm_up(character: Character, points: tuple[str, ...], start: Posture | None, wishes: Wishes) -> Loop:
    """Draws a small wave in the air with a loop of its own: all that is compiled is then there when it is needed.

    That loop does not wait for the hand, so that plans take over while the robot moves, and it shortens lines.
    """
    loop = Loop(
        character,
        points,
        start=start,
        delay_s=0.0,
        longest_lag_s=0.0,
        beta=wishes.beta,
        gamma=wishes.gamma,
        torque=wishes.torque,
        warm=False,
    )
    first = loop.points_at(0.0)[0]
    for k in range(_WARM_SAMPLES):
        turn = 0.2 * k
        loop.add(first + loop.detail_m * np.array([np.sin(turn), turn, 1.0 - np.cos(turn)]), 0.02 * k)
        loop.command(0.02 * k)
        _ = loop.lag_s
    loop.finish()
    loop.advance(1.0)
    return loop


def posture_at(character: Character, points: str | Sequence[str], place: ArrayLike, start: Posture | str) -> Posture:
    """A posture with the points of a robot at a place, from which a stroke can begin there.

    Args:
        character: The robot.
        points: Its point, or points.
        place: [m], [3] or [point, 3]; where it is out of reach, as near as the robot gets.
        start: Posture near which it is sought.
    """
    posture = Posture.named(character, start) if isinstance(start, str) else start
    named = (points,) if isinstance(points, str) else tuple(points)
    kinematics: PointKinematics = build_point_kinematics(character, named, start=posture)
    target = np.asarray(place, dtype=np.float64).reshape(1, len(named), 3)
    q = kinematics.start[None]
    for _ in range(60):
        q = step_towards(kinematics, q, target, damping=1e-6)
    return Posture(kinematics.names + kinematics.held.names, np.concatenate([q[0], kinematics.held.positions]))
