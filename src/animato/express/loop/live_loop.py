"""The live loop: targets at any rate in, joint commands at a fixed rate out.

As in Ribeiro and Paiva (Expressive Inverse Kinematics Solving in Real-time for Virtual and Robotic Interactive
Characters, 2019) the solver and the output are decoupled: the solver works on the newest target, the motion filter
makes a command every frame, whether there is a new solution or not. Inside the loop nothing raises: what goes wrong
leaves the last good set-points in place, is counted, and stands in the report.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import AnimatoError, OptionError
from animato.express.filter import MotionFilter, manner_of
from animato.express.loop.clock import Clock, RealClock
from animato.express.loop.real_time import in_real_time
from animato.express.loop.report import LoopReport
from animato.express.loop.solver_thread import SolverThread
from animato.express.loop.tallies import LoopTallies
from animato.express.loop.target_follower import Aimed, TargetFollower
from animato.express.problem import Problem, Said, Target, as_target, parse_target
from animato.express.tracking import FollowerBuilder, build_follower
from animato.express.warp import IdleLayer
from animato.motion import Clip, frozen_array

_STILL = 1e-3  # [rad or m, and per second] within which the joints have arrived
_GRACE_S = 10.0  # for arriving after the last target


@dataclass(frozen=True, eq=False)
class Command:
    """What to send to the joints now.

    Attributes:
        time_s: Since the loop began [s]; the first command is one frame after the start.
        names: Coordinates of the chain.
        positions: [rad or m], [n].
        velocities: [rad/s or m/s], [n].
        error_rad: Angle by which these positions are off the newest target; 0 before there is one [rad].
        changing: Whether the set-points are on the way from one branch of solutions to another.
        warnings: Kinds of what went wrong since the command before.
    """

    time_s: float
    names: tuple[str, ...]
    positions: np.ndarray
    velocities: np.ndarray
    error_rad: float
    changing: bool
    warnings: tuple[str, ...]


class TargetSource(Protocol):
    """Where targets come from while the loop runs."""

    @property
    def ended(self) -> bool:
        """Whether nothing will come any more."""

    def poll(self, time_s: float) -> Sequence[Target | Said | str]:
        """What is new by a time since the loop began [s], as targets or as lines that say them."""


class Loop:
    """Holds a posture while the end-point faces targets that come in live.

    Args:
        problem: Who holds what, and how; its own targets are played by `solve`, not here.
        start: Where the joints are now [rad or m], [n]; in the posture where not given.
        record: Whether to keep all commands, for `clip`.
        build: Makes the solver that follows a moving orientation.

    Raises:
        MotionError: The start is outside the limits.
        OptionError: `smoothness` or another part of the manner does not fit the joints.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        start: ArrayLike | None = None,
        record: bool = False,
        build: FollowerBuilder = build_follower,
    ) -> None:
        if not isinstance(problem, Problem):
            raise OptionError(f"`problem` must be made by express.build(character, posture), not {problem!r:.60}.")
        options, held = problem.options, problem.held
        self.problem, self.chain, self.rate_hz = problem, problem.chain, float(options.rate_hz)
        self._solve_every = int(options.solve_every)
        self._filter = MotionFilter(
            self.chain.limits,
            options.rate_hz,
            **manner_of(problem.character, self.chain.names, options),
        )
        begin = held if start is None else frozen_array(start, held.shape, "The positions to start from")
        self._filter.reset(begin)
        self._aim = TargetFollower(problem, build)
        self._aim.reset(begin)
        self._filter.step(begin)  # compiles its kernel
        self._filter.reset(begin)
        self._idle = _idle_layer(problem)
        self._tallies = LoopTallies(self.chain.limits, self.rate_hz)
        self._begin = self._set_points = begin.copy()
        self._kept: list[Command] | None = [] if record else None
        self._frame = 0
        self._target: Target | None = None
        self._aimed: Aimed | None = None
        self._clock: Clock = RealClock()
        self._stop = threading.Event()
        self._ended_at = math.inf

    @property
    def time_s(self) -> float:
        """When the next command is due, since the loop began [s]."""
        return (self._frame + 1) / self.rate_hz

    @property
    def target(self) -> Target | None:
        """The newest target; None where there has been none."""
        return self._target

    @property
    def arrived(self) -> bool:
        """Whether the joints stand where the newest target has them, or breathe there, or there has been no target."""
        if self._target is None:
            return True
        aimed = self._aimed
        if aimed is None or aimed.target is not self._target:
            return False
        away = np.abs(self._filter.positions - aimed.positions).max()
        if self._idle is not None:
            return bool(away < self.problem.options.idle_amplitude_rad + _STILL)
        return bool(max(away, np.abs(self._filter.velocities).max()) < _STILL)

    @property
    def commands(self) -> tuple[Command, ...]:
        """All commands so far; needs `record`."""
        if self._kept is None:
            raise OptionError("Commands were not kept; build the loop with `record=True`.")
        return tuple(self._kept)

    def submit(self, target: Target | ArrayLike) -> bool:
        """Takes a new target; any thread may call it, at any rate, and the newest counts.

        Args:
            target: A target, or 3 numbers (a point [m]), or 4 (an orientation wxyz).

        Returns:
            Whether it was taken. One that is no target is counted as a warning and changes nothing.
        """
        try:
            self._target = as_target(target)
        except (AnimatoError, ArithmeticError, TypeError, ValueError) as error:
            self._tallies.warn("bad target", error)
            return False
        return True

    def submit_line(self, line: str) -> bool:
        """Takes a target as `parse_target` reads it; returns and warns like `submit`."""
        try:
            self._target = parse_target(line)
        except (AnimatoError, ArithmeticError, TypeError, ValueError) as error:
            self._tallies.warn("bad line", error)
            return False
        return True

    def stop(self) -> None:
        """Ends a `run` or `play` after the frame at hand, or the next one at once; any thread may call it."""
        self._stop.set()

    def step(self) -> Command:
        """The next command, solved here and now: the same targets always give the same commands. Never raises."""
        if self._frame % self._solve_every == 0:
            self._solve()
        return self._output()

    def play(
        self,
        sink: Callable[[Command], Any] | None = None,
        *,
        seconds: float | None = None,
        source: TargetSource | None = None,
    ) -> LoopReport:
        """Steps as fast as it can, in the loop's own time; arguments as for `run`."""
        last = self._last_frame(seconds)
        while not self._over(last, source):
            self._take(source)
            self._give(sink, self.step())
        self._stop.clear()
        return self.report()

    def run(
        self,
        sink: Callable[[Command], Any] | None = None,
        *,
        seconds: float | None = None,
        source: TargetSource | None = None,
        clock: Clock | None = None,
        threaded: bool = True,
    ) -> LoopReport:
        """Gives commands in real time, on a schedule that does not drift.

        A frame that comes so late that the next is due already is a missed deadline. Frames are then left out, never
        sent in a burst: between any two commands the joints move by one frame.

        Args:
            sink: Gets every command; what it raises is counted as a warning.
            seconds: How long [s]. Without, until `stop`, or until the source has ended and the joints have arrived.
            source: Where targets come from, besides `submit`.
            clock: The time to live by.
            threaded: Whether the solver works in a thread of its own, so that the output never waits for it.
        """
        self._clock = clock or RealClock()
        last, period = self._last_frame(seconds), 1.0 / self.rate_hz
        solver = SolverThread(self._solve) if threaded else None
        self._tallies.watch(sink, source)
        try:
            with in_real_time():
                due = self._clock.now()
                while not self._over(last, source):
                    self._clock.wait_until(due)
                    self._tallies.frame_began(self._clock.now())
                    self._take(source)
                    if self._frame % self._solve_every == 0:
                        if solver is None:
                            self._solve()
                        elif not solver.trigger():
                            self._tallies.warn("solver late", "a solution took longer than the time to the next")
                    self._give(sink, self._output())
                    now = self._clock.now()
                    self._tallies.frame_ended(due, now)
                    due += period + max(0.0, math.floor((now - due - period) * self.rate_hz) * period)
        finally:
            self._stop.clear()
            self._tallies.run_ended()
            if solver is not None:
                solver.close()
        return self.report()

    def report(self) -> LoopReport:
        """The figures so far."""
        return self._tallies.report()

    def clip(self) -> Clip:
        """All commands so far as a motion of the whole character, from the start; needs `record`."""
        posture = self.problem.posture
        chain = np.array([self._begin, *(command.positions for command in self.commands)])
        positions = np.tile(posture.positions, (len(chain), 1))
        positions[:, [posture.names.index(name) for name in self.chain.names]] = chain
        source = f"{posture.source or 'a posture'}, facing targets"
        return Clip(np.arange(len(chain)) / self.rate_hz, posture.names, positions, source=source)

    def _solve(self) -> None:
        """Set-points for the newest target; leaves the last ones where that fails."""
        target = self._target
        if target is None:
            return
        begin = self._clock.now()
        try:
            aimed = self._aim.update(target)
        except Exception as error:  # whatever a solver does, the character goes on
            self._tallies.warn("solver failed", error)
            return
        self._tallies.solved(aimed, self._clock.now() - begin)
        self._aimed = aimed

    def _output(self) -> Command:
        """The filter's next command toward the newest set-points."""
        aimed, target = self._aimed, self._target
        try:
            if aimed is not None:
                self._set_points = aimed.positions
            if self._idle is not None:
                self._set_points = self._idle.offsets(self.time_s, self._set_points)
            self._filter.step(self._set_points)
            error = 0.0 if target is None else self._aim.error_of(self._filter.positions, target)
            self._tallies.commanded(self._filter, None if target is None else error)
        except Exception as problem:
            self._tallies.warn("output failed", problem)
            error = math.nan
        self._frame += 1
        command = Command(
            self._frame / self.rate_hz,
            self.chain.names,
            self._filter.positions,
            self._filter.velocities,
            error,
            aimed is not None and aimed.changing,
            self._tallies.new_warnings(),
        )
        if self._kept is not None:
            self._kept.append(command)
        return command

    def _last_frame(self, seconds: float | None) -> float:
        """After which frame to end; infinite where time does not say."""
        if seconds is None:
            return math.inf
        if not (math.isfinite(seconds) and seconds >= 0.0):
            raise OptionError(f"`seconds` must be a number, 0 or more, not {seconds}.")
        return self._frame + round(seconds * self.rate_hz)

    def _over(self, last: float, source: TargetSource | None) -> bool:
        """Whether there is no next frame."""
        if self._stop.is_set() or self._frame >= last:
            return True
        if source is None or last < math.inf or not source.ended:
            self._ended_at = math.inf
            return False
        self._ended_at = min(self._ended_at, self.time_s)
        return self.arrived or self.time_s > self._ended_at + _GRACE_S

    def _take(self, source: TargetSource | None) -> None:
        """Submits what a source has."""
        if source is None:
            return
        try:
            news = source.poll(self.time_s)
        except Exception as error:
            self._tallies.warn("source failed", error)
            return
        for one in news:
            if isinstance(one, str):
                self.submit_line(one)
            elif isinstance(one, Target):
                self.submit(one)

    def _give(self, sink: Callable[[Command], Any] | None, command: Command) -> None:
        """Hands a command out."""
        try:
            if sink is not None:
                sink(command)
        except Exception as error:
            self._tallies.warn("sink failed", error)


def _idle_layer(problem: Problem) -> IdleLayer | None:
    """What breathes, where it is wished for."""
    options = problem.options
    if not options.idle:
        return None
    return IdleLayer(
        problem.chain,
        seed=int(options.idle_seed),
        amplitude_rad=options.idle_amplitude_rad,
        rate_hz=options.idle_rate_hz,
    )
