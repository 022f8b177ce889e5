"""A show from its first frame to its last in the computer, through the guard that stands before servos."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described
from animato.errors import MotionError
from animato.motion import Clip
from animato.outcome import Outcome, Status
from animato.stage.playing import Move, Options, refuse_too_much
from animato.stage.playing.streaming import Guard
from animato.stage.shows.conducting import Conductor
from animato.stage.shows.file import CueSection
from animato.stage.shows.score import STEP_S, End, Score

_PATIENCE_S = 1.0  # after which a cue that is waited for is given
_LONGEST_S = 86_400.0


@dataclass(frozen=True, eq=False, repr=False)
class Rehearsal(Described):
    """What became of a show that was only gone through.

    Attributes:
        score: What was gone through.
        seconds: How long it took [s], with a second for each cue that it waited for.
        positions: What servos would have been told [rad or m], shape [frame, coordinate].
        held_back: Frames that the guard had to change.
        sent: Cues that went out, each with its time [s].
        said: What happened, each with its time [s].
        troubles: Ways between steps that would be too much, in sentences.
        rounds: Whether it would go on for ever; it was ended when it came round.
    """

    score: Score
    seconds: float
    positions: np.ndarray
    held_back: int
    sent: tuple[tuple[float, CueSection], ...]
    said: tuple[tuple[float, str], ...]
    troubles: tuple[str, ...]
    rounds: bool = False

    @property
    def outcome(self) -> Outcome:
        """Whether all of it keeps the limits."""
        if self.troubles:
            return Outcome(Status.INFEASIBLE, self.troubles[0])
        if self.held_back:
            return Outcome(Status.INFEASIBLE, f"The guard before the servos would hold back {self.held_back} frames.")
        return Outcome(Status.SOLVED, f"All of the show keeps the limits; it takes {self.seconds:.2f} s.")

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {"show": self.score.show.said.name, "outcome": str(self.outcome)}

    def as_json(self) -> dict[str, object]:
        """The figures for machines."""
        return {
            "outcome": str(self.outcome),
            "usable": self.outcome.usable,
            "seconds": self.seconds,
            "held_back": self.held_back,
            "rounds": self.rounds,
            "cues": [{"at_s": at, "cue": cue.words()} for at, cue in self.sent],
            "said": [{"at_s": at, "what": what} for at, what in self.said],
            "troubles": list(self.troubles),
            "schedule": self.score.lines(),
        }

    def lines(self) -> list[str]:
        """The schedule, and what there is to say of it."""
        said = self.score.lines()
        said += [f"Trouble: {one}" for one in self.troubles]
        if self.rounds:
            said.append("It goes on for ever; one round was gone through.")
        return [*said, self.outcome.reason]


def rehearse(score: Score, options: Options | None = None) -> Rehearsal:
    """Goes through a show in no time.

    Each cue that is waited for comes after a second, and each loop is left after a round.

    Args:
        score: The show.
        options: The rate at which servos would be told, and what is waived.
    """
    wanted = options or Options()
    clock: list[float] = [0.0]
    sent: list[tuple[float, CueSection]] = []
    said: list[tuple[float, str]] = []
    conductor = Conductor(
        score,
        emit=lambda cue: sent.append((clock[0], cue)),
        say=lambda what: said.append((clock[0], what)),
        stop_s=wanted.stop_s,
    )
    guard, step_s = Guard(score.rig), 1.0 / wanted.send_rate_hz
    guard.begin(score.stretches[0].clip.selected(score.rig.names).positions[0])
    told: list[np.ndarray] = []
    since, rounds, frame = 0, False, 0
    while frame * step_s < _LONGEST_S:
        clock[0] = frame * step_s
        positions = conductor(clock[0])
        if positions is None:
            break
        told.append(guard.step(positions, step_s))
        since = since + 1 if conductor.awaited is not None else 0
        if conductor.awaited is not None and since * step_s > _left_after(score, conductor):
            conductor.order(conductor.awaited)
            since = 0
        if _comes_round(score, conductor) and not rounds:
            rounds = True
            conductor.order("stop")
        frame += 1
    troubles = tuple(_troubles(score, conductor, wanted))
    return Rehearsal(score, frame * step_s, np.array(told), guard.held_back, tuple(sent), tuple(said), troubles, rounds)


def _left_after(score: Score, conductor: Conductor) -> float:
    stretch = score.stretches[conductor.place.stretch]
    return _PATIENCE_S if stretch.loop_s is None else stretch.loop_s[1]


def _comes_round(score: Score, conductor: Conductor) -> bool:
    """Whether a jump without an end was taken, and its goal reached."""
    endless = any(one.end is End.GOTO and one.times is None for one in score.stretches)
    return endless and len(conductor.moves) > 2 * len(score.stretches) + 2


def _troubles(score: Score, conductor: Conductor, options: Options) -> list[str]:
    """Moves of the rehearsal that break a limit which the guard does not know: torque, bodies that touch, balance."""
    found = []
    ways = [(f"that begins at {when:.2f} s", move) for when, move in conductor.moves] + _called(score)
    for which, move in ways:
        try:
            refuse_too_much(score.character, score.rig, _as_clip(move, score), options)
        except MotionError as error:
            found.append(f"The straight way {which} is too much. {error}")
    return list(dict.fromkeys(found))


def _called(score: Score) -> list[tuple[str, Move]]:
    """Ways that cues may ask for where the show waits at rest: to every step that a cue goes to."""
    names = score.rig.names
    goals = {one.does.partition(" ")[2] for one in score.show.said.cues if one.does.startswith("goto ")}
    ways = []
    for stretch in score.stretches:
        if stretch.end is not End.WAIT:
            continue
        here = stretch.clip.selected(names).positions[-1]
        for goal in sorted(goals):
            place = score.places[goal]
            there = score.stretches[place.stretch].clip
            pose = there.selected(names).spline(float(there.times[0]) + place.at_s)[0]
            ways.append((f"from where it waits for '{stretch.cue}' to '{goal}'", Move(score.rig, here, pose)))
    return ways


def _as_clip(move: Move, score: Score) -> Clip:
    seconds = max(move.duration_s, 4.0 * STEP_S)  # a move to where it is takes no time
    times = np.linspace(0.0, seconds, int(np.ceil(seconds / STEP_S)) + 1)
    return Clip(times, score.rig.names, np.array([move(min(float(one), move.duration_s)) for one in times]))
