"""A character that looks, in a thread of its own: a loop of express, what it was told, and what it did."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from animato.express import Command, Loop, Problem
from animato.express.mechanism import closed_clip
from animato.express.problem import Said
from animato.motion import Clip, Posture

_LONGEST_S = 600.0
"""Of a recording; what comes later is left out."""

_RATE_OVER_S = 1.0  # over which the rate is told


class Look(NamedTuple):
    """One moment of it.

    Attributes:
        coordinates: All of the character [rad or m], shape [coordinate].
        off_rad: Angle between the line of sight and what is to be faced [rad].
        changing: Whether the joints are on a longer way, to another bend of the chain.
    """

    coordinates: np.ndarray
    off_rad: float
    changing: bool


class LiveGaze:
    """Runs a loop in real time; any thread may tell it what to do, and nothing of it raises.

    Attributes:
        problem: Who holds what.
    """

    def __init__(self, problem: Problem) -> None:
        """Makes the loop; `start` runs it.

        Raises:
            AnimatoError: The problem's options do not fit.
        """
        self.problem = problem
        self._loop = Loop(problem, whole_body=True)
        self._rate_hz = float(problem.options.rate_hz)
        self._columns = [problem.posture.names.index(name) for name in self._loop.names]
        self._newest: Command | None = None
        self._kept: list[np.ndarray] | None = None
        self._moments: list[float] = []
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="animato-gaze", daemon=True)

    def start(self) -> None:
        """Begins to look."""
        self._thread.start()

    def stop(self) -> None:
        """Ends it, and waits until it has."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)

    # --- What it is told ----------------------------------------------------------------------------------------------
    def face(self, place: np.ndarray) -> bool:
        """Looks at a point in the world [m], [3]; whether that was taken."""
        return self._loop.submit(place)

    def hold(self, posture: Posture) -> bool:
        """Holds another posture while it looks; whether that was taken."""
        return self._loop.hold(posture)

    def breathe(self, on: bool) -> bool:
        """Lets it breathe and shift while it looks; whether that was taken."""
        return self._loop.breathe(on)

    def tune(self, manner: Mapping[str, float]) -> bool:
        """Moves in another manner, by the words of `express.Options`; whether that was taken."""
        return self._loop.say(Said(character=dict(manner)))

    # --- What it does -------------------------------------------------------------------------------------------------
    @property
    def now(self) -> Look:
        """Where it is."""
        command, coordinates = self._newest, self.problem.posture.positions.copy()
        if command is None:
            coordinates[self._columns[: len(self.problem.held)]] = self.problem.held
            return Look(coordinates, 0.0, changing=False)
        coordinates[self._columns] = command.positions
        return Look(coordinates, float(command.error_rad), command.changing)

    @property
    def rate_hz(self) -> float:
        """Commands a second, of late."""
        moments = self._moments[-int(_RATE_OVER_S * self._rate_hz) :]
        return (len(moments) - 1) / (moments[-1] - moments[0]) if len(moments) > 1 else 0.0

    def record(self) -> None:
        """Begins to keep what it does."""
        with self._lock:
            self._kept = [self.now.coordinates[self._columns]]

    @property
    def recorded_s(self) -> float:
        """How long it has been recorded [s]; 0 where it is not."""
        kept = self._kept
        return 0.0 if kept is None else (len(kept) - 1) / self._rate_hz

    @property
    def records(self) -> bool:
        """Whether it is being recorded."""
        return self._kept is not None

    def recording(self) -> Clip | None:
        """Ends the recording and gives it, as a motion of the whole character; None where there is none."""
        with self._lock:
            kept, self._kept = self._kept, None
        if kept is None or len(kept) < 2:
            return None
        posture = self.problem.posture
        positions = np.tile(posture.positions, (len(kept), 1))
        positions[:, self._columns] = np.array(kept)
        clip = Clip(np.arange(len(kept)) / self._rate_hz, posture.names, positions, source="recorded while it looked")
        return closed_clip(self.problem, clip)

    def step(self) -> None:
        """One command."""
        command = self._loop.step()
        self._newest = command
        with self._lock:
            if self._kept is not None and len(self._kept) <= _LONGEST_S * self._rate_hz:
                self._kept.append(command.positions)

    def _run(self) -> None:
        """Commands on time; what comes late makes the next ones later, as joints cannot catch up."""
        period, due = 1.0 / self._rate_hz, time.perf_counter()
        while not self._stop.wait(max(due - time.perf_counter(), 0.0)):
            self.step()
            now = time.perf_counter()
            self._moments = [*self._moments[-int(_RATE_OVER_S * self._rate_hz) :], now]
            due = max(due + period, now - period)
