"""The live loop: targets and postures at any rate in, joint commands at a fixed rate out.

As in Ribeiro and Paiva (Expressive Inverse Kinematics Solving in Real-time for Virtual and Robotic Interactive
Characters, 2019) the solver and the output are decoupled: the solver works on the newest target, the motion filter
makes a command every frame, whether there is a new solution or not. What happens in a frame is the `Pipeline`; here is
when it happens, what comes in and what goes out. Inside the loop nothing raises: what goes wrong leaves the last good
set-points in place, is counted, and stands in the report.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import ArrayLike

from animato.errors import AnimatoError, OptionError
from animato.express.loop.clock import Clock, RealClock
from animato.express.loop.command import Command, TargetSource
from animato.express.loop.pipeline import Pipeline
from animato.express.loop.real_time import in_real_time
from animato.express.loop.recording import Recording
from animato.express.loop.report import LoopReport
from animato.express.loop.solver_follower import follower_by_method
from animato.express.loop.solver_thread import SolverThread
from animato.express.loop.tallies import LoopTallies
from animato.express.postures import SomePosture
from animato.express.problem import Problem, Said, Target, as_target, parse_line
from animato.express.tracking import FollowerBuilder
from animato.mechanics.tree import Chain
from animato.motion import Clip, Posture

_GRACE_S = 10.0  # for arriving after the last target
_WRONG = (AnimatoError, ArithmeticError, AttributeError, TypeError, ValueError)  # that what comes in may be


class Loop:
    """Holds a posture, or performs a clip, while end-points face targets that come in live.

    Args:
        problem: Who holds what, and how; its own targets are played by `solve`, not here.
        start: Where the coordinates that move are now [rad or m], [n]; in the posture where not given.
        record: Whether to keep all commands, for `clip`.
        build: Makes the solver that follows a moving orientation.
        whole_body: Whether all joints are commanded, those that move no end-point as the posture or the clip has them;
            where not given, whether the problem has a clip.
        repeat: Whether the problem's clip begins anew whenever it has ended.

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
        build: FollowerBuilder = follower_by_method,
        whole_body: bool | None = None,
        repeat: bool = False,
    ) -> None:
        if not isinstance(problem, Problem):
            raise OptionError(f"`problem` must be made by express.build(character, posture), not {problem!r:.60}.")
        self.problem, self.rate_hz = problem, float(problem.options.rate_hz)
        self._solve_every = int(problem.options.solve_every)
        self._pipeline = Pipeline(
            problem,
            start=start,
            build=build,
            whole_body=problem.clip is not None if whole_body is None else whole_body,
            repeat=repeat,
        )
        self._tallies = LoopTallies(self._pipeline.limits, self.rate_hz)
        self._kept: list[Command] | None = [] if record else None
        self._recording = Recording(self._pipeline, record)
        self._frame = 0
        self._newest: Target | None = None
        self._clock: Clock = RealClock()
        self._stop = threading.Event()
        self._ended_at = math.inf

    @property
    def chain(self) -> Chain:
        """To the most important end-point."""
        return self.problem.chain

    @property
    def names(self) -> tuple[str, ...]:
        """Coordinates that are commanded."""
        return self._pipeline.names

    @property
    def time_s(self) -> float:
        """When the next command is due, since the loop began [s]."""
        return (self._frame + 1) / self.rate_hz

    @property
    def target(self) -> Target | None:
        """The newest target; None where there has been none, or it was released."""
        return self._newest if self._newest in self._pipeline.targets.values() else None

    @property
    def targets(self) -> Mapping[str, Target]:
        """What is faced now, by end-point."""
        return self._pipeline.targets

    @property
    def posture(self) -> Posture:
        """What is held now, of the whole character; on its way where that changes, or a clip runs."""
        return Posture(self.problem.posture.names, self._pipeline.row, self.problem.posture.source)

    @property
    def arrived(self) -> bool:
        """Whether the joints stand where targets and posture have them, or breathe there, and no clip runs."""
        return self._pipeline.arrived(self.time_s)

    @property
    def commands(self) -> tuple[Command, ...]:
        """All commands so far; needs `record`."""
        self._recording.check()
        return tuple(self._kept or ())

    def submit(self, target: Target | ArrayLike) -> bool:
        """Takes a new target; any thread may call it, at any rate, and the newest of each end-point counts.

        Args:
            target: A target, or 3 numbers (a point [m]), or 4 (an orientation wxyz).

        Returns:
            Whether it was taken. One that is no target is counted as a warning and changes nothing.
        """
        return self._tried("bad target", lambda: self._face(as_target(target)))

    def release(self, end_point: str | None = None) -> bool:
        """Lets an end-point, or all of them, face nothing any more; returns and warns like `submit`."""
        return self._tried("bad target", lambda: self._pipeline.release(end_point))

    def hold(self, posture: SomePosture | Clip, blend_s: float | None = None, *, repeat: bool = False) -> bool:
        """Holds another posture, or performs a clip, from the next frame on; any thread may call it, at any rate.

        What is held goes there without a jump of place or speed. For a stream, such as an animation that runs
        elsewhere, call it each frame with `blend_s=0` but the first time.

        Args:
            posture: As for `build`; coordinates that it does not name stay as they are held.
            blend_s: Time in which it is reached; 0.3 s where not given [s].
            repeat: Whether a clip begins anew whenever it has ended.

        Returns:
            Whether it was taken. One that is no posture, or outside the limits, is counted as a warning and changes
            nothing.
        """
        return self._tried(
            "bad posture", lambda: self._pipeline.hold(posture, blend_s, self.time_s, files=True, repeat=repeat)
        )

    def breathe(self, on: bool) -> bool:
        """Lets the idle layer come or go, within a second; any thread may call it. Returns and warns like `submit`."""
        return self._tried("bad idle", lambda: self._pipeline.breathe(on, self.time_s))

    def say(self, said: Said) -> bool:
        """Takes all that a line can say; any thread may call it. Returns and warns like `submit`."""
        return self._tried("bad line", lambda: self._take_in(said))

    def submit_line(self, line: str) -> bool:
        """Takes what a line says, as `parse_line` reads it; returns and warns like `submit`."""
        return self._tried("bad line", lambda: self._take_in(parse_line(line)))

    def stop(self) -> None:
        """Ends a `run` or `play` after the frame at hand, or the next one at once; any thread may call it."""
        self._stop.set()

    def step(self) -> Command:
        """The next command, solved here and now: the same targets always give the same commands. Never raises."""
        self._pose()
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
            with in_real_time(first=threaded):
                due = self._clock.now()
                while not self._over(last, source):
                    self._clock.wait_until(due)
                    self._tallies.frame_began(self._clock.now())
                    self._take(source)
                    self._pose()
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
        return self._recording.performed()

    def held(self) -> Clip:
        """What was held so far, frame by frame, as a motion of the whole character; needs `record`."""
        return self._recording.held()

    def faced(self) -> tuple[Mapping[str, Target], ...]:
        """What was to be faced so far, frame by frame of `clip` and by end-point; needs `record`."""
        return self._recording.faced()

    def _tried(self, kind: str, do: Callable[[], None]) -> bool:
        """Whether something from outside could be done; what could not is counted."""
        try:
            do()
        except _WRONG as error:
            self._tallies.warn(kind, error)
            return False
        return True

    def _face(self, target: Target) -> None:
        self._pipeline.face(target)
        self._newest = target

    def _take_in(self, said: Said) -> None:
        """Does what a line says, the posture first: one that is wrong changes nothing else."""
        pipeline, posture = self._pipeline, said.posture
        if isinstance(posture, tuple) and isinstance(posture[0], tuple):
            pipeline.fit_later(posture, said.blend_s)  # whoever reads lines has no time for it
        elif posture is not None:
            pipeline.hold(posture, said.blend_s, self.time_s, files=False, repeat=False)
        pipeline.tune(said.character)
        pipeline.weigh(said.weights)
        if said.release:
            pipeline.release(said.end_point)
        if said.target is not None:
            self._face(said.target)

    def _pose(self) -> None:
        """What is held in the next frame."""
        try:
            self._pipeline.pose(self.time_s)
        except Exception as error:
            self._tallies.warn("posture failed", error)

    def _solve(self) -> None:
        """Set-points for the newest targets; leaves the last ones where that fails."""
        begin = self._clock.now()
        try:
            aimed = self._pipeline.solve(self.time_s)
        except Exception as error:  # whatever a solver does, the character goes on
            self._tallies.warn("solver failed", error)
            return
        if aimed is not None:
            self._tallies.solved(aimed, self._clock.now() - begin)

    def _output(self) -> Command:
        """The next command toward the newest set-points."""
        pipeline = self._pipeline
        error: float | None = None
        try:
            pipeline.output(self.time_s)
            error = pipeline.error_of(pipeline.filter.positions)
            self._tallies.commanded(pipeline.filter, error)
        except Exception as problem:
            self._tallies.warn("output failed", problem)
            error = math.nan
        self._frame += 1
        command = Command(
            self._frame / self.rate_hz,
            pipeline.names,
            pipeline.filter.positions,
            pipeline.filter.velocities,
            0.0 if error is None else error,
            pipeline.changing,
            self._tallies.new_warnings(),
        )
        if self._kept is not None:
            self._kept.append(command)
        self._recording.add()
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
            elif isinstance(one, Said):
                self.say(one)
            else:
                self.submit(one)

    def _give(self, sink: Callable[[Command], Any] | None, command: Command) -> None:
        """Hands a command out."""
        try:
            if sink is not None:
                sink(command)
        except Exception as error:
            self._tallies.warn("sink failed", error)
