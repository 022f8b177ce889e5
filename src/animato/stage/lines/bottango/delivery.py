"""One curve on its way to a driver."""

from __future__ import annotations

from animato.stage.lines.bottango.courier import Courier, Errand
from animato.stage.lines.bottango.curve import Curve
from animato.stage.lines.bottango.motor import Motor


class Delivery:
    """Says what to send at the moment of sending, and remembers where the motor stands if it is lost.

    Args:
        courier: Who carries it.
        motor: Whose curve it is.
        curve: As it is wanted.
    """

    def __init__(self, courier: Courier, motor: Motor, curve: Curve) -> None:
        self._courier, self._motor, self._curve = courier, motor, curve
        self._before: int | None = None
        self._sent: Curve | None = None
        self._errand: Errand = courier.put(self.text, on_lost=self.lose)

    def text(self) -> str | None:
        """The command; None where the curve is over and the next one tells where to be."""
        now = self._courier.now_ms()
        if self._curve.end_ms <= now and not self._motor.is_last(self._curve):
            if self._sent is None or not self._errand.is_unsure:
                self.lose()
            return None
        if self._before is None:
            self._before = self._motor.delivered
        if self._sent is None or not self._errand.is_unsure:
            self._sent = self._motor.joined(self._curve, self._before, now)
        # else the driver may have it: the very same once more changes nothing
        self._motor.delivered = self._sent.y1
        return self._sent.command(self._motor.name, self._courier.synced_ms)

    def lose(self) -> None:
        """It was given up: the motor stands where the curve before it ended."""
        if self._before is not None and self._motor.delivered == self._curve.y1:
            self._motor.delivered = self._before
