"""Lets a sound be heard by a program that the computer has."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from animato.stage.shows.clocks import Reading
from animato.stage.shows.sound.wave_file import Wave

PLAYERS: tuple[tuple[str, ...], ...] = (
    ("pw-play",),
    ("paplay",),
    ("aplay", "-q"),
    ("afplay",),
    ("ffplay", "-nodisp", "-autoexit", "-loglevel", "quiet"),
)
"""Programs that play a WAV file, in the order in which they are tried."""


def player_command() -> tuple[str, ...] | None:
    """The first player that is there; None where none is."""
    return next((one for one in PLAYERS if shutil.which(one[0])), None)


class Effects:
    """Sounds that are started by cues and play to their end.

    Args:
        command: A program with its flags, to which a file is given; silent where not given.
        find: Where the file of a sound is.
    """

    def __init__(self, command: Sequence[str] | None, find: Callable[[str], Path]) -> None:
        self._command, self._find = command, find
        self._running: list[subprocess.Popen[bytes]] = []

    def play(self, name: str) -> None:
        """Starts a sound."""
        self._running = [one for one in self._running if one.poll() is None]
        if self._command is not None:
            self._running.append(_started(self._command, self._find(name)))

    def close(self) -> None:
        """Silence."""
        for one in self._running:
            _ended(one)


class SoundClock:
    """The sound of a show, and its position as a clock.

    A program of the system plays; where it is in the sound is the time since it started, so `latency_s` is what the
    system adds before it is heard. Without a player the show keeps the time of the sound in silence. Starting a program
    takes longer than a frame may, so a thread of its own does it, and the clock is not heard until it is done.

    Args:
        sound: What is played.
        command: A program with its flags, to which a file is given; silent where not given.
        latency_s: From the start of the program to the first sound [s].
        now: The computer's own clock [s].
    """

    is_led = True

    def __init__(
        self,
        sound: Wave,
        command: Sequence[str] | None,
        latency_s: float = 0.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sound, self._command, self._latency_s, self._now = sound, command, latency_s, now
        self._folder = Path(tempfile.mkdtemp(prefix="animato-sound-"))
        self._wanted: float | None = None
        self._started: tuple[float, float] | None = None  # when, on the computer's clock, and at which position
        self._halted_s = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._change, self._closed = threading.Condition(), False
        self._asked = 0
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
        self._thread.start()

    def play(self, at_s: float) -> None:
        """Plays from a position [s]; comes back at once."""
        with self._change:
            self._wanted, self._started, self._asked = at_s, None, self._asked + 1
            self._change.notify()

    def halt(self) -> None:
        """Silence; comes back at once."""
        with self._change:
            reading = self._reading()
            self._halted_s = self._halted_s if reading is None else reading.at_s
            self._wanted, self._started, self._asked = None, None, self._asked + 1
            self._change.notify()

    def read(self) -> Reading | None:
        """Where the sound is; None while it is being started."""
        with self._change:
            return self._reading()

    def close(self) -> None:
        """Silence for good."""
        with self._change:
            self._closed = True
            self._change.notify()
        self._thread.join(timeout=2.0)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _reading(self) -> Reading | None:
        if self._started is not None:
            return Reading(self._started[1] + self._now() - self._started[0] - self._latency_s, running=True)
        return None if self._wanted is not None else Reading(self._halted_s, running=False)

    def _run(self) -> None:
        done = 0
        while True:
            with self._change:
                while done == self._asked and not self._closed:
                    self._change.wait()
                done, wanted, closed = self._asked, self._wanted, self._closed
            if self._process is not None:
                _ended(self._process)
                self._process = None
            if closed:
                return
            if wanted is not None:
                with contextlib.suppress(OSError):  # a show goes on in silence
                    self._begin(wanted)
                with self._change:
                    if done == self._asked:
                        self._started = self._now(), wanted

    def _begin(self, at_s: float) -> None:
        if self._command is None or at_s >= self._sound.duration_s:
            return
        path = self._sound.path
        if at_s > 1e-3:
            path = self._folder / "rest.wav"
            self._sound.save_from(at_s, path)
        self._process = _started(self._command, path)


def _started(command: Sequence[str], path: Path) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen([*command, str(path)], stdin=quiet, stdout=quiet, stderr=quiet)


def _ended(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError):
        process.terminate()
    try:
        process.wait(timeout=0.5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
