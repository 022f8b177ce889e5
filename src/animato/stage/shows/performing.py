"""A show on servos, from where they stand to rest."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from animato.character import Character
from animato.described import Described
from animato.errors import CharacterError
from animato.fix.joining import soft_stop
from animato.formats.character_yaml import with_servo_map
from animato.loading import as_character
from animato.outcome import Outcome, Status
from animato.stage.lines import Line
from animato.stage.playing import (
    ClipSource,
    Move,
    Options,
    Performance,
    Plan,
    Stream,
    StreamReport,
    build_plan,
    ended,
    interruptible,
    open_lines,
    rig_for,
    with_ports,
)
from animato.stage.shows.clocks import FollowedClock
from animato.stage.shows.conducting import Conductor
from animato.stage.shows.file import ClockKind, Show, load_show, place_of_files
from animato.stage.shows.ports import Answering, Desk, Listener, Sender, open_sender
from animato.stage.shows.score import Score, build_score, still_clip
from animato.stage.shows.sound import Effects, SoundClock, beats_of, load_wave, player_command

_SILENT = (
    "No program that plays sounds was found (pw-play, paplay, aplay, afplay, ffplay): the show goes on in silence."
)


@dataclass(frozen=True, eq=False, repr=False)
class ShowPerformance(Described):
    """A show that is over.

    Attributes:
        score: What was to be performed.
        performance: What became of it on the servos.
        ended_well: Whether it came to the end of its timeline.
    """

    score: Score
    performance: Performance
    ended_well: bool

    @property
    def outcome(self) -> Outcome:
        """Whether it was performed, and in a sentence what not."""
        usual = self.performance.outcome
        if usual.usable and not self.ended_well:
            return Outcome(
                Status.SOLVED, f"Ended by a cue after {self.performance.seconds:.2f} s. {self.performance.done}"
            )
        return usual

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {"show": self.score.show.said.name, "outcome": str(self.outcome)}


def compose(
    show: Show | str | Path,
    character: Character | str | Path | None = None,
    options: Options | None = None,
    *,
    to: str | Sequence[str] = "servos",
    servos: str | Path | None = None,
) -> Score:
    """Works a show out for a robot with servos; nothing is opened.

    Args:
        show: Or its file.
        character: Who performs; where not given, the robot that the show names.
        options: What is waived.
        to: Where it will go; "dry" needs no servo map.
        servos: A servo map in a file of its own.

    Raises:
        FileFormatError: A step cannot be done; the message names its line.
    """
    piece = show if isinstance(show, Show) else load_show(show)
    model = _performer(piece, character)
    if servos is not None:
        model = with_servo_map(model, servos)
    _refuse_missing_sounds(piece)
    beats, notes = _beats(piece)
    said: list[str] = []
    score = build_score(piece, model, rig_for(model, to, said.append), options, beats)
    return replace(score, notes=(*said, *notes))


def perform(
    show: Score | Show | str | Path,
    character: Character | str | Path | None = None,
    to: str | Sequence[str] = "servos",
    options: Options | None = None,
    *,
    servos: str | Path | None = None,
    lines: Sequence[Line] | None = None,
    confirm: Callable[[Score, Plan], bool] | None = None,
    say: Callable[[str], None] | None = None,
    began: Callable[[Conductor], None] | None = None,
    record: bool = False,
) -> ShowPerformance:
    """Performs a show on servos.

    All of it is worked out and checked, ports for cues are opened, and the servos are found, before anything moves;
    then it goes as `animato.stage.playing.play` does: from where the robot stands to the first pose, through the show,
    to rest.

    Args:
        show: Or its file; or what `compose` has worked out of it, with its character and servos.
        character: Who performs; where not given, the robot that the show names.
        to: As for `play`.
        options: What is wanted of the playing; `loops` has no meaning here.
        servos: A servo map in a file of its own.
        lines: Buses that are open already, in place of `to`.
        confirm: Shown what will happen before the torque goes on; where it says no, nothing moves.
        say: Told in sentences what happens.
        began: Given the conductor before the first frame, for cues from a program of one's own.
        record: Whether to keep what was sent.

    Raises:
        FileFormatError: Something is wrong in the file, or a step cannot be done.
        OptionError: A port for cues cannot be opened.
        LineError: A bus or a servo does not answer before anything moves.
    """
    wanted, tell = options or Options(), say or (lambda _: None)
    score = show if isinstance(show, Score) else compose(show, character, wanted, to=to, servos=servos)
    rig = with_ports(score.rig, to)
    for note in score.notes:
        tell(note)
    with _Saying(tell) as saying, _equipped(score, wanted, saying.put) as (conductor, sound, ears):
        opened = open_lines(rig, to, wanted.send_rate_hz) if lines is None else lines
        with Stream(rig, opened, wanted, record=record) as stream:
            notes = stream.prepare()
            for note in notes:
                tell(note)
            first = still_clip(rig.names, score.stretches[0].clip.selected(rig.names).positions[0], 2)
            plan = build_plan(
                score.character, rig, first, stream.where(), replace(wanted, loops=1, after="hold", ramp=True)
            )
            if confirm is not None and not confirm(score, plan):
                return ShowPerformance(score, Performance(plan, (), "No torque was put on.", notes), ended_well=False)
            for ear in ears:
                ear.start()
            way = _to_rest(score, plan)
            with interruptible(stream) as interrupts:
                stream.begin(plan.where)
                tell("The torque is on.")
                reports = _led_in(stream, plan)
                if not reports[-1].stopped:
                    conductor.begin()
                    if began is not None:
                        began(conductor)
                    reports.append(stream.run(conductor))
                if sound is not None:
                    sound.halt()
                if not reports[-1].stopped and wanted.after == "rest":
                    reports.append(stream.run(way if conductor.ended_well else Move(rig, stream.positions, plan.rest)))
                done = ended(stream, plan, reports, interrupts, wanted)
    performance = Performance(plan, tuple(reports), done, notes, interrupts.count > 0)
    result = ShowPerformance(score, performance, conductor.ended_well)
    tell(result.outcome.reason)
    return result


def _led_in(stream: Stream, plan: Plan) -> list[StreamReport]:
    """From where the robot stands to the first pose."""
    reports = [stream.run(Move(stream.rig, plan.where, plan.inside))] if plan.outside else []
    if not any(one.stopped for one in reports):
        reports.append(stream.run(plan.source()))
    return reports


def _to_rest(score: Score, plan: Plan) -> ClipSource:
    """From the end of the timeline to rest, inside all limits."""
    names = score.rig.names
    last = still_clip(names, score.stretches[-1].clip.selected(names).positions[-1], 2)
    goal = dict(zip(names, plan.rest.tolist(), strict=True))
    return ClipSource(soft_stop(score.character, last, goal).clip, score.rig, plan.rest)


def _performer(show: Show, character: Character | str | Path | None) -> Character:
    if character is not None:
        return as_character(character)
    if show.said.robot is None:
        raise CharacterError(f"The show '{show.said.name}' names no `robot`; give the character that performs it.")
    with show.places.at("robot"):
        beside = show.beside(show.said.robot)
        with place_of_files():
            return as_character(beside if beside.exists() else show.said.robot)


def _refuse_missing_sounds(show: Show) -> None:
    """Sounds that are not there are said before the show, and not by silence in it."""
    named: list[tuple[tuple[str | int, ...], str]] = []
    if show.said.sound is not None:
        named.append((("sound",), show.said.sound))
    for number, step in enumerate(show.said.timeline):
        if step.sound is not None:
            named.append((("timeline", number, "sound"), step.sound))
        cues = enumerate(step.cues)
        named += [(("timeline", number, "cues", n, "sound"), cue.sound) for n, cue in cues if cue.sound is not None]
    for place, name in named:
        file = show.beside(name)
        if not file.is_file():
            raise show.places.error(place, f"there is no file '{file}'. Put it there, or name another one.")


def _beats(show: Show) -> tuple[tuple[float, float] | None, tuple[str, ...]]:
    """First beat and time between two [s], stated or found."""
    tempo = show.said.tempo
    if tempo is None:
        return None, ()
    if tempo.bpm is not None:
        return (tempo.offset, 60.0 / tempo.bpm), ()
    with show.places.at("tempo"):
        found = beats_of(load_wave(show.beside(str(show.said.sound))))
    note = f"The sound has {found.bpm:.2f} beats a minute, the first at {found.first_s:.3f} s."
    return (found.first_s + tempo.offset, found.every_s), (note,)


@contextlib.contextmanager
def _equipped(
    score: Score, options: Options, say: Callable[[str], None]
) -> Iterator[tuple[Conductor, SoundClock | None, list[Listener]]]:
    """The conductor with clock, desk and ears of a show, and the sound that leads it; all is closed at the end."""
    show = score.show
    command = player_command()
    sounds = bool(show.said.sound) or any(one.cue.sound for part in score.stretches for one in part.moments)
    if sounds and command is None:
        say(_SILENT)
    with contextlib.ExitStack() as open_now:
        sound: SoundClock | None = None
        heard: FollowedClock | None = None
        if show.clock.kind is ClockKind.SOUND:
            with show.places.at("sound"):
                sound = SoundClock(load_wave(show.beside(str(show.said.sound))), command, show.clock.latency)
            open_now.callback(sound.close)
        elif show.clock.kind is not ClockKind.INTERNAL:
            heard = FollowedClock()
        effects = Effects(command, show.beside)
        open_now.callback(effects.close)
        senders: dict[str, Sender] = {}
        for name, output in show.said.outputs.items():
            with show.places.at("outputs", name):
                senders[name] = open_sender(output)
        desk = Desk(senders, effects.play, say)
        open_now.callback(desk.close)
        conductor = Conductor(score, clock=sound or heard, emit=desk.emit, say=say, stop_s=options.stop_s)
        answering = Answering(show, conductor.order, heard)
        ears: list[Listener] = []
        for name, one in show.said.inputs.items():
            with show.places.at("inputs", name):
                ears.append(Listener(one, answering.ear(name)))
                open_now.callback(ears[-1].close)
        yield conductor, sound, ears


class _Saying:
    """Tells sentences from a thread of its own: a terminal that is slow must not keep servos waiting."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say, self._queue = say, queue.SimpleQueue[str | None]()
        self._thread = threading.Thread(target=self._run, name="saying", daemon=True)

    def put(self, what: str) -> None:
        """Tells soon."""
        self._queue.put(what)

    def _run(self) -> None:
        while (what := self._queue.get()) is not None:
            with contextlib.suppress(Exception):
                self._say(what)

    def __enter__(self) -> _Saying:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._queue.put(None)
        self._thread.join(timeout=2.0)
