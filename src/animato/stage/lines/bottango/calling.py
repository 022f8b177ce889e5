"""Says hello to a driver: waits until its board is up, and ends what another program may have left there."""

from __future__ import annotations

import secrets
import time

from animato.stage.lines.bottango.commands import STOP, handshake, hashed
from animato.stage.lines.contract import LineError
from animato.stage.lines.pulses import PulsePort

_REPEAT_S = 0.6
_QUIET_S = 0.06
_STALE_S = 2.5
"""A board that restarts when its port is opened is up after about two seconds; one that still says nothing may be in
the middle of another program's session, in which it ignores a handshake: it is told to start anew."""


def greeted(port: PulsePort, name: str, wait_s: float) -> str:
    """The version of the driver that answers.

    Args:
        port: To the driver.
        name: What messages call the bus.
        wait_s: How long to wait [s].

    Raises:
        LineError: Nobody answers, or somebody else.
    """
    code = str(secrets.randbelow(9000) + 1000)
    start = asked = time.monotonic()
    port.write(hashed(handshake(int(code))))
    heard, said, stopped = b"", "", False
    while time.monotonic() - start < wait_s:
        *lines, heard = (heard + port.read()).split(b"\n")
        heard = heard[-1024:]
        for raw in lines:
            line = raw.strip().decode("ascii", "replace")
            fields = line.split(",")
            if fields[0] == "btngoHSK" and len(fields) > 2 and fields[2] == code:
                _rest(port)
                return fields[1]
            if line == "BOOT":
                asked = 0.0  # it is up: at once
            elif line:
                said = line
        now = time.monotonic()
        if now - asked > _REPEAT_S:
            if now - start > _STALE_S and not stopped:
                stopped = True
                port.write(hashed(STOP))
            port.write(hashed(handshake(int(code))))
            asked = now
    words = f"it says {said[:60]!r}" if said else "nobody answers"
    raise LineError(
        f"No Bottango driver on bus '{name}': {words}. Is the driver (0.8 or newer) on the board, for live control "
        f"and not for saved animations, and is the baud rate 115200?"
    )


def _rest(port: PulsePort) -> None:
    """Takes the OK that follows a handshake, and what earlier ones left, until it is quiet."""
    start = heard = time.monotonic()
    while time.monotonic() - heard < _QUIET_S and time.monotonic() - start < _REPEAT_S:
        if port.read():
            heard = time.monotonic()
