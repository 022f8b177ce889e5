"""A Bottango driver: hobby servos on pins of an Arduino or ESP32, or on PCA9685 boards, that play short curves."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence

import numpy as np

from animato.character import Bus
from animato.errors import OptionError
from animato.stage.lines.bottango.calling import greeted
from animato.stage.lines.bottango.commands import (
    BOARDS,
    CLEAR_CURVES,
    REMOVE_MOTORS,
    Board,
    error_words,
    identifier,
    pca9685_address,
    register,
)
from animato.stage.lines.bottango.courier import Courier
from animato.stage.lines.bottango.curve import Curve
from animato.stage.lines.bottango.delivery import Delivery
from animato.stage.lines.bottango.motor import Motor
from animato.stage.lines.contract import Feedback, Found, LineError, Slot
from animato.stage.lines.pulses import open_port, port_options

_BAUD = 115_200
_SERIAL_ROOM = 63
"""What the serial buffer of an Arduino holds."""
_NETWORK_ROOM = 4096
_CURVE_BYTES = 49
"""A curve and its answer on the wire."""
_CURVE_MORE = 28
"""Bytes that a curve is longer than a time sync."""
_TURN_S = 0.0015
"""What a board and its USB take to answer [s]."""
_SHORTEST_S = 0.05
"""Curves of this length: with 0.12 s sent ahead no motor has more than the three curves that an Uno keeps."""
_AHEAD_S = 0.12
"""How far ahead positions are wanted [s]: what a driver plays on when nobody speaks to it any more."""
_MARGIN_S = 0.06
"""From the end of gathering a curve to its beginning [s], at least; 16 motors at 115200 baud make 0.16 s ahead."""
_SYNC_S = 0.5
"""The clocks of small boards are off by up to half a percent; so they are set twice a second."""
_CLOSE_S = 0.002
"""A time sync that may be off by more is repeated soon."""
_FIRST_SYNCS = 5
_LONGEST_AHEAD_S = 0.19
"""A driver that nobody speaks to any more stands still within 0.2 s."""
_HOLD_S = 0.1
_SETTLING_S = 0.02
"""What a driver's clock may be behind at the end of a motion [s]."""


class BottangoLine:
    """Servos on a Bottango driver, by serial port or network; see `Line`. No servo of it can tell where it is.

    Over a network the driver calls: the port tcp://host:port says on which address of this machine to wait for it.
    Options after the port: `board=uno` for the smaller limits of an Arduino Uno or Nano; `pca9685` or `pca9685=0x40`
    where ids are channels of PCA9685 boards, sixteen a board, from that address on.

    Args:
        bus: With its port.
        wait_s: How long to wait for a driver that calls, and for a board that starts [s].

    Raises:
        LineError: The port cannot be opened, or no driver answers.
        OptionError: An option that is not known.
    """

    patience_s = 0.5

    def __init__(self, bus: Bus, wait_s: float = 15.0) -> None:
        self.bus = bus
        self.ahead_s = _AHEAD_S
        self.watchdog_s: float | None = _AHEAD_S
        self._pca9685, self._board = _options(bus)
        serial = not bus.port.startswith("tcp://")
        self._byte_s = 10.0 / (bus.baud or _BAUD) if serial else 0.0
        self._errand_s = _CURVE_BYTES * self._byte_s + _TURN_S if serial else _TURN_S / 4
        port = open_port(bus, _BAUD, _HOLD_S, wait_s)
        try:
            self._version = greeted(port, bus.name, wait_s)
        except LineError:
            port.close()
            raise
        self._motors: list[Motor] = []
        self._slots: tuple[Slot, ...] = ()
        self._is_enabled = False
        self._lock = threading.Lock()
        self._synced_at = time.monotonic()
        self._courier = Courier(port, bus.name, _SERIAL_ROOM if serial else _NETWORK_ROOM, self._tick, self._byte_s)

    def find(self, ids: Sequence[int] | None = None) -> tuple[Found, ...]:
        """The board that answered, as number 0; the servos on it cannot answer."""
        self._courier.check()
        note = "hobby servos do not answer; their ids are pins of the board, or channels of a PCA9685"
        return (Found(0, f"Bottango driver {self._version}", None, (note,)),)

    def prepare(self, slots: Sequence[Slot]) -> tuple[str, ...]:
        """See `Line.prepare`. Servos are made known to the driver by `enable` only: from then on they hold."""
        self._courier.check()
        if len(slots) > self._board.motors:
            what = "Arduino Uno or Nano" if self._board.name == "uno" else "Bottango driver"
            raise LineError(
                f"Bus '{self.bus.name}' has {len(slots)} servos, and a {what} takes {self._board.motors} "
                f"{'with PCA9685 boards' if self._pca9685 else 'on its pins'}. Put the others on a second board."
            )
        for slot in slots:
            if not 1 <= math.ceil(slot.lowest) < math.floor(slot.highest) <= 32_767:
                raise LineError(
                    f"'{slot.wire.coordinate}' would be told {slot.lowest:g} to {slot.highest:g} microseconds; a "
                    f"Bottango driver takes whole ones from 1 to 32767."
                )
        span_s = self._span_s(len(slots))
        self._slots = tuple(slots)
        self.ahead_s = self.watchdog_s = max(_AHEAD_S, span_s + _MARGIN_S)
        with self._lock:
            self._motors = [
                Motor(identifier(slot.wire.id, self._pca9685), slot, span_s * 1000.0, number / max(len(slots), 1))
                for number, slot in enumerate(slots)
            ]
        return (
            f"The servos of bus '{self.bus.name}' cannot tell where they are: when switched on, they go to the first "
            f"position at once. Bottango driver {self._version}.",
        )

    def _span_s(self, count: int) -> float:
        """How long curves of so many motors are, so that the wire carries them all [s]; measures how it answers."""
        until = time.monotonic() + self.patience_s
        for _ in range(_FIRST_SYNCS):
            self._courier.wait(self._courier.sync(), until - time.monotonic())
        answered_s = float(np.median(self._courier.trips)) + _CURVE_MORE * self._byte_s
        # over a network many are under way at once: there the time of one answer does not add up
        errand_s = max(self._errand_s, answered_s if self._byte_s else 0.0)
        span_s = max(_SHORTEST_S, count * errand_s * 1.1)
        if span_s + _MARGIN_S > _LONGEST_AHEAD_S:
            raise LineError(
                f"The driver of bus '{self.bus.name}' takes {errand_s * 1000.0:.1f} ms to answer: too long for "
                f"{count} servos. Take a faster USB adapter (an FTDI chip with a latency timer of 1 ms), or two boards."
            )
        return span_s

    def positions(self) -> np.ndarray:
        """What is told at this moment [microseconds], shape [slot]; NaN before `enable`: nobody knows."""
        self._courier.check()
        if not self._is_enabled:
            return np.full(len(self._slots), np.nan)
        now = self._courier.now_ms()
        with self._lock:
            return np.array([motor.pulse(motor.height(now)) for motor in self._motors])

    def enable(self, told: np.ndarray) -> None:
        """Makes servos known to the driver, which begins to send pulses, and sets its clock; if it did, they hold."""
        if self._is_enabled:
            self.hold()
            return
        until = time.monotonic() + self.patience_s
        self._courier.troubles()
        for motor, slot, one in zip(self._motors, self._slots, told, strict=True):
            start = min(max(round(float(one)), motor.ends[0]), motor.ends[1])
            motor.stand(start)
            text = register(slot.wire.id, self._pca9685, motor.ends, slot.speed, start)
            self._courier.ask(text, until - time.monotonic())
            self._refuse_trouble(slot)
        for _ in range(_FIRST_SYNCS):
            self._courier.wait(self._courier.sync(), until - time.monotonic())
        self._synced_at = time.monotonic()
        self._is_enabled = True

    def _refuse_trouble(self, slot: Slot) -> None:
        trouble = "; ".join(error_words(one) for one in self._courier.troubles())
        if trouble:
            self._courier.put(lambda: REMOVE_MOTORS)
            raise LineError(
                f"The driver of bus '{self.bus.name}' does not take the servo of '{slot.wire.coordinate}' "
                f"(id {slot.wire.id}): {trouble}."
            )

    def send(self, told: np.ndarray, at_s: float) -> None:
        """See `Line.send`; positions are gathered into curves, which go out before they begin."""
        self._courier.check()
        at_ms, now_ms = (at_s - self._courier.epoch) * 1000.0, self._courier.now_ms()
        with self._lock:
            for motor, one in zip(self._motors, told, strict=True):
                self._post(motor, motor.add(at_ms, float(one), now_ms))

    def _tick(self, now: float) -> None:
        """From the courier's thread: what is about to begin goes out, and the driver's clock is set."""
        if not self._is_enabled:
            return
        now_ms = self._courier.now_ms()
        with self._lock:
            for motor in self._motors:
                self._post(motor, motor.due(now_ms))
        is_off = self._courier.clock_error_s() > _CLOSE_S
        if now - self._synced_at > (_SYNC_S / 10.0 if is_off else _SYNC_S):
            self._synced_at = now
            self._courier.sync()

    def _post(self, motor: Motor, curve: Curve | None) -> None:
        if curve is not None:
            Delivery(self._courier, motor, curve)

    def poll(self, budget_s: float) -> tuple[Feedback, ...]:
        """What the driver complained about; servos say nothing."""
        self._courier.check()
        troubles = [
            "the stop button of the board was pressed" if one.startswith("reqStop") else error_words(one)
            for one in self._courier.troubles()
        ]
        return tuple(Feedback(slot.wire.id, fault="; ".join(troubles)) for slot in self._slots) if troubles else ()

    @property
    def lost(self) -> int:
        """Commands whose answer did not come or said that they were spoiled; most were sent again."""
        return self._courier.lost

    def hold(self) -> None:
        """Throws away all curves: every servo stands where it is at this moment.

        A motion that comes to rest by itself within what was told is played to its end: that is a tenth of a second.
        """
        self._courier.check()
        now = self._courier.now_ms()
        if self._rests_at_ms() is not None:
            return
        self._courier.drop()
        with self._lock:
            for motor in self._motors:
                motor.stand(motor.pulse(motor.height(now)))
        self._courier.ask(CLEAR_CURVES, _HOLD_S)

    def release(self) -> None:
        """Takes the servos off the driver: on pins pulses end; a PCA9685 sends the last ones until it loses power.

        A motion that comes to rest is played to its end first. An ESP32 needs a twentieth of a second for each servo
        after that; so its answer is not waited for beyond the patience.
        """
        until, rests_at = time.monotonic() + self.patience_s, self._rests_at_ms()
        if rests_at is not None:
            time.sleep(min(max((rests_at - self._courier.now_ms()) / 1000.0, 0.0), self.ahead_s))
            self._courier.empty(until - _HOLD_S)  # what is late is played, too
            time.sleep(_SETTLING_S)
        self._courier.drop()
        self._is_enabled = False
        self._courier.put(lambda: REMOVE_MOTORS).done.wait(until - time.monotonic())
        self._courier.check()

    def _rests_at_ms(self) -> float | None:
        """When all servos rest, on the clock of the line; None where the last word was still in motion."""
        with self._lock:
            ends = [motor.rests_at_ms for motor in self._motors]
        return None if any(end is None for end in ends) else max((end for end in ends if end is not None), default=None)

    def close(self) -> None:
        """See `Line.close`."""
        self._courier.close()


def _options(bus: Bus) -> tuple[int | None, Board]:
    """The address of the first PCA9685, and the board."""
    options = port_options(bus, ("board", "pca9685"))
    address = None
    if "pca9685" in options:
        address = pca9685_address(options["pca9685"])
        if address is None:
            raise OptionError(
                f"The address of the PCA9685 of bus '{bus.name}' is 1 to 127, such as 0x40, not {options['pca9685']!r}."
            )
    name = options.get("board", "usual")
    if name not in ("usual", "uno"):
        raise OptionError(f"The board of bus '{bus.name}' is 'uno' (also for a Nano) or 'usual', not {name!r}.")
    return address, BOARDS["uno_pca9685" if name == "uno" and address is not None else name]
