"""One source from its first frame to its last, or to the soft stop before."""

from __future__ import annotations

import time
from array import array
from dataclasses import replace

import numpy as np

from animato.stage.playing.streaming.braking import Braking
from animato.stage.playing.streaming.clock import Clock, Tick
from animato.stage.playing.streaming.ensemble import Ensemble
from animato.stage.playing.streaming.fault import Fault, FaultKind
from animato.stage.playing.streaming.guard import Guard
from animato.stage.playing.streaming.options import Options
from animato.stage.playing.streaming.source import Source
from animato.stage.playing.streaming.stream_report import StreamReport
from animato.stage.playing.streaming.watch import Watch
from animato.stage.rig import Rig

_RESERVE_S = 1.5e-3  # kept free before the next frame is due
_LEAST_POLL_S, _MOST_POLL_S = 1e-3, 4e-3
_STILL = 1e-3  # [rad/s or m/s]: slower than this is standing
_CALM_POLLS = 5  # in a row in which all is well, before a performance that waited goes on
_SETTLING_S = 1.0  # in which what was held back may still arrive


class Run:
    """The loop around one source. Nothing in it raises.

    Args:
        rig: Whose servos.
        ensemble: How they are told.
        guard: What they may be told; it knows where they are.
        options: What is too much.
        source: What they should do.
        begun_s: Time that was streamed before [s]; faults are told in the time since the stream began.
        despite: Kinds of trouble that are known and borne.
        record: Whether to keep what was sent.
    """

    def __init__(
        self,
        rig: Rig,
        ensemble: Ensemble,
        guard: Guard,
        options: Options,
        source: Source,
        begun_s: float,
        *,
        despite: frozenset[FaultKind] = frozenset(),
        record: bool,
    ) -> None:
        self._rig, self._ensemble, self._guard, self._options = rig, ensemble, guard, options
        self._source: Source | None = source
        self._begun_s = begun_s
        self.clock = Clock(options.send_rate_hz)
        self._watch = Watch(rig, options, ensemble.ahead_s, despite, ensemble.round_of)
        self._wanted = guard.position.copy()
        self._time_s: float | None = None
        self._braking: tuple[float, Braking] | None = None
        self._waiting: Fault | None = None  # for a servo that is silent
        self._calm = 0
        self._eased: tuple[float, float, float] | None = None  # went on: when, at what time of the source, how softly
        self._pauses, self._paused_s = 0, 0.0
        self._ending_s: float | None = None  # when the source had no more to say
        self._settled = 0
        self._fault: Fault | None = None
        self._noticed_s: float | None = None
        self._stood_s: float | None = None
        self._stopped = False
        self._frames = self._missed = 0
        self._unsent, self._held_back = ensemble.unsent, guard.held_back
        self._dead, self._lost = len(ensemble.dead), ensemble.lost
        self._lateness, self._sent_s, self._due_s = array("d"), array("d"), array("d")
        self._told: list[np.ndarray] | None = [] if record else None
        self.is_over = False

    def frame(self, *, stop: bool, hold: bool) -> None:
        """Waits for the next frame, tells the servos, and hears what they say.

        Args:
            stop: Whether a soft stop is wished for.
            hold: Whether everything is to hold at once.
        """
        tick = self.clock.wait()
        if hold:
            self._hold()
            return
        if self._time_s is not None and tick.late_s > self._options.longest_lag_s:
            self._starved(tick)
            return
        if stop and (self._braking is None or self._waiting is not None):
            self._brake(None)
        self._missed += tick.missed
        step_s = self.clock.period_s if self._time_s is None else tick.time_s - self._time_s
        wanted = self._next(tick.time_s)
        slow_s = time.monotonic() - self.clock.start_s - tick.time_s  # the source took its time
        if slow_s > self._options.longest_lag_s:
            self._starved(tick._replace(late_s=slow_s))
            return
        position = self._guard.step(wanted, step_s)
        self._time_s = tick.time_s
        told = self._ensemble.send(position, time.monotonic() + self._ensemble.ahead_s)
        sent_s = time.monotonic()
        self._frames += 1
        self._lateness.append(max(tick.late_s, sent_s - tick.due_s, 0.0))
        if self._told is not None:
            self._sent_s.append(sent_s)
            self._due_s.append(tick.due_s)
            self._told.append(told)
        self._watch.note(told, tick.time_s)
        self._listen(tick)
        self._look_for_the_end(tick)

    def _next(self, time_s: float) -> np.ndarray:
        """What is wanted for a time [rad or m]; finite, always."""
        if self._braking is not None:
            self._wanted = self._braking[1](time_s - self._braking[0])
        elif self._ending_s is None and self._source is not None:
            try:
                values = self._source(self._source_time(time_s))
                if values is None:
                    self._ending_s = time_s
                    values = self._last()
                values = np.asarray(values, dtype=np.float64)
                if values.shape != self._wanted.shape or not np.all(np.isfinite(values)):
                    raise ValueError("it gave numbers that are not finite, or not one for each coordinate")
                self._wanted = values
            except Exception as error:  # a source is anybody's code
                self._source = None
                what = f"What gives the positions failed: {str(error).rstrip('.') or type(error).__name__}."
                self._brake(self._about(FaultKind.SOURCE, time_s, what))
                if self._braking is not None:
                    self._wanted = self._braking[1](time_s - self._braking[0])
        return self._wanted

    def _source_time(self, time_s: float) -> float:
        """The source's own time [s]: a path waits where the performance did, and goes on as softly as it stopped."""
        if self._eased is None:
            return time_s
        resumed_s, at_s, soft_s = self._eased
        since = time_s - resumed_s
        return at_s + (since * since / (2.0 * soft_s) if since < soft_s else since - 0.5 * soft_s)

    def _last(self) -> np.ndarray:
        """The last pose of a source that knows its length; else what was wanted last."""
        duration = getattr(self._source, "duration_s", None)
        last = None if duration is None or self._source is None else self._source(duration)
        return self._wanted if last is None else last

    def _listen(self, tick: Tick) -> None:
        """Asks the servos how they are, and begins a soft stop where one is not well or a bus is gone."""
        if len(self._ensemble.dead) > self._dead:
            self._dead = len(self._ensemble.dead)
            bus, why = list(self._ensemble.dead.items())[-1]
            what = f"Bus '{self._rig.buses[bus].name}' is gone: {why}"
            self._brake(self._about(FaultKind.LINE, tick.time_s, what, self._rig.members[bus]))
        left = self.clock.left_s() - _RESERVE_S
        if left < _LEAST_POLL_S:
            return
        heard = self._ensemble.poll(min(left, _MOST_POLL_S))
        fault = self._watch.judge(heard, tick.time_s)
        if fault is None:
            self._calm += 1
            return
        self._calm = 0
        fault = replace(fault, when_s=self._begun_s + tick.time_s, at_s=time.monotonic())
        silent = fault.kind in (FaultKind.SILENT, FaultKind.LINE)
        if self._waiting is not None and silent:
            return
        if silent and self._braking is None and self._options.wait_s > 0.0:
            self._waiting, self._noticed_s = fault, time.monotonic()
            self._slow_down()
        else:
            self._brake(fault)

    def _brake(self, fault: Fault | None) -> None:
        """Begins a soft stop, unless one is under way; the first fault is the one that is told."""
        if self._fault is None:
            self._fault = fault
        if self._noticed_s is None:
            self._noticed_s = time.monotonic()
        self._stopped, self._waiting = True, None
        if len(self._ensemble.dead) == len(self._ensemble.lines):
            self._stand()
        if self._braking is None:
            self._slow_down()

    def _slow_down(self) -> None:
        now = 0.0 if self._time_s is None else self._time_s
        ahead = self._source if self._ending_s is None else None
        guard = self._guard
        at = self._source_time(now)
        self._braking = now, Braking(self._rig, ahead, at, guard.position, guard.velocity, self._options.stop_s)

    def _waited(self, time_s: float) -> None:
        """Everything stands for a servo that is silent: goes on where it answers again, and ends where it does not."""
        assert self._braking is not None
        self._stood_s = self._stood_s or time.monotonic()
        began, brake = self._braking
        if self._calm >= _CALM_POLLS:
            if getattr(self._source, "is_path", False):
                self._eased = time_s, self._source_time(began) + 0.5 * brake.duration_s, brake.duration_s
            self._pauses += 1
            self._paused_s += time_s - began
            self._braking = self._waiting = self._noticed_s = self._stood_s = None
        elif time_s - began > self._options.wait_s:
            self._brake(self._waiting)

    def _starved(self, tick: Tick) -> None:
        """The computer was away: servos have stood since the last frame, or their watchdogs have stopped them."""
        away = f"{1e3 * tick.late_s:.0f} ms"
        what = f"No frame could be sent for {away}: the computer was busy, the source slow, or the program halted."
        self._fault = self._fault or self._about(FaultKind.LATE, tick.time_s, what)
        self._noticed_s = self._noticed_s or time.monotonic()
        self._stopped = True
        self._missed += tick.missed + 1
        self._guard.begin(self._guard.position)
        self._ensemble.revive(self._guard.position, tick.late_s + self.clock.period_s)
        self._stand()

    def _hold(self) -> None:
        self._stopped = True
        self._noticed_s = self._noticed_s or time.monotonic()
        self._ensemble.hold()
        self._begin_where_it_stands()

    def _begin_where_it_stands(self) -> None:
        """What was in motion stands where it was stopped, not where it was told to be later; what rests, rests."""
        position, moved = self._guard.position, self._guard.velocity != 0.0
        self._guard.begin(np.where(moved, self._ensemble.stands(position), position) if np.any(moved) else position)
        self._stand()

    def _stand(self) -> None:
        self._stood_s = self._stood_s or time.monotonic()
        self.is_over = True

    def _look_for_the_end(self, tick: Tick) -> None:
        """Over when everything stands and the last position has reached the last bus."""
        if self._braking is None and self._ending_s is None:
            return
        speed = float(np.max(np.abs(self._guard.velocity), initial=0.0))
        if self._braking is not None:
            since = tick.time_s - self._braking[0]
            done = self._braking[1].is_over(since)
            late = since > self._braking[1].duration_s + _SETTLING_S
            if self._waiting is not None:
                if done and speed < _STILL:
                    self._waited(tick.time_s)
                return
        else:
            assert self._ending_s is not None
            done, late = True, tick.time_s - self._ending_s > _SETTLING_S
        if (done and speed < _STILL) or late:
            self._stood_s = self._stood_s or time.monotonic()
            self._settled += 1
            self.is_over = self.is_over or self._settled > self._ensemble.delay_frames

    def _about(self, kind: FaultKind, time_s: float, what: str, slots: tuple[int, ...] = ()) -> Fault:
        names = tuple(self._rig.names[slot] for slot in slots)
        return Fault(kind, self._begun_s + time_s, what, names, time.monotonic())

    def report(self) -> StreamReport:
        """What became of it."""
        warmest = self._watch.warmest
        stopped = self._noticed_s is not None and self._stood_s is not None
        return StreamReport(
            frames=self._frames,
            seconds=time.monotonic() - self.clock.start_s,
            missed=self._missed,
            unsent=self._ensemble.unsent - self._unsent,
            unanswered=self._watch.unanswered + self._ensemble.lost - self._lost,
            pauses=self._pauses,
            paused_s=self._paused_s,
            held_back=self._guard.held_back - self._held_back,
            lateness_s=np.array(self._lateness),
            positions=self._guard.position.copy(),
            fault=self._fault,
            stopped=self._stopped,
            stop_s=self._stood_s - self._noticed_s if stopped else 0.0,  # type: ignore[operator]
            warmest=warmest if np.isfinite(warmest[0]) else None,
            sent_s=np.array(self._sent_s) if self._told is not None else None,
            due_s=np.array(self._due_s) if self._told is not None else None,
            told=np.array(self._told) if self._told is not None else None,
        )
