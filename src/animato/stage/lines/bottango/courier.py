"""Carries commands to a driver and waits for each OK, in a thread of its own, so that nobody else has to."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from animato.stage.lines.bottango.commands import CLEAR_CURVES, hashed, time_sync
from animato.stage.lines.contract import LineError
from animato.stage.lines.pulses import PulsePort

_LOST_S = (0.012, 0.1)
"""An answer that takes longer than this was lost [s]: on a serial line, and on a network."""
_LOST_TRIPS = 4.0
"""But not before so many usual round trips."""
_SILENCE_S = (0.12, 0.16)
"""After this long without any answer nobody is there [s]: on a serial line, and on a network. Whether or not it hears
what is written, its servos stand within 0.2 s: they are told so, and without a word they play 0.12 s."""
_DISTURBED_S = 0.5
"""After a loss round trips are not measured for so long [s]."""
_TRIES = 3
"""After so many without an answer a command counts as spoiled."""
_MOST_TRIES = 10
_JUDGED = 20
_MOST_SPOILED = 0.4
"""Of so many commands so large a share may be spoiled: beyond, motion is no longer what was asked for. One whose answer
is lost is sent again, and counts only when it is given up: it may well have been obeyed."""
_COMMAND_BYTES = 60
"""The most that a curve takes."""
_SYNC_BYTES = 18
_OK_BYTES = 3
_LONGEST = 1024
"""Characters without an end of line that are no answer of a driver any more."""


@dataclass
class Errand:
    """A command on its way.

    Attributes:
        make: Gives its text when it is written, so that it is of that moment; None where it is no longer wanted.
        alone: Whether nothing else may be under way with it.
        on_lost: Called when it was given up and the driver surely did not obey it.
        done: Set when it was answered, or given up.
        is_fine: Whether it was answered with OK.
        is_unsure: Whether it was written and never answered: the driver may have obeyed it.
        sent_at: When it was written [s].
        size: Bytes.
        tries: How often it was written.
    """

    make: Callable[[], str | None]
    alone: bool = False
    on_lost: Callable[[], None] | None = None
    done: threading.Event = field(default_factory=threading.Event)
    is_fine: bool = False
    is_unsure: bool = False
    sent_at: float = 0.0
    size: int = 0
    tries: int = 0


class Courier:
    """Sends commands in order, never more at once than the driver's buffer holds.

    Args:
        port: To the driver; read and written by this thread only from now on.
        name: What messages call the bus.
        room: How many bytes may be under way unanswered; one command always may.
        on_tick: Called often from the thread, with the time [s].
        byte_s: How long a byte takes on the wire [s].

    Attributes:
        epoch: When the clock of the line started [s, of time.monotonic].
        synced_ms: The last time that the driver was told, on the clock of the line.
        round_trip_s: The shortest time from a time sync to its answer [s].
        trips: The last ones [s].
        lost: Commands that were answered wrongly or not at all.
        late: Commands that came too late to be sent.
    """

    def __init__(
        self, port: PulsePort, name: str, room: int, on_tick: Callable[[float], None], byte_s: float = 0.0
    ) -> None:
        self.epoch = time.monotonic() - 1.0  # the driver's clock starts above 0
        self.synced_ms = 0
        self.round_trip_s = 0.0
        self.trips: deque[float] = deque(maxlen=9)
        self.lost = self.late = 0
        self._port, self._name, self._room, self._byte_s = port, name, room, byte_s
        self._on_tick = on_tick
        self._waiting: deque[Errand] = deque()
        self._under_way: deque[Errand] = deque()
        self._lock = threading.Lock()
        self._spoiled: deque[bool] = deque(maxlen=_JUDGED)
        self._troubles: list[str] = []
        self._fault: LineError | None = None
        self._heard = b""
        self._unanswered_since: float | None = None
        self._disturbed_until = 0.0
        self._told_ms = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"bottango {name}", daemon=True)
        self._thread.start()

    def now_ms(self) -> float:
        """The clock of the line [ms]."""
        return (time.monotonic() - self.epoch) * 1000.0

    def check(self) -> None:
        """Raises what went wrong in the thread."""
        if self._fault is not None:
            raise LineError(str(self._fault))

    def troubles(self) -> list[str]:
        """What the driver complained about since the last call, as it said it."""
        with self._lock:
            said, self._troubles = self._troubles, []
        return said

    def put(
        self, make: Callable[[], str | None], alone: bool = False, on_lost: Callable[[], None] | None = None
    ) -> Errand:
        """Puts a command at the end of the queue; after a fault nobody carries it, and it is done at once."""
        errand = Errand(make, alone, on_lost)
        with self._lock:
            if self._fault is None:
                self._waiting.append(errand)
            else:
                errand.done.set()
        return errand

    def drop(self) -> None:
        """Forgets what was not sent yet, but for the time: which one the driver heard must become known."""
        with self._lock:
            kept = [errand for errand in self._waiting if errand.alone]
            for errand in self._waiting:
                if not errand.alone:
                    errand.done.set()
            self._waiting = deque(kept)

    def empty(self, until: float) -> None:
        """Waits until everything was answered, or until a time on the clock of `time.monotonic` [s]."""
        while (self._waiting or self._under_way) and time.monotonic() < until:
            time.sleep(0.002)

    def ask(self, text: str, patience_s: float) -> None:
        """Sends one command and waits for its OK.

        Raises:
            LineError: It did not come.
        """
        errand = self.put(lambda: text)
        self.wait(errand, patience_s)

    def wait(self, errand: Errand, patience_s: float) -> None:
        """Waits until a command was answered with OK.

        Raises:
            LineError: It was not.
        """
        errand.done.wait(patience_s)
        self.check()
        if not errand.is_fine:
            raise self._silent()

    def sync(self) -> Errand:
        """Tells the driver what time it is, by the clock of the line."""
        return self.put(self._time, alone=True)

    def _time(self) -> str:
        at = self.now_ms() + self._outward_s() * 1000.0
        self._told_ms = int(at) + 1
        time.sleep((self._told_ms - at) / 1000.0)  # whole milliseconds are told: written when one begins
        return time_sync(self._told_ms)

    def _outward_s(self) -> float:
        """How long a time sync takes until it is heard [s]: its bytes, and half of what else the round trip takes."""
        there, back = _SYNC_BYTES * self._byte_s, _OK_BYTES * self._byte_s
        rest = max(self.round_trip_s - there - back, 0.0)
        return min(there + rest / 2.0, self.round_trip_s)  # a USB that is no serial line inside has no time for bytes

    def clock_error_s(self) -> float:
        """How far the driver's clock may be off since the last sync [s]: what it took longer than the fastest."""
        return self.trips[-1] - self.round_trip_s if self.trips else 0.0

    def close(self) -> None:
        """Ends the thread and gives the port back; may be called twice."""
        self._stopping.set()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=1.0)
        self._port.close()

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._listen(self._port.read())
                now = time.monotonic()
                self._give_up(now)
                self._on_tick(now)
                self._send()
        except LineError as error:
            self._fail(error)
        except Exception as error:  # a thread that dies without a word would look like a silent driver
            self._fail(LineError(f"Bus '{self._name}' broke: {type(error).__name__}: {error}."))

    def _fail(self, error: LineError) -> None:
        with self._lock:
            self._fault = error
            for errand in (*self._under_way, *self._waiting):
                errand.done.set()
            self._waiting.clear()
            self._under_way.clear()

    def _listen(self, data: bytes) -> None:
        *lines, self._heard = (self._heard + data).split(b"\n")
        self._heard = self._heard[-_LONGEST:]
        for raw in lines:
            line = raw.strip().decode("ascii", "replace")
            if line == "OK":
                self._answered(True)
            elif line in ("HASH_FAIL", "TIMEOUT"):
                self._answered(False)
            elif line == "BOOT":
                raise LineError(
                    f"The driver of bus '{self._name}' started anew while it was in use: its servos are off. Does "
                    f"its power sag when servos pull, or was its reset pressed?"
                )
            elif line.startswith(("err", "reqStop")):
                with self._lock:
                    self._troubles.append(line)

    def _answered(self, is_fine: bool) -> None:
        now, self._unanswered_since = time.monotonic(), None
        with self._lock:
            if not self._under_way:
                return
            errand = self._under_way.popleft()
        if is_fine and errand.alone:
            self.synced_ms = self._told_ms
            trip = now - errand.sent_at
            self.trips.append(trip)
            if now > self._disturbed_until:  # the shortest is the truest; it may grow, but only slowly
                self.round_trip_s = trip if self.round_trip_s == 0.0 else min(trip, self.round_trip_s * 1.05)
        self._finish(errand, is_fine)

    def _finish(self, errand: Errand, is_fine: bool, answered: bool = True) -> None:
        if answered or errand.tries == _TRIES:
            self._spoiled.append(not is_fine)
        if len(self._spoiled) == _JUDGED and sum(self._spoiled) > _JUDGED * _MOST_SPOILED:
            self._port.write(hashed(CLEAR_CURVES))
            raise LineError(
                f"{sum(self._spoiled)} of the last {_JUDGED} commands to the driver of bus '{self._name}' were spoiled "
                f"on their way. Take a shorter or shielded cable, and keep it away from motors."
            )
        if not is_fine:  # an answer that comes after all would be taken for that of a later command
            self.lost += 1
            self._disturbed_until = time.monotonic() + _DISTURBED_S
        # the driver counts from the last time that it heard: until one is answered, nobody knows which that is
        if not is_fine and (errand.alone or errand.tries < _MOST_TRIES) and not errand.done.is_set():
            with self._lock:
                self._waiting.appendleft(errand)
            return
        errand.is_fine = is_fine
        if not is_fine and not errand.is_unsure and errand.on_lost is not None:
            errand.on_lost()
        errand.done.set()

    def _give_up(self, now: float) -> None:
        """What was never answered counts as lost; when nothing is answered any more, nobody is there."""
        network = self._byte_s == 0.0
        if self._unanswered_since is not None and now - self._unanswered_since > _SILENCE_S[network]:
            self._port.write(hashed(CLEAR_CURVES))  # it may still hear: then it stands at once
            raise self._silent()
        usual = sorted(self.trips)[len(self.trips) // 2] if self.trips else 0.0
        with self._lock:
            if not self._under_way or now - self._under_way[0].sent_at <= max(_LOST_S[network], _LOST_TRIPS * usual):
                return
            lost = list(self._under_way)
            self._under_way.clear()
        for errand in reversed(lost):
            errand.is_unsure = True
            self._finish(errand, False, answered=False)

    def _send(self) -> None:
        while True:
            with self._lock:
                if not self._waiting or not self._has_room(self._waiting[0]):
                    return
                errand = self._waiting.popleft()
            text = errand.make()
            if text is None:
                self.late += 1
                errand.done.set()
                continue
            data = hashed(text)
            errand.sent_at, errand.size = time.monotonic(), len(data)
            errand.tries += 1
            if self._unanswered_since is None:
                self._unanswered_since = errand.sent_at
            with self._lock:
                self._under_way.append(errand)
            self._port.write(data)

    def _has_room(self, errand: Errand) -> bool:
        if not self._under_way:
            return True
        if errand.alone or self._under_way[-1].alone:
            return False
        return sum(one.size for one in self._under_way) + _COMMAND_BYTES <= self._room

    def _silent(self) -> LineError:
        return LineError(
            f"The driver of bus '{self._name}' does not answer any more. Its servos play what they have, a tenth of a "
            f"second, and hold."
        )
