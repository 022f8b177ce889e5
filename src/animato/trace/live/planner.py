"""Makes the next plan of a live loop: on the line as drawn, or on a shorter one where the robot would come too late."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.character import Character
from animato.errors import MotionError
from animato.mechanics.tree import PointKinematics
from animato.trace.live.drawing import STRAIGHT, GrowingLine, LiveStroke, shorter_line
from animato.trace.live.motion import LiveMotion, LivePlan
from animato.trace.live.path import fit_tail
from animato.trace.live.timing import Leaving, time_tail

LOOK_AHEAD = 40
"""Pieces of the path that a plan is made of at most: what an update costs is bounded."""

_COARSER = (1.0, 4.0, 16.0)  # times the length of a piece, where the robot rests and finds no way
_OF_LEVELS = (1.0, 1.0, 1.5, 2.0, 3.0)  # times the length of a piece, on shorter and shorter lines
_TRIES = 2  # lines an update: it has to be made in time
_EARLY = 0.4  # of the longest lag: where it is less, the line may be longer again
_MUCH = 2.0  # times the longest lag: where it is more, lines are shortened in larger steps


class Wishes(NamedTuple):
    """What is wanted of a plan.

    Attributes:
        delay_s: How far behind the hand the robot aims to be [s].
        longest_lag_s: How much later than that it may be [s].
        beta: Weight of the timing error [1/s^2].
        gamma: Weight of the duration [1/s].
        torque: Whether torque limits hold.
    """

    delay_s: float
    longest_lag_s: float
    beta: float
    gamma: float
    torque: bool


class _Found(NamedTuple):
    """A plan, the line it follows, by how much it is late [s] and how far it is off [m]."""

    plan: LivePlan
    line: GrowingLine
    late: float
    deviation: float


class Planner:
    """Plans from a moment on, along what was drawn.

    Args:
        character: The robot.
        kinematics: Of its points.
        detail: Length of the pieces of a path [m].
        square_lever: What joints move points by, squared [m^2/rad^2].
        wishes: What is wanted.

    Attributes:
        level: How much shorter than the drawing the line is now: 0 to STRAIGHT.
        deviation: Of the last plan from its line [m].
        late_s: By how much the last plan is later than wanted, at most [s].
        shortened: Plans that followed a shorter line.
    """

    def __init__(
        self,
        character: Character,
        kinematics: PointKinematics,
        detail: float,
        square_lever: float,
        wishes: Wishes,
    ) -> None:
        self._character, self._kinematics = character, kinematics
        self._detail, self._square_lever, self._wishes = detail, square_lever, wishes
        self.level, self.deviation, self.shortened, self.late_s = 0, 0.0, 0, 0.0
        self._followed = 0  # level of the line that the last plan follows

    @property
    def too_late(self) -> bool:
        """Whether the last plan is later than it may be, and a shorter line is left to try."""
        return self.late_s > self._wishes.longest_lag_s and self._followed < STRAIGHT

    def planned(self, motion: LiveMotion, stroke: LiveStroke, moment: float) -> LivePlan | None:
        """A plan from a moment on [s], and the line of the stroke as that plan follows it.

        Where the plan is later than it may be, or there is none, shorter lines are tried, and kept for the plans after
        it until the robot has caught up.

        Raises:
            MotionError: Gravity alone is too much on the way.
        """
        best: _Found | None = None
        failure: MotionError | None = None
        level = self.level
        for _ in range(_TRIES):
            line = self._line(motion, stroke, moment, level)
            try:
                found = self._on_line(motion, line, moment, _OF_LEVELS[level])
            except MotionError as error:
                found, failure = None, error
            if found is not None and (best is None or found.late < best.late):
                best, self.level = found, level
            late = np.inf if found is None else found.late
            if late <= self._wishes.longest_lag_s or level == STRAIGHT:
                break
            level = min(level + (2 if np.isfinite(late) and late > _MUCH * self._wishes.longest_lag_s else 1), STRAIGHT)
        if best is None:
            if self._is_late(motion, stroke, moment):
                self.level = level
            if failure is not None:
                raise failure
            return None
        stroke.line, self.deviation, self.late_s = best.line, best.deviation, best.late
        self._followed = self.level
        self.shortened += self.level > 0
        if best.late < _EARLY * self._wishes.longest_lag_s:
            self.level = max(self.level - 1, 0)
        return best.plan

    def _line(self, motion: LiveMotion, stroke: LiveStroke, moment: float, level: int) -> GrowingLine:
        """The line as it is, or the drawing from here on, shortened."""
        if level == 0 and self._followed == 0:
            return stroke.line
        distance = motion.course(moment)[0]
        earliest = moment - self._wishes.delay_s - self._wishes.longest_lag_s
        return shorter_line(stroke.line, stroke.drawn, distance, level, earliest)

    def _is_late(self, motion: LiveMotion, stroke: LiveStroke, moment: float) -> bool:
        """Whether the robot is later than it may be where it is."""
        here = float(stroke.line.time_of(np.array([motion.course(moment)[0]]))[0])
        return moment - here - self._wishes.delay_s > self._wishes.longest_lag_s

    def _on_line(self, motion: LiveMotion, line: GrowingLine, moment: float, wider: float) -> _Found | None:
        """A plan on a line; where the robot rests and cannot follow, one along a smoother path."""
        found: _Found | None = None
        rests = motion.course(moment)[3].at_rest
        for coarser in _COARSER if rests else _COARSER[:1]:
            try:
                found = self._with_pieces(motion, line, moment, coarser * wider * self._detail)
            except MotionError:
                if not rests or coarser == _COARSER[-1]:
                    raise
            if found is not None:
                break
        return found

    def _with_pieces(self, motion: LiveMotion, line: GrowingLine, moment: float, detail: float) -> _Found | None:
        """A plan whose path is made of pieces of some length [m]."""
        distance, speed, push, course = motion.course(moment)
        end = min(line.length, distance + LOOK_AHEAD * max(detail, self._detail))
        length = end - distance
        if length < 1e-6:
            return None
        fit = fit_tail(
            self._kinematics,
            line,
            distance,
            end,
            course,
            motion.guess(distance, end, 2 * LOOK_AHEAD),
            detail=detail,
            square_lever=self._square_lever,
            rest=self._kinematics.start,
        )
        drawn = line.time_of(np.linspace(distance, end, 4 * LOOK_AHEAD)) + self._wishes.delay_s - moment
        scaling = time_tail(
            self._character,
            fit.path,
            drawn,
            Leaving((speed / length) ** 2, push / length),
            beta=self._wishes.beta,
            gamma=self._wishes.gamma,
            torque=self._wishes.torque,
        )
        if scaling is None:
            return None
        wanted = np.interp(scaling.s, np.linspace(0.0, 1.0, len(drawn)), drawn)
        late = float(np.max(scaling.times + scaling.waits - wanted))
        return _Found(LivePlan(moment, distance, end, fit.path, scaling), line, late, fit.deviation)
