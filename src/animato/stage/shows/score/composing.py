"""From a show file to motion that is known whole, each step with its line where it cannot be done."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace

import numpy as np

from animato.character import Character
from animato.errors import MotionError, OptionError
from animato.fix.joining import bridge
from animato.loading import load_clip
from animato.motion import Clip, Posture
from animato.stage.playing import Options, refuse_too_much
from animato.stage.rig import Rig
from animato.stage.shows.file import ClockKind, CueSection, Show, StepSection, place_of_files
from animato.stage.shows.score.stretch import End, Mark, Moment, Place, Score, Stretch
from animato.stage.shows.score.taking import STEP_S, Taking, still_clip


@dataclass
class _Growing:
    """A stretch that is being written."""

    taking: Taking
    marks: list[Mark] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    loop_s: tuple[float, float] | None = None


def build_score(
    show: Show,
    character: Character,
    rig: Rig,
    options: Options | None = None,
    beats_s: tuple[float, float] | None = None,
) -> Score:
    """Works a show out for a robot.

    Args:
        show: What stands in the file.
        character: Who performs.
        rig: With which servos.
        options: What is waived, as for playing a clip.
        beats_s: The first beat and the time between two [s].

    Raises:
        FileFormatError: A step cannot be done inside the limits; the message names its line.
    """
    composer = _Composer(show, character, rig, options or Options(), beats_s)
    for number, step in enumerate(show.steps):
        with show.places.at("timeline", number):
            composer.take(number, step)
    return composer.score()


class _Composer:
    def __init__(
        self, show: Show, character: Character, rig: Rig, options: Options, beats_s: tuple[float, float] | None
    ) -> None:
        self._show, self._character, self._rig, self._options, self._beats = show, character, rig, options, beats_s
        self._clips: dict[str, Clip] = {}
        self._stretches: list[Stretch] = []
        self._places: dict[str, Place] = {}
        self._otherwise = self._resting()
        self._growing = _Growing(Taking(character, rig.names, None, self._otherwise))

    def take(self, number: int, step: StepSection) -> None:
        """Puts a step behind those before it."""
        if step.kind in ("wait_for", "goto"):
            self._named(step)
            self._close(
                End.WAIT if step.wait_for is not None else End.GOTO, step.wait_for or "", step.goto or "", step.times
            )
            return
        start = self._growing.taking.now_s
        if step.kind == "play":
            start = self._play(number, step)
        elif step.kind == "pose":
            start = self._pose(number, step)
        elif step.wait is not None:
            self._growing.taking.wait(step.wait)
            start = self._growing.taking.now_s - step.wait
            self._marked(number, "still", start)
        elif step.sound is not None:
            self._growing.moments.append(Moment(start, CueSection.model_validate({"sound": step.sound})))
        self._named(step, start)
        self._growing.moments += [Moment(start + one.at, one) for one in step.cues]
        if step.kind == "play" and step.loops is None:
            self._close(End.LOOP, step.until)

    def score(self) -> Score:
        """The whole of it."""
        last = len(self._show.steps) - 1
        if self._growing.taking.whole is not None or self._growing.moments or not self._stretches:
            with self._show.places.at("timeline", last):
                self._close(End.OVER)
        elif self._stretches[-1].end in (End.WAIT, End.LOOP):  # nothing comes after what is waited for
            self._stretches.append(self._empty())
        return Score(self._show, self._character, self._rig, tuple(self._stretches), self._places, self._beats)

    def _play(self, number: int, step: StepSection) -> float:
        motion = self._motion(step)
        loop_s: tuple[float, float] | None = None
        rounds = step.loops or 2
        if rounds > 1:
            single = motion
            motion, round_s = _repeated(self._character, single, rounds)
            if step.loops is None:  # it turns back in the middle of the clip, where both rounds are alike
                loop_s = single.duration / 2.0, single.duration / 2.0 + round_s
        wanted = self._when(step)
        start, way = self._growing.taking.clip(motion, None if wanted is None else wanted - step.accent / step.speed)
        if loop_s is not None:
            self._growing.loop_s = start + loop_s[0], start + loop_s[1]
        often = "" if step.loops == 1 else " for ever" if step.loops is None else f" {step.loops} times"
        self._marked(number, f"plays {step.play}{often}", start, way)
        return start

    def _pose(self, number: int, step: StepSection) -> float:
        posture = Posture.named(self._character, str(step.pose))
        values = np.clip([posture.value(name) for name in self._rig.names], self._rig.lower, self._rig.upper)
        reached, way = self._growing.taking.pose(values, self._when(step))
        self._marked(number, f"pose {step.pose}", reached, way)
        return reached

    def _when(self, step: StepSection) -> float | None:
        """When a step is placed, in the time of its stretch [s]."""
        if step.beat is None:
            return step.at
        if self._beats is None:
            raise OptionError("Beats are not known: give 'tempo' beats a minute.")
        return self._beats[0] + step.beat * self._beats[1]

    def _motion(self, step: StepSection) -> Clip:
        """The clip of a step: cut, at its speed, at the frame rate of shows, checked."""
        name = str(step.play)
        if name not in self._clips:
            given = self._show.said.clips.get(name, name)
            beside = self._show.beside(given)
            with place_of_files():
                self._clips[name] = load_clip(beside if beside.exists() else given, self._character)
        clip = self._clips[name]
        start = 0.0 if step.start is None else step.start
        end = clip.duration if step.end is None else step.end
        if not start + STEP_S < end <= clip.duration + 1e-9:
            raise OptionError(
                f"Clip '{name}' is {clip.duration:.3f} s long; 'start' {start:g} s and 'end' {end:g} s are not in it."
            )
        frames = max(2, round((end - start) / step.speed / STEP_S) + 1)
        cut = clip.resampled(float(clip.times[0]) + np.linspace(start, end, frames))
        cut = replace(cut, times=np.arange(frames) * STEP_S, source=name)
        refuse_too_much(self._character, self._rig, cut, self._options)
        values = np.tile(self._growing.taking.last, (frames, 1))
        for column, coordinate in enumerate(self._rig.names):
            if coordinate in cut.names:
                values[:, column] = cut.positions[:, cut.column(coordinate)]
        return Clip(cut.times, self._rig.names, values, source=name)

    def _marked(self, number: int, what: str, start_s: float, transition_s: float = 0.0) -> None:
        self._growing.marks.append(Mark(number, what, start_s, self._growing.taking.now_s, transition_s))

    def _named(self, step: StepSection, start_s: float | None = None) -> None:
        if step.name is not None:
            at = self._growing.taking.now_s if start_s is None else start_s
            self._places[step.name] = Place(len(self._stretches), at)

    def _close(self, end: End, cue: str = "", goal: str = "", times: int | None = None) -> None:
        """Ends the stretch at rest, checks all of it, and begins the next."""
        growing = self._growing
        if growing.loop_s is None:
            growing.taking.wait(0.0)
        last = growing.taking.last
        clip = growing.taking.whole
        assert clip is not None
        if clip.frame_count < 2:
            clip = still_clip(self._rig.names, last, 2)
        self._check(clip)
        late = [one for one in growing.moments if one.at_s > clip.duration + 1e-9]
        if late:
            raise MotionError(
                f"A cue at {late[0].at_s:.3f} s comes after the end of what is played, {clip.duration:.3f} s. Let the "
                f"robot wait there, or send it earlier."
            )
        self._stretches.append(
            Stretch(
                clip,
                tuple(growing.marks),
                tuple(sorted(growing.moments, key=lambda one: one.at_s)),
                end,
                cue,
                goal,
                times,
                growing.loop_s,
                self._most_rate(clip),
            )
        )
        begin = last if end is End.WAIT else None  # after a jump or a loop the robot comes from elsewhere
        self._growing = _Growing(Taking(self._character, self._rig.names, begin, last))

    def _check(self, clip: Clip) -> None:
        """A stretch with its transitions keeps the limits; clips that move a base were checked with it before."""
        if not self._character.floats:
            refuse_too_much(self._character, self._rig, clip, self._options)

    def _most_rate(self, clip: Clip) -> float:
        """The most of the clock's pace at which all limits hold: jerk grows with its third power."""
        if self._show.clock.kind is ClockKind.INTERNAL:
            return 1.0
        for share in (1.0, 0.5, 0.25):
            rate = 1.0 + share * self._show.clock.pace
            with contextlib.suppress(MotionError):
                self._check(replace(clip, times=clip.times / rate))
                return rate
        return 1.0

    def _empty(self) -> Stretch:
        clip = still_clip(self._rig.names, self._growing.taking.last, 2)
        return Stretch(clip, (), (), End.OVER)

    def _resting(self) -> np.ndarray:
        known = [one.name for one in self._character.postures]
        values = np.zeros(len(self._rig.names))
        if "rest" in known:
            rest = Posture.named(self._character, "rest")
            values = np.array([rest.value(name) for name in self._rig.names])
        return np.clip(values, self._rig.lower, self._rig.upper)


def _repeated(character: Character, clip: Clip, times: int) -> tuple[Clip, float]:
    """A clip several times with the same transition between any two, and the length of one round [s]."""
    twice = bridge(character, clip, clip, carry_on=False)
    joined = twice.joined.selected(clip.names)
    head = joined.positions[: twice.last_frame]
    values = np.vstack([*([head] * (times - 1)), clip.positions])
    return replace(clip, times=np.arange(len(values)) * STEP_S, positions=values), twice.last_frame * STEP_S
