"""A board with Bottango's driver: hears commands, keeps curves, and knows what pulse each pin sends."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

_UNITS = 8192.0
_LONGEST = {"usual": 248, "uno": 100}
_MOTORS = {"usual": 16, "uno": 8}
_CURVES = {"usual": 8, "uno": 3}
_PARAMETERS = 15
_READ_TIMEOUT_S = 0.05


@dataclass
class BoardCurve:
    """A cubic Bezier curve as the driver keeps it: times in milliseconds of the driver, heights of 8192."""

    start: int
    duration: int
    heights: tuple[int, int, int, int]
    places: tuple[int, int, int, int]
    parameter: float = 0.5

    @property
    def end(self) -> int:
        """When it ends [ms]."""
        return self.start + self.duration

    def at(self, now: int) -> float:
        """Its height at a time [0 to 1]. As the driver does it, halving ends when time is met to a millisecond."""
        place, low, high, u = now - self.start, 0.0, 1.0, self.parameter
        for _ in range(60):
            ahead = _bezier(self.places, u) - place
            if abs(ahead) < 1.0:
                break
            low, high = (low, u) if ahead > 0.0 else (u, high)
            u = (high - low) / 2.0 + low
        self.parameter = u
        return _bezier(self.heights, u) / _UNITS


@dataclass
class BoardMotor:
    """A servo that the driver knows.

    Attributes:
        low: Its least pulse [microseconds].
        high: Its greatest.
        step_us: The least time that a change of one microsecond takes [us].
        pulse: What it sends.
        changed_us: When the pulse changed last [us].
        curves: What it keeps; the oldest is overwritten.
        next_curve: Which.
    """

    low: int
    high: int
    step_us: int
    pulse: int
    changed_us: int
    curves: list[BoardCurve | None] = field(default_factory=list)
    next_curve: int = 0

    def update(self, now_ms: int, now_us: int) -> None:
        """Goes where its curves say, no faster than it may."""
        last: BoardCurve | None = None
        for curve in self.curves:
            if curve is None:
                continue
            if curve.start <= now_ms <= curve.end:
                self._go(curve.at(now_ms), now_us)
                return
            if last is None or curve.end > last.end:
                last = curve
        if last is not None and last.end < now_ms:
            self._go(last.heights[3] / _UNITS, now_us)

    def _go(self, height: float, now_us: int) -> None:
        wanted = math.floor((self.high - self.low) * height + self.low + 0.5)
        wanted = min(max(wanted, self.low), self.high)
        most = (now_us - self.changed_us) // self.step_us
        moved = max(-most, min(most, wanted - self.pulse))
        if moved:
            self.pulse += moved
            self.changed_us = now_us


class BottangoBoard:
    """What driver 0.8 does with bytes; no clock and no port of its own.

    Args:
        kind: "usual" (16 motors, 8 curves each) or "uno" (8 motors, 3 curves).
        checks: Whether it checks the hash of a command; drivers on a network need not.
        drift: By how much its clock is fast: 0.005 is half a percent.

    Attributes:
        motors: By identifier.
        commands: (time [s], text) of all that it obeyed.
        overwritten: Curves that were thrown out while they were still wanted.
        strange: Commands that it did not take.
    """

    def __init__(self, kind: str = "usual", checks: bool = True, drift: float = 0.0) -> None:
        self.motors: dict[str, BoardMotor] = {}
        self.commands: list[tuple[float, str]] = []
        self.overwritten = 0
        self.strange = 0
        self.is_greeted = False
        self._kind, self._checks, self._drift = kind, checks, drift
        self._heard = bytearray()
        self._heard_at = 0.0
        self._offset_ms = self._synced_ms = 0
        self._commands: dict[str, Callable[[list[str], float], str]] = {
            "tSYN": self._sync,
            "rSVPin": self._register_pin,
            "rSVI2C": self._register_channel,
            "sC": self._curve,
            "sCI": self._instant,
            "xC": self._clear,
            "xUC": self._clear,
            "xE": self._remove,
            "xUE": self._remove,
        }

    def restart(self) -> str:
        """Starts anew, as after a loss of power; what it says then."""
        self.motors.clear()
        self.is_greeted = False
        self._heard.clear()
        self._offset_ms = self._synced_ms = 0
        return "\nBOOT\n"

    def hear(self, data: bytes, now: float) -> str:
        """Takes bytes at a time [s]; returns what it says."""
        said = ""
        for byte in data:
            self._heard_at = now
            if byte == ord("\n"):
                text = self._heard.decode("latin-1")
                self._heard.clear()
                said += self._obey(text, now) if self._is_whole(text) else "HASH_FAIL\n"
            elif byte and len(self._heard) <= _LONGEST[self._kind] - 2:
                self._heard.append(byte)
            elif byte:
                said += f"\nerrCmdTooLong: {len(self._heard)}\nOK\n"
                self._heard.clear()
        return said

    def tick(self, now: float) -> str:
        """Moves pulses on to a time [s]; returns what it says by itself."""
        ms, us = self._now_ms(now), int(now * 1e6)
        for motor in self.motors.values():
            motor.update(ms, us)
        if self._heard and now - self._heard_at >= _READ_TIMEOUT_S:
            self._heard.clear()
            return "TIMEOUT\n"
        return ""

    def _now_ms(self, now: float) -> int:
        return int(now * 1000.0 * (1.0 + self._drift)) + self._offset_ms

    def _is_whole(self, text: str) -> bool:
        body, comma, told = text.rpartition(",h")
        if not self._checks:
            return bool(text)
        return bool(comma) and told.isdecimal() and sum(body.encode("latin-1")) == int(told)

    def _obey(self, text: str, now: float) -> str:
        fields = text.split(",")
        if len(fields) > _PARAMETERS:
            return f"\nerrTooManyParams {len(fields)}\nOK\n"
        self.commands.append((now, text))
        try:
            if fields[0] == "hRQ":
                if self.is_greeted and self._checks:  # a second hello is not answered
                    return ""
                self.is_greeted = True
                self.motors.clear()
                return f"btngoHSK,0.8.0c1,{fields[1]}\nOK\n"
            if fields[0] == "STOP":
                return self.restart()
            if fields[0] not in self._commands:
                self.strange += 1
                return "OK\n"
            return self._commands[fields[0]](fields, now) + "OK\n"
        except (ValueError, IndexError):
            self.strange += 1
            return "OK\n"

    def _sync(self, fields: list[str], now: float) -> str:
        self._synced_ms = int(fields[1])
        self._offset_ms = self._synced_ms - int(now * 1000.0 * (1.0 + self._drift))
        return ""

    def _register_pin(self, fields: list[str], now: float) -> str:
        return self._register(fields[1], [int(one) for one in fields[2:6]], now)

    def _register_channel(self, fields: list[str], now: float) -> str:
        return self._register(fields[1] + fields[2], [int(one) for one in fields[3:7]], now)

    def _register(self, name: str, numbers: list[int], now: float) -> str:
        if len(self.motors) >= _MOTORS[self._kind]:
            return "\nerrNoSpaceAvailable\n"
        if name in self.motors:
            return f"\nerrServoCollision: {name}\n"
        low, high, fastest, start = numbers
        curves: list[BoardCurve | None] = [None] * _CURVES[self._kind]
        self.motors[name] = BoardMotor(low, high, max(1_000_000 // max(fastest, 1), 1), start, int(now * 1e6), curves)
        return ""

    def _curve(self, fields: list[str], now: float) -> str:
        start, duration, y0, cx0, cy0, y1, cx1, cy1 = (int(one) for one in fields[2:10])
        heights = (y0, y0 + cy0, y1 + cy1, y1)
        places = (0, cx0, duration + cx1, duration)
        return self._add(fields[1], BoardCurve(self._synced_ms + start, duration, heights, places), now)

    def _instant(self, fields: list[str], now: float) -> str:
        height = int(fields[2])
        return self._add(fields[1], BoardCurve(self._now_ms(now), 0, (height,) * 4, (0, 0, 0, 0)), now)

    def _add(self, name: str, curve: BoardCurve, now: float) -> str:
        motor = self.motors.get(name)
        if motor is None:
            return f"\nerrNoEffectorOnPin: {name}\n"
        old = motor.curves[motor.next_curve]
        self.overwritten += old is not None and old.end > self._now_ms(now)
        motor.curves[motor.next_curve] = curve
        motor.next_curve = (motor.next_curve + 1) % len(motor.curves)
        return ""

    def _clear(self, fields: list[str], now: float) -> str:
        for name, motor in self.motors.items():
            if fields[0] == "xC" or name == fields[1]:
                motor.curves = [None] * len(motor.curves)
        return ""

    def _remove(self, fields: list[str], now: float) -> str:
        if fields[0] == "xE":
            self.motors.clear()
        elif self.motors.pop(fields[1], None) is None:
            return f"\nerrNoEffectorOnPin: {fields[1]}\n"
        return ""


def _bezier(points: tuple[int, int, int, int], u: float) -> float:
    v = 1.0 - u
    return v**3 * points[0] + 3.0 * u * v**2 * points[1] + 3.0 * u**2 * v * points[2] + u**3 * points[3]
