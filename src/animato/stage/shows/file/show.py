"""A show as it stands in its file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from animato.described import Described
from animato.errors import FileFormatError, MotionError, unknown_name
from animato.formats import READ_SUFFIXES, shipped_clips
from animato.formats.character_yaml import section_of
from animato.formats.files import Places, read_text_whole
from animato.stage.shows.file.schema import AnswerSection, ClockKind, ClockSection, PortKind, ShowSection, StepSection

_LARGEST = 4_000_000  # bytes
_GO, _STOP, _PAUSE, _GOTO = "go", "stop", "pause", "goto"
ORDERS = (_GO, _STOP, _PAUSE)
"""What a cue can do besides `goto NAME` and the names that steps wait for."""


@dataclass(frozen=True, eq=False, repr=False)
class Show(Described):
    """What a show file says, checked.

    Attributes:
        said: Its sections.
        places: Where they stand, for errors.
        folder: Beside which files are looked for.
    """

    said: ShowSection
    places: Places
    folder: Path

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "show": self.said.name,
            "steps": str(len(self.said.timeline)),
            "clips": ", ".join(self.said.clips) or "none",
            "clock": self.clock.kind.value,
        }

    @property
    def clock(self) -> ClockSection:
        """The clock: that of the sound where there is one and nothing else is said."""
        if self.said.clock is not None:
            return self.said.clock
        return ClockSection(kind=ClockKind.SOUND if self.said.sound else ClockKind.INTERNAL)

    @property
    def steps(self) -> Sequence[StepSection]:
        """The timeline."""
        return self.said.timeline

    @property
    def goals(self) -> dict[str, int]:
        """Steps that have a name, by it."""
        return {step.name: n for n, step in enumerate(self.steps) if step.name is not None}

    def beside(self, name: str) -> Path:
        """A file that the show names: beside the show file unless its path is whole."""
        return Path(name) if Path(name).is_absolute() else self.folder / name


def load_show(path: str | Path) -> Show:
    """Reads a show file.

    Args:
        path: A YAML file that starts with `animato: 1`.

    Raises:
        FileFormatError: Something is wrong in it; the message names the line.
    """
    return show_from_text(read_text_whole(path, largest=_LARGEST), path)


def show_from_text(text: str, source: str | Path) -> Show:
    """The same, of what stands in such a file; `source` is what errors call it, and files are looked for beside it."""
    section, places = section_of(text, source, ShowSection, "show file")
    show = Show(section, places, Path(source).parent)
    _check_names(show)
    _check_clock(show)
    return show


@contextmanager
def place_of_files() -> Iterator[None]:
    """Errors of a file that a show names, as errors of that place of the show: it is there that one looks first."""
    try:
        yield
    except FileFormatError as error:
        raise MotionError(str(error)) from None


def _check_names(show: Show) -> None:
    said, places = show.said, show.places
    if not said.timeline:
        raise places.error(("timeline",), "is empty; a show has at least one step.")
    seen: set[str] = set()
    for n, step in enumerate(said.timeline):
        if step.name in seen:
            raise places.error(("timeline", n, "name"), f"'{step.name}' is the name of an earlier step, too.")
        seen |= {step.name} if step.name is not None else set()
        with places.at("timeline", n, "play"):
            if step.play is not None and not _is_clip(step.play, said.clips):
                raise unknown_name("clip", step.play, said.clips, said.name)
        with places.at("timeline", n, "goto"):
            if step.goto is not None and step.goto not in show.goals:
                raise unknown_name("named step", step.goto, show.goals, said.name)
        if step.beat is not None and said.tempo is None:
            raise places.error(("timeline", n, "beat"), "needs 'tempo': beats a minute, or a sound to find them in.")
        for k, cue in enumerate(step.cues):
            with places.at("timeline", n, "cues", k, "to"):
                if cue.to is not None and cue.to not in said.outputs:
                    raise unknown_name("output", cue.to, said.outputs, said.name)
            if cue.to is not None and said.outputs[cue.to].kind not in cue.speaks:
                kinds = " or ".join(cue.speaks)
                raise places.error(
                    ("timeline", n, "cues", k),
                    f"'{cue.to}' speaks {said.outputs[cue.to].kind}, and this cue needs an output of kind {kinds}.",
                )
    _check_answers(show)


def _is_clip(name: str, clips: Collection[str]) -> bool:
    """Whether a step may play it: a clip of the show, a shipped one, or a file."""
    return name in clips or name in shipped_clips() or Path(name).suffix.lower() in READ_SUFFIXES


def _check_answers(show: Show) -> None:
    """Every cue that is heard means something, and everything that is waited for can come."""
    said, places = show.said, show.places
    awaited = {step.wait_for for step in said.timeline if step.wait_for is not None}
    awaited |= {step.until for step in said.timeline if step.play is not None and step.loops is None}
    for n, answer in enumerate(said.cues):
        word, _, goal = answer.does.partition(" ")
        with places.at("cues", n, "does"):
            if word == _GOTO and goal:
                if goal not in show.goals:
                    raise unknown_name("named step", goal, show.goals, said.name)
            elif answer.does not in {*ORDERS, *awaited}:
                raise unknown_name("cue", answer.does, [*ORDERS, "goto NAME", *sorted(awaited - {*ORDERS})], said.name)
        if not any(one.kind is _heard_on(answer) for one in said.inputs.values()):
            raise places.error(("cues", n), f"is never heard: there is no input of kind {_heard_on(answer).value}.")
    heard = {answer.does for answer in said.cues}
    if any(one.kind is PortKind.KEYBOARD for one in said.inputs.values()):
        return  # every word can be typed
    for n, step in enumerate(said.timeline):
        wanted = step.wait_for or (step.until if step.play is not None and step.loops is None else None)
        if wanted is not None and wanted not in heard:
            key = "wait_for" if step.wait_for is not None else "until"
            raise places.error(
                ("timeline", n, key),
                f"nothing gives the cue '{wanted}'. Write it into 'cues', with an input to hear it.",
            )


def _heard_on(answer: AnswerSection) -> PortKind:
    if answer.osc is not None:
        return PortKind.OSC
    return PortKind.KEYBOARD if answer.key is not None else PortKind.MIDI


def _check_clock(show: Show) -> None:
    """A clock that is led from outside knows no waits for cues and no jumps of the file's own."""
    said, places, clock = show.said, show.places, show.clock
    if clock.input is not None:
        with places.at("clock", "input"):
            if clock.input not in said.inputs:
                raise unknown_name("input", clock.input, said.inputs, said.name)
        wanted = PortKind.MIDI if clock.kind is ClockKind.MTC else PortKind.OSC
        if clock.kind in (ClockKind.MTC, ClockKind.OSC) and said.inputs[clock.input].kind is not wanted:
            raise places.error(("clock", "input"), f"must be an input of kind {wanted.value} for this clock.")
    if clock.kind is ClockKind.SOUND and said.sound is None:
        raise places.error(("clock", "kind"), "is the sound's, and there is no 'sound'. Name the file.")
    if said.tempo is not None and said.tempo.bpm is None and said.sound is None:
        raise places.error(("tempo",), "says no 'bpm', and there is no 'sound' in which beats could be found.")
    if clock.kind is ClockKind.INTERNAL:
        return
    for n, step in enumerate(said.timeline):
        free = step.kind if step.kind in ("wait_for", "goto") else "loops" if step.loops is None else None
        if free is not None:
            raise places.error(
                ("timeline", n, free),
                f"cannot be in a show whose time is led by the clock '{clock.kind.value}', which says where the show "
                f"is. Place steps with 'at' or 'beat', or take the clock 'internal' and start sounds by cues.",
            )
