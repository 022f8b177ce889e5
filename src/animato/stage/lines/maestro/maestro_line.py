"""A Pololu Maestro: pulses for hobby servos, told in quarter microseconds."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from animato.character import Bus
from animato.errors import OptionError
from animato.stage.lines.contract import Feedback, Found, LineError, Slot
from animato.stage.lines.maestro.inquiry import SURPRISE, Inquiry, asked
from animato.stage.lines.maestro.maestro_words import (
    MOST_ERRORS,
    MOST_TARGET,
    QUARTERS,
    MaestroWords,
    error_words,
    quarters_of,
    speed_steps,
)
from animato.stage.lines.pulses import open_port, port_options

_BAUD = 115_200
"""Of the TTL serial input; over USB any will do."""
_MODELS = {0x0089: ("Micro Maestro 6", 6), 0x008A: ("Mini Maestro 12", 12), 0x008B: ("Mini Maestro 18", 18)}
_MODELS[0x008C] = ("Mini Maestro 24", 24)
_VENDOR = 0x1FFB
_MICRO_CHANNELS = 6
_CLOSE_US = 1.0


class MaestroLine:
    """Servos on a Maestro; see `Line`. It knows what pulses it sends, not where the shafts are.

    Options after the port: `device=12` speaks the Pololu protocol to that one of several on a serial line; `crc` ends
    commands with a check sum, for a Maestro with CRC on.

    Args:
        bus: With its port.

    Raises:
        LineError: The port cannot be opened.
        OptionError: An option that is not known.
    """

    watchdog_s: float | None = None
    patience_s = 0.1
    ahead_s = 0.0

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        options = port_options(bus, ("device", "crc"))
        device = options.get("device")
        if device is not None and not (device.isdecimal() and int(device) < 128):
            raise OptionError(f"The device number of bus '{bus.name}' is 0 to 127, not {device!r}.")
        self._words = MaestroWords(None if device is None else int(device), "crc" in options)
        self._port = open_port(bus, _BAUD, self.patience_s / 2)
        self._model, self._channels = _model_of(bus.port.partition("?")[0])
        self._slots: tuple[Slot, ...] = ()
        self._bounds: tuple[tuple[int, int], ...] = ()
        self._quarters: list[int] = []
        self._inquiry = self._inquiry_of(())

    def find(self, ids: Sequence[int] | None = None) -> tuple[Found, ...]:
        """Which channels there are, and what pulses they send; whether a servo hangs there no Maestro knows."""
        known = range(_MICRO_CHANNELS if self._channels is None else self._channels)
        found = []
        for channel in known if ids is None else [one for one in ids if one in known]:
            pulse = self._position(channel)
            note = "sends no pulses" if pulse == 0.0 else f"sends {pulse:g} microseconds"
            found.append(Found(channel, self._model, None if pulse == 0.0 else pulse, (note,)))
        return tuple(found)

    def prepare(self, slots: Sequence[Slot]) -> tuple[str, ...]:
        """See `Line.prepare`: checks channels and sets the speed limits that the Maestro keeps by itself."""
        for slot in slots:
            self._check(slot)
        earlier = error_words(self._errors())
        for slot in slots:
            channel = slot.wire.id
            self._port.write(self._words.speed(channel, speed_steps(slot.speed)) + self._words.acceleration(channel, 0))
            self._position(channel)
        wrong = error_words(self._errors())
        if wrong:
            raise LineError(f"The Maestro of bus '{self.bus.name}' ({self._model}) does not understand: {wrong}.")
        self._slots = tuple(slots)
        # what is told is rounded to a quarter microsecond, but never across the ends of the range
        self._bounds = tuple(
            (math.ceil(slot.lowest * QUARTERS - 1e-6), math.floor(slot.highest * QUARTERS + 1e-6)) for slot in slots
        )
        self._quarters = [0] * len(slots)
        self._inquiry = self._inquiry_of(slots)
        notes = [
            f"A Maestro cannot tell where shafts are: positions on bus '{self.bus.name}' are the pulses it sends. It "
            f"stops by itself only if a serial timeout is set in the Maestro Control Center."
        ]
        if earlier:
            notes.append(f"Before this, the Maestro of bus '{self.bus.name}' had: {earlier}.")
        return tuple(notes)

    def _inquiry_of(self, slots: Sequence[Slot]) -> Inquiry:
        channels = [slot.wire.id for slot in slots]
        return Inquiry(self._port, self._words, channels, lambda: self._quarters, self._silent)

    def _check(self, slot: Slot) -> None:
        count = self._channels
        if count is not None and slot.wire.id >= count:
            raise LineError(
                f"'{slot.wire.coordinate}' hangs on channel {slot.wire.id} of bus '{self.bus.name}', and a "
                f"{self._model} has channels 0 to {count - 1}."
            )
        if slot.lowest < 1.0 or slot.highest * QUARTERS > MOST_TARGET:
            raise LineError(
                f"'{slot.wire.coordinate}' would be told {slot.lowest:g} to {slot.highest:g} microseconds; a Maestro "
                f"sends 1 to {MOST_TARGET / QUARTERS:g}."
            )

    def positions(self) -> np.ndarray:
        """The pulses that are sent now [microseconds], shape [slot]; NaN where none is."""
        pulses = np.array(self._pulses())
        return np.where(pulses == 0.0, np.nan, pulses)

    def enable(self, told: np.ndarray) -> None:
        """Begins to send pulses. A servo that was off goes there at once: nothing knows where it stood."""
        before = self.positions()
        self.send(told, 0.0)
        late = [number for number in range(len(self._slots)) if math.isnan(before[number])]
        until = time.monotonic() + self.patience_s
        while late and time.monotonic() < until:
            late = [number for number in late if not self._stands(number)]
        for number in late:
            slot, is_at = self._slots[number], self._position(self._slots[number].wire.id)
            self.release()
            raise LineError(
                f"Channel {slot.wire.id} of bus '{self.bus.name}' ('{slot.wire.coordinate}') was told "
                f"{told[number]:g} microseconds and sends {is_at:g}. Set it to Servo, and its Min and Max to "
                f"{slot.lowest:g} and {slot.highest:g}, in the Maestro Control Center (new ones have 992 to 2000)."
            )

    def _stands(self, number: int) -> bool:
        return abs(self._position(self._slots[number].wire.id) - self._quarters[number] / QUARTERS) < _CLOSE_US

    def send(self, told: np.ndarray, at_s: float) -> None:
        """See `Line.send`; neighbouring channels go in one command where the Maestro knows it."""
        self._quarters = [
            min(max(quarters_of(float(one)), low), high) for one, (low, high) in zip(told, self._bounds, strict=True)
        ]
        self._write_targets(self._quarters)

    def _write_targets(self, quarters: Sequence[int]) -> None:
        channels = {slot.wire.id: one for slot, one in zip(self._slots, quarters, strict=True)}
        data = b""
        for run in _runs(sorted(channels), self._knows_many(channels)):
            if len(run) == 1:
                data += self._words.target(run[0], channels[run[0]])
            else:
                data += self._words.targets(run[0], [channels[one] for one in run])
        if data:
            self._port.write(data)

    def _knows_many(self, channels: Iterable[int]) -> bool:
        """Whether it is no Micro Maestro: that one takes the command for many channels for an error and goes home."""
        if self._channels is not None:
            return self._channels > _MICRO_CHANNELS
        return max(channels, default=0) >= _MICRO_CHANNELS

    def poll(self, budget_s: float) -> tuple[Feedback, ...]:
        """See `Line.poll`: the error register first, then the pulse of one channel after the other."""
        return self._inquiry.poll(budget_s)

    @property
    def polls_a_round(self) -> int:
        """In how many polls every channel is heard once, as long as all is well."""
        return self._inquiry.polls_a_round

    @property
    def lost(self) -> int:
        """Answers that did not come or were spoiled, and were asked for again."""
        return self._inquiry.lost

    def hold(self) -> None:
        """Stops where the pulses are now; where they cannot be asked for, at what was told last."""
        try:
            at = [round(pulse * QUARTERS) for pulse in self._pulses()]
        except LineError:
            self._write_targets(self._quarters)
            raise
        self._quarters = [one if one else told for one, told in zip(at, self._quarters, strict=True)]
        self._write_targets(self._quarters)

    def release(self) -> None:
        """No more pulses: hobby servos go limp."""
        self._quarters = [0] * len(self._slots)
        self._write_targets(self._quarters)

    def close(self) -> None:
        """See `Line.close`."""
        self._port.close()

    def _pulses(self) -> list[float]:
        """What all channels send [microseconds], within the patience of one call; more before anything moves."""
        is_playing = any(self._quarters)
        until = time.monotonic() + self.patience_s * (0.75 if is_playing else 2.0)
        return [self._sure(slot.wire.id, told, until) for slot, told in zip(self._slots, self._quarters, strict=True)]

    def _sure(self, channel: int, told: int, until: float) -> float:
        """What a channel sends; where that is not about what it was told, it is said twice."""
        pulse = self._position(channel, until)
        expected = told / QUARTERS
        while abs(pulse - expected) > SURPRISE / QUARTERS:
            expected, pulse = pulse, self._position(channel, until)
        return pulse

    def _position(self, channel: int, until: float | None = None) -> float:
        return self._answer(self._words.position(channel), MOST_TARGET, until) / QUARTERS

    def _errors(self) -> int:
        return self._answer(self._words.errors(), MOST_ERRORS)

    def _answer(self, request: bytes, most: int, until: float | None = None) -> int:
        """Asks for two bytes and waits for them, until a time on the clock of `time.monotonic` or half the patience."""
        self._inquiry.forget()
        until = time.monotonic() + self.patience_s / 2 if until is None else until
        value = asked(self._port, request, most, until, self._garbled)
        if value is None:
            raise self._silent()
        return value

    def _silent(self) -> LineError:
        return LineError(
            f"The Maestro of bus '{self.bus.name}' does not answer. Is it powered, is this its command port (the "
            f"first of two), and is its serial mode USB Dual Port or, on wires, a fixed baud rate?"
        )

    def _garbled(self, value: int) -> LineError:
        return LineError(
            f"The Maestro of bus '{self.bus.name}' answers {value}, which it never does (0 to {MOST_TARGET}). Is it a "
            f"Maestro, and is the baud rate right?"
        )


def _runs(channels: Sequence[int], joined: bool) -> list[list[int]]:
    """Neighbouring channels together, or each alone."""
    runs = [[one] for one in channels[:1]]
    for before, one in pairwise(channels):
        if joined and one == before + 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs


def _model_of(device: str) -> tuple[str, int | None]:
    """The model and how many channels it has, by its USB number; None where it does not hang on USB."""
    try:
        from serial.tools import list_ports

        for port in list_ports.comports():
            if port.device == device and port.vid == _VENDOR and port.pid in _MODELS:
                return _MODELS[port.pid]
    except (ImportError, OSError):
        pass
    return "Maestro", None
