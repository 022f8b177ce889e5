"""The show file as a table of what may stand where: one model a kind of section."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Annotated, ClassVar, TypeVar

from pydantic import BeforeValidator, Field, PlainValidator, model_validator
from pydantic_core import PydanticCustomError

from animato.errors import did_you_mean
from animato.formats.character_yaml import Named, Section, values
from animato.formats.files import described

Word = TypeVar("Word", bound=StrEnum)


class PortKind(StrEnum):
    """What is spoken at a port of a show."""

    OSC = "osc"
    MIDI = "midi"
    SACN = "sacn"
    ARTNET = "artnet"
    KEYBOARD = "keyboard"


class ClockKind(StrEnum):
    """Whose time a show follows."""

    INTERNAL = "internal"
    SOUND = "sound"
    MTC = "mtc"
    OSC = "osc"


class Lost(StrEnum):
    """What a show does when its clock falls silent."""

    HOLD = "hold"
    GO_ON = "go_on"


def trouble(message: str, key: str | None = None) -> PydanticCustomError:
    """An error at the place that is being read, or at a key below it."""
    return PydanticCustomError("animato", "{message}", {"message": message, "key": key})


def _word(kind: type[Word], value: object) -> Word:
    allowed = [one.value for one in kind]
    if not isinstance(value, str) or value not in allowed:
        hint = did_you_mean(value, allowed) if isinstance(value, str) else ""
        raise trouble(f"must be one of {', '.join(allowed)}, not {described(value)}.{hint}")
    return kind(value)


def _listed(value: object) -> object:
    if value is None:
        return []
    if not isinstance(value, list):
        raise trouble(f"must be a list, each item behind a dash, not {described(value)}.")
    return value


def _argument(value: object) -> float | int | str | bool:
    """An argument of OSC: true, false, a whole number, a number, or text."""
    if not isinstance(value, str):
        raise trouble(f"must be numbers or words in brackets, not {described(value)}.")
    if value in ("true", "false"):
        return value == "true"
    for read in (int, float):
        try:
            return read(value)
        except ValueError:
            continue
    return value


def _from_to(least: int, most: int, value: object) -> int:
    try:
        number = int(value) if isinstance(value, str) else None
    except ValueError:
        number = None
    if number is None or not least <= number <= most:
        raise trouble(f"must be a whole number from {least} to {most}, not {described(value)}.")
    return number


def _loops(value: object) -> int | None:
    """How often; None for ever."""
    return None if value == "forever" else _from_to(1, 10_000, value)


def _dmx(value: object) -> dict[int, int]:
    if not isinstance(value, dict) or not value:
        raise trouble(f"must be channels and their levels, such as {{1: 255, 2: 40}}, not {described(value)}.")
    return {_from_to(1, 512, channel): _from_to(0, 255, level) for channel, level in value.items()}


def _address(value: object) -> str:
    if not isinstance(value, str) or not value.startswith("/") or len(value) < 2:
        raise trouble(f"must be an address of OSC, which begins with '/', not {described(value)}.")
    return value


Seven = Annotated[int, PlainValidator(partial(_from_to, 0, 127))]
MidiChannel = Annotated[int, PlainValidator(partial(_from_to, 1, 16))]
Universe = Annotated[int, PlainValidator(partial(_from_to, 0, 63999))]
Address = Annotated[str, PlainValidator(_address)]
Arguments = Annotated[list[Annotated[object, PlainValidator(_argument)]], BeforeValidator(_listed)]


class OutputSection(Section):
    """Where cues are sent."""

    kind: Annotated[PortKind, PlainValidator(partial(_word, PortKind))]
    host: values.Name | None = None
    port: values.Name | None = None
    universe: Universe = 1

    @model_validator(mode="after")
    def _complete(self) -> OutputSection:
        if self.kind is PortKind.KEYBOARD:
            raise trouble("must be one of osc, midi, sacn, artnet: nothing is sent to a keyboard.", "kind")
        if self.kind is PortKind.SACN and self.universe == 0:
            raise trouble("must be 1 to 63999 for sACN, not 0.", "universe")
        if self.kind is PortKind.ARTNET and self.universe > 32767:
            raise trouble("must be 0 to 32767 for Art-Net.", "universe")
        if self.kind is PortKind.ARTNET and self.host is None:
            raise trouble("is missing: the address of the Art-Net node, such as 192.168.1.20.", "host")
        if self.kind in (PortKind.OSC, PortKind.MIDI) and self.port is None:
            raise trouble("is missing: a UDP port for OSC; a device such as /dev/snd/midiC1D0 for MIDI.", "port")
        return self


class InputSection(Section):
    """Where cues and clocks are heard."""

    kind: Annotated[PortKind, PlainValidator(partial(_word, PortKind))]
    host: values.Name = "127.0.0.1"
    port: values.Name | None = None

    @model_validator(mode="after")
    def _complete(self) -> InputSection:
        if self.kind in (PortKind.SACN, PortKind.ARTNET):
            raise trouble("must be one of osc, midi, keyboard: nothing is heard on DMX.", "kind")
        if self.kind is not PortKind.KEYBOARD and self.port is None:
            raise trouble("is missing: a UDP port for OSC; a device such as /dev/snd/midiC1D0 for MIDI.", "port")
        return self


class CueSection(Section):
    """A cue that goes out at a time of its step."""

    at: values.Time = 0.0
    to: values.Name | None = None
    osc: Address | None = None
    args: Arguments = Field(default_factory=list)
    note: Seven | None = None
    velocity: Seven = 100
    control: Seven | None = None
    value: Seven = 127
    channel: MidiChannel = 1
    dmx: Annotated[dict[int, int], PlainValidator(_dmx)] | None = None
    fade: values.Time = 0.0
    sound: values.Name | None = None

    @model_validator(mode="after")
    def _complete(self) -> CueSection:
        self._check_one_of("osc", "note", "control", "dmx", "sound")
        if self.sound is None and self.to is None:
            raise trouble("is missing: the name of an output.", "to")
        if self.at < 0.0 or self.fade < 0.0:
            raise trouble("must be 0 s or more.", "at" if self.at < 0.0 else "fade")
        return self

    @property
    def speaks(self) -> tuple[PortKind, ...]:
        """The kinds of output that can say it; none for sounds."""
        if self.osc is not None:
            return (PortKind.OSC,)
        if self.dmx is not None:
            return (PortKind.SACN, PortKind.ARTNET)
        return () if self.sound is not None else (PortKind.MIDI,)

    def words(self) -> str:
        """What it is, for people."""
        if self.osc is not None:
            return f"{self.to}: {self.osc} {' '.join(str(one) for one in self.args)}".rstrip()
        if self.dmx is not None:
            levels = ", ".join(f"{channel} to {level}" for channel, level in self.dmx.items())
            return f"{self.to}: DMX {levels}" + (f" in {self.fade:g} s" if self.fade else "")
        if self.sound is not None:
            return f"sound {self.sound}"
        what = (
            f"note {self.note} at {self.velocity}" if self.note is not None else f"control {self.control} {self.value}"
        )
        return f"{self.to}: {what} on channel {self.channel}"


class AnswerSection(Section):
    """What a message that is heard does."""

    osc: Address | None = None
    note: Seven | None = None
    control: Seven | None = None
    key: values.Name | None = None
    channel: MidiChannel | None = None
    does: values.Name

    @model_validator(mode="after")
    def _complete(self) -> AnswerSection:
        self._check_one_of("osc", "note", "control", "key")
        return self


class StepSection(Section):
    """One step of the timeline: exactly one of play, wait, wait_for, pose, goto, sound, or cues alone."""

    name: values.Name | None = None
    play: values.Name | None = None
    wait: values.Time | None = None
    wait_for: values.Name | None = None
    pose: values.Name | None = None
    goto: values.Name | None = None
    sound: values.Name | None = None
    speed: values.Number = 1.0
    loops: Annotated[int | None, PlainValidator(_loops)] = 1
    start: values.Time | None = None
    end: values.Time | None = None
    accent: values.Time = 0.0
    at: values.Time | None = None
    beat: values.Number | None = None
    times: Annotated[int | None, PlainValidator(_loops)] = None
    until: values.Name = "go"
    cues: Annotated[list[CueSection], BeforeValidator(_listed)] = Field(default_factory=list)

    KINDS: ClassVar[tuple[str, ...]] = ("play", "wait", "wait_for", "pose", "goto", "sound")

    @property
    def kind(self) -> str:
        """Which of its kinds it is; "cues" where it only sends."""
        return next((one for one in self.KINDS if getattr(self, one) is not None), "cues")

    @model_validator(mode="after")
    def _complete(self) -> StepSection:
        given = [one for one in self.KINDS if getattr(self, one) is not None]
        if len(given) > 1 or not (given or self.cues):
            what = f"given: {', '.join(given)}" if given else "none is given"
            raise trouble(f"a step is one of {', '.join(self.KINDS)}, or has cues alone; {what}.")
        if not 0.05 <= self.speed <= 20.0:
            raise trouble(f"must be 0.05 to 20 times the clip's own, not {self.speed:g}.", "speed")
        if self.wait is not None and not 0.0 <= self.wait <= 86_400.0:
            raise trouble(f"must be 0 s to a day, not {self.wait:g} s.", "wait")
        if self.at is not None and self.beat is not None:
            raise trouble("either 'at' or 'beat' places a step, not both.", "beat")
        for name in ("at", "beat", "accent", "start", "end"):
            value = getattr(self, name)
            if value is not None and value < 0.0:
                raise trouble("must be 0 or more.", name)
        _only(self, given[0] if given else "cues")
        return self


_OF = {
    "speed": ("play",),
    "loops": ("play",),
    "start": ("play",),
    "end": ("play",),
    "accent": ("play",),
    "until": ("play",),
    "times": ("goto",),
    "at": ("play", "pose"),
    "beat": ("play", "pose"),
}


def _only(step: StepSection, kind: str) -> None:
    """Refuses a key that means nothing for a kind of step: it would be left unheard in silence."""
    for key, kinds in _OF.items():
        if key in step.model_fields_set and kind not in kinds:
            raise trouble(f"has no meaning for '{kind}'; it belongs to {' and '.join(kinds)}.", key)
    if kind in ("wait_for", "goto", "sound") and step.cues:
        raise trouble(f"'{kind}' takes no time to send cues in; write them as a step of their own.", "cues")


class ClockSection(Section):
    """Whose time the show follows, and how."""

    kind: Annotated[ClockKind, PlainValidator(partial(_word, ClockKind))] = ClockKind.INTERNAL
    input: values.Name | None = None
    address: Address = "/time"
    offset: values.Time = 0.0
    latency: values.Time = 0.0
    lost: Annotated[Lost, PlainValidator(partial(_word, Lost))] = Lost.HOLD
    pace: values.Number = 0.03
    jump: values.Time = 0.5

    @model_validator(mode="after")
    def _complete(self) -> ClockSection:
        if self.kind in (ClockKind.MTC, ClockKind.OSC) and self.input is None:
            raise trouble("is missing: the name of the input on which the clock is heard.", "input")
        if not 0.0 <= self.latency <= 2.0 or (self.latency and self.kind is not ClockKind.SOUND):
            raise trouble("is that of a sound until it is heard, 0 s to 2 s; other clocks have 'offset'.", "latency")
        if not 0.0 <= self.pace <= 0.2:
            raise trouble(
                f"must be 0 to 0.2, the share by which the show may hurry or linger, not {self.pace:g}.", "pace"
            )
        if not 0.05 <= self.jump <= 60.0:
            raise trouble(f"must be 0.05 s to 60 s, not {self.jump:g} s.", "jump")
        return self


class TempoSection(Section):
    """Where beats are: stated, or found in the sound."""

    bpm: values.Number | None = None
    offset: values.Time = 0.0

    @model_validator(mode="after")
    def _complete(self) -> TempoSection:
        if self.bpm is not None and not 20.0 <= self.bpm <= 400.0:
            raise trouble(f"must be 20 to 400 beats a minute, not {self.bpm:g}.", "bpm")
        return self


class ShowSection(Section):
    """The whole file."""

    animato: values.Version
    name: values.Name
    robot: values.Name | None = None
    clips: Named[values.Name] = Field(default_factory=dict)
    sound: values.Name | None = None
    tempo: TempoSection | None = None
    clock: ClockSection | None = None
    outputs: Named[OutputSection] = Field(default_factory=dict)
    inputs: Named[InputSection] = Field(default_factory=dict)
    cues: Annotated[list[AnswerSection], BeforeValidator(_listed)] = Field(default_factory=list)
    timeline: Annotated[list[StepSection], BeforeValidator(_listed)]
