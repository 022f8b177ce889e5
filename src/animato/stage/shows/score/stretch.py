"""A show worked out: stretches of motion that are known whole, and what comes between them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from animato.character import Character
from animato.motion import Clip
from animato.stage.rig import Rig
from animato.stage.shows.file import CueSection, Show


class End(Enum):
    """What comes after a stretch."""

    OVER = "over"
    WAIT = "wait"
    GOTO = "goto"
    LOOP = "loop"


@dataclass(frozen=True)
class Mark:
    """When a step of the timeline is.

    Attributes:
        step: Its number in the file, from 0.
        what: In words.
        start_s: When its clip begins or its pose is reached, in the time of its stretch [s].
        end_s: When it is over [s].
        transition_s: How long the way to it takes [s].
    """

    step: int
    what: str
    start_s: float
    end_s: float
    transition_s: float = 0.0


@dataclass(frozen=True)
class Moment:
    """A cue that goes out at a time of its stretch [s]."""

    at_s: float
    cue: CueSection


@dataclass(frozen=True, eq=False)
class Stretch:
    """Motion from rest to rest without a question in between.

    Attributes:
        clip: All of it, transitions included, from time 0 on.
        marks: Its steps in order of time.
        moments: Its cues in order of time.
        end: What comes after it.
        cue: What is waited for, at the end or to leave a loop.
        goal: The step to go to.
        times: How often it goes there; None for ever.
        loop_s: From when to when it repeats itself [s], where it loops.
        most_rate: How fast it may be played to catch up with a clock, 1 or more, inside all limits.
    """

    clip: Clip
    marks: tuple[Mark, ...]
    moments: tuple[Moment, ...]
    end: End
    cue: str = ""
    goal: str = ""
    times: int | None = None
    loop_s: tuple[float, float] | None = None
    most_rate: float = 1.0

    @property
    def duration_s(self) -> float:
        """Its length [s]; that of one round where it loops."""
        return self.clip.duration


@dataclass(frozen=True)
class Place:
    """A moment of a show.

    Attributes:
        stretch: The number of the stretch.
        at_s: The time in it [s].
    """

    stretch: int
    at_s: float = 0.0


@dataclass(frozen=True, eq=False)
class Score:
    """A show for a robot, before it begins.

    Attributes:
        show: What stands in the file.
        character: Who performs.
        rig: With which servos.
        stretches: In the order of the file.
        places: Steps that have a name, by it.
        beats_s: Where beats are, as first beat and time between two [s]; None where there is no tempo.
        notes: What was done, in sentences.
    """

    show: Show
    character: Character
    rig: Rig
    stretches: tuple[Stretch, ...]
    places: dict[str, Place]
    beats_s: tuple[float, float] | None = None
    notes: tuple[str, ...] = ()

    @property
    def duration_s(self) -> float:
        """All stretches once, without what cues make it wait [s]."""
        return sum(one.duration_s for one in self.stretches)

    def lines(self) -> list[str]:
        """The schedule for people; times count from the start of the show and anew after each wait for a cue."""
        said = []
        for number, stretch in enumerate(self.stretches):
            events = [(one.start_s, self._marked(one)) for one in stretch.marks]
            events += [(one.at_s, f"cue {one.cue.words()}") for one in stretch.moments]
            said += [f"{at:9.3f} s  {what}" for at, what in sorted(events, key=lambda one: one[0])]
            said.append(f"{stretch.duration_s:9.3f} s  {self._after(number)}")
        return said

    def _marked(self, mark: Mark) -> str:
        name = self.show.steps[mark.step].name
        way = f", after a transition of {mark.transition_s:.2f} s" if mark.transition_s > 0.0 else ""
        return f"{mark.what}{f' ({name})' if name else ''}, {mark.end_s - mark.start_s:.2f} s{way}"

    def _after(self, number: int) -> str:
        one = self.stretches[number]
        if one.end is End.WAIT:
            return f"at rest; waits for the cue '{one.cue}'"
        if one.end is End.LOOP and one.loop_s is not None:
            return f"goes round every {one.loop_s[1] - one.loop_s[0]:.2f} s until the cue '{one.cue}'"
        if one.end is End.GOTO:
            often = "" if one.times is None else f", {one.times} time{'s' if one.times != 1 else ''}"
            return f"at rest; goes to '{one.goal}'{often}"
        return "at rest; the show is over"
