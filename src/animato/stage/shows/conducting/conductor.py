"""Leads a show: where it is, how fast it goes on, and what a cue changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from animato.stage.playing import Move
from animato.stage.shows.clocks import Reading, ShowClock
from animato.stage.shows.conducting.travel import Travel
from animato.stage.shows.file import CueSection, Lost
from animato.stage.shows.score import End, Passage, Place, Score, Stretch

_CATCHING_UP_S = 1.0  # a lag behind the clock is made good in about this time, as far as the pace allows
_STANDS = 1e-9
_NEAR = 0.08  # a rate so near to that of the clock is drawn to it slowly


class Conductor:
    """A show as a source of positions. It never jumps: every change of plan is a change of pace, a move, or both.

    Where the show goes on as written its time runs at the rate 1. A pause lets the rate go to 0 along the path, and go
    lets it come back; a jump is a rate that goes to 0, a straight move at half of the limits, and a rate that comes
    back. A clock that leads is followed by a rate of 1 plus its lead over 1 s, inside the pace that is allowed and that
    the limits leave; a lead beyond `jump` is a jump.

    All is called from the thread of the stream but for `order`, which any thread may call.

    Args:
        score: What is performed.
        clock: Whose time it follows; its own where not given.
        emit: Given cues that go out when their time is there; must not wait.
        say: Told what happens; must not wait.
        stop_s: In which the rate goes to 0, where the limits allow [s].

    Attributes:
        moves: Ways that were not in the score: when they began [s], and what they were.
        is_over: Whether the show has come to its end.
        ended_well: Whether that was the end of the timeline.
    """

    def __init__(
        self,
        score: Score,
        *,
        clock: ShowClock | None = None,
        emit: Callable[[CueSection], None] | None = None,
        say: Callable[[str], None] | None = None,
        stop_s: float = 0.08,
    ) -> None:
        self._score, self._clock = score, clock
        self._emit, self._tell, self._stop_s = emit or (lambda _: None), say or (lambda _: None), stop_s
        self._passages = [Passage.of_clip(one.clip, score.rig) for one in score.stretches]
        self._orders: deque[str] = deque(maxlen=1000)
        self._stretch = 0
        self._travel = Travel(self._passages[0], stop_s)
        self._travel.rate = 1.0 if clock is None else 0.0  # it begins at rest
        self._sent_s = -1.0  # cues up to here have gone out
        self._bound_for: Place | None = None  # where the move that is under way leads
        self._wish: Place | None = None
        self._chasing = self._paused = self._waiting = self._stopping = False
        self._gone: dict[int, int] = {}
        self._said_of_clock = ""
        self._time_s: float | None = None
        self._most = [
            passage.most_rate(part.most_rate) for passage, part in zip(self._passages, score.stretches, strict=True)
        ]
        self.moves: list[tuple[float, Move]] = []
        self.is_over = self.ended_well = False

    def begin(self) -> None:
        """Forgets cues that came before the show began, but for one that stops it."""
        stopped = "stop" in self._orders
        self._orders.clear()
        if stopped:
            self.order("stop")

    def order(self, word: str) -> None:
        """Gives a cue: go, stop, pause, `goto NAME`, or a name that a step waits for."""
        self._orders.append(word)

    @property
    def place(self) -> Place:
        """Where the show is, or is bound for."""
        return self._bound_for or Place(self._stretch, self._travel.at_s)

    @property
    def awaited(self) -> str | None:
        """The cue that it waits for, at rest or in a loop; None where it goes on by itself."""
        stretch = self._now()
        if self._bound_for is None and (self._waiting or stretch.end is End.LOOP):
            return stretch.cue
        return None

    def __call__(self, time_s: float) -> np.ndarray | None:
        """Where the coordinates should be [rad or m]; None when the show is over."""
        step_s = 0.0 if self._time_s is None else max(time_s - self._time_s, 0.0)
        if self._time_s is None:
            self._launch()
        self._time_s = time_s
        while self._orders:
            self._obey(self._orders.popleft())
        if self.is_over:
            return None
        goal = self._goal()
        follows = self._clock is not None and goal > 0.0 and self._bound_for is None
        self._travel.go(step_s, goal, gentle=follows and abs(goal - self._travel.rate) < _NEAR)
        if self._bound_for is None:
            self._send_cues()
        here = self._travel.position
        self._turn()
        return here

    def _now(self) -> Stretch:
        return self._score.stretches[self._stretch]

    def _goal(self) -> float:
        """The rate that is wanted."""
        if self._wish is not None or self._paused or self._waiting or self._stopping or self._chasing:
            return 0.0
        if self._bound_for is not None or self._clock is None:
            return 1.0
        return self._chase(self._clock.read())

    def _chase(self, reading: Reading | None) -> float:
        clock = self._score.show.clock
        if reading is None:
            self._say_of_clock("Waits for the clock.")
            return 0.0
        if reading.lost:
            on = clock.lost is Lost.GO_ON
            self._say_of_clock(
                f"The clock is silent; the show {'goes on by its own' if on else 'holds until it is back'}."
            )
            if not on:
                return 0.0
        else:
            self._say_of_clock("")
        lead = self._wanted(reading.at_s) - self._travel.at_s
        if abs(lead) > clock.jump:
            self._tell(f"The clock is {abs(lead):.2f} s {'ahead' if lead > 0.0 else 'behind'}: the show goes there.")
            self._chasing = True
            return 0.0
        if not reading.running or (self._travel.rate <= _STANDS and lead < -0.5 * self._stop_s):
            return 0.0
        return 1.0 + float(np.clip(lead / _CATCHING_UP_S, -clock.pace, self._most[self._stretch] - 1.0))

    def _wanted(self, clock_s: float) -> float:
        """The time of the show for a time of its clock [s]."""
        at = clock_s - self._score.show.clock.offset
        return min(max(at, 0.0), self._passages[self._stretch].duration_s)

    def _say_of_clock(self, what: str) -> None:
        if what != self._said_of_clock:
            self._tell(what or "The clock is heard.")
        self._said_of_clock = what

    def _turn(self) -> None:
        """What comes next, where the path ends or everything stands for a reason."""
        travel = self._travel
        if travel.rate <= _STANDS and (self._stopping or self._wish is not None or self._chasing):
            if self._stopping:
                self.is_over = True
            elif self._wish is not None:
                self._depart(self._wish)
            else:
                self._catch_up()
        elif self._bound_for is not None:
            if travel.is_at_end:
                self._arrive(self._bound_for)
        elif self._now().loop_s is not None:
            start, end = self._now().loop_s or (0.0, 0.0)
            if travel.at_s >= end:
                travel.at_s -= end - start
                self._sent_s = start - _STANDS
        elif travel.is_at_end and not self._waiting:
            self._finish()

    def _finish(self) -> None:
        """A stretch is over, and the robot rests."""
        stretch = self._now()
        self._travel.rate = 0.0
        if stretch.end is End.WAIT:
            self._waiting = True
            self._tell(f"Waits for the cue '{stretch.cue}'.")
        elif stretch.end is End.GOTO:
            gone = self._gone[self._stretch] = self._gone.get(self._stretch, 0) + 1
            if stretch.times is None or gone <= stretch.times:
                self._depart(self._score.places[stretch.goal])
            else:
                self._gone[self._stretch] = 0
                self._next(stays=False)
        else:
            self._next(stays=True)

    def _next(self, *, stays: bool) -> None:
        """Goes on to the next stretch, which begins where the robot is where it `stays`."""
        self._waiting = False
        following = self._stretch + 1
        if following >= len(self._passages):
            self.is_over = self.ended_well = True
        elif stays:
            self._arrive(Place(following))
            self._travel.rate = 1.0  # both begin at rest
        else:
            self._wish = Place(following)

    def _depart(self, place: Place) -> None:
        """Moves straight to a place of the show; the robot stands."""
        self._wish, self._waiting, self._chasing = None, False, False
        move = Move(self._score.rig, self._travel.position, self._passages[place.stretch](place.at_s))
        if move.duration_s == 0.0:
            self._arrive(place)
            return
        self.moves.append((self._time_s or 0.0, move))
        self._bound_for = place
        self._travel = Travel(Passage(move, move.duration_s, self._score.rig), self._stop_s)
        self._travel.rate = 1.0  # a move begins at rest

    def _arrive(self, place: Place) -> None:
        self._bound_for = None
        self._stretch = place.stretch
        self._travel = Travel(self._passages[place.stretch], self._stop_s, place.at_s)
        self._sent_s = place.at_s - _STANDS
        self._launch()

    def _catch_up(self) -> None:
        """Goes to where the clock will be when the robot gets there."""
        reading = None if self._clock is None else self._clock.read()
        if reading is None:
            self._chasing = False
            return
        here = self._travel.position
        at = self._wanted(reading.at_s)
        for _ in range(2 if reading.running else 0):
            move = Move(self._score.rig, here, self._passages[self._stretch](at))
            at = self._wanted(reading.at_s + move.duration_s + self._stop_s)
        self._depart(Place(self._stretch, at))

    def _launch(self) -> None:
        if self._clock is not None and self._clock.is_led and not self._paused:
            self._clock.play(self._travel.at_s + self._score.show.clock.offset)

    def _send_cues(self) -> None:
        for moment in self._now().moments:
            if self._sent_s < moment.at_s <= self._travel.at_s + _STANDS:
                self._emit(moment.cue)
        self._sent_s = max(self._sent_s, self._travel.at_s + _STANDS)

    def _obey(self, word: str) -> None:
        kind, _, goal = word.partition(" ")
        if word == "stop":
            self._stopping = True
            self._halt()
            self._tell("Stopped by a cue.")
        elif word == "pause":
            self._paused = True
            self._halt()
            self._tell("Pauses.")
        elif kind == "goto" and goal:
            self._go_to(goal)
        elif word == "go" and self._paused:
            self._paused = False
            if self._bound_for is None and self._wish is None:
                self._launch()
            self._tell("Goes on.")
        elif word == self.awaited and not self._stopping and self._wish is None:
            self._tell(f"Cue '{word}'.")
            loops = self._now().end is End.LOOP
            self._next(stays=not loops)
        else:
            self._tell(f"Nothing waits for the cue '{word}'; it changes nothing.")

    def _go_to(self, goal: str) -> None:
        place = self._score.places.get(goal)
        if place is None or (self._clock is not None and not self._clock.is_led):
            why = "there is no such step" if place is None else "the clock leads this show"
            self._tell(f"The cue 'goto {goal}' changes nothing: {why}.")
            return
        self._halt()
        self._wish, self._paused = place, False
        self._tell(f"Goes to '{goal}'.")

    def _halt(self) -> None:
        if self._clock is not None and self._clock.is_led:
            self._clock.halt()
