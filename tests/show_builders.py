"""Shows of the lamp for tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from animato.character import Character
from animato.formats import load_character
from animato.formats.character_yaml import servo_map_from_text
from animato.stage.playing.streaming import Guard
from animato.stage.rig import Rig, rig_of
from animato.stage.shows.clocks import FollowedClock
from animato.stage.shows.conducting import Conductor
from animato.stage.shows.file import Show, show_from_text
from animato.stage.shows.score import Score, build_score
from tests.stage_builders import LAMP_SERVOS

STEP_S = 0.01

EVENING = """animato: 1
name: evening
clips: {look: lamp_look}
inputs: {net: {kind: osc, port: 9001}}
outputs:
  desk: {kind: osc, port: 9000}
  light: {kind: sacn, host: 127.0.0.1}
cues:
  - {osc: /go, does: go}
  - {osc: /stop, does: stop}
  - {osc: /look, does: goto look}
  - {osc: /idle, does: goto idle}
timeline:
  - pose: rest
  - {play: look, name: look, end: 3 s, cues: [{at: 0.5 s, to: light, dmx: {1: 255}}]}
  - wait: 0.5 s
  - wait_for: go
  - {play: look, name: idle, start: 1 s, end: 2.4 s, loops: forever}
  - pose: curious
  - {goto: look, times: 1}
"""


@cache
def lamp() -> Character:
    """The lamp with servos."""
    return servo_map_from_text(load_character("lamp"), LAMP_SERVOS, "servos.yaml")


@cache
def lamp_rig() -> Rig:
    """Its servos."""
    return rig_of(lamp())


def show_of(text: str, folder: Path = Path()) -> Show:
    """A show whose file would stand in a folder."""
    return show_from_text(text, folder / "show.yaml")


@cache
def score_of(text: str, beats_s: tuple[float, float] | None = None) -> Score:
    """A show of the lamp, worked out once."""
    return build_score(show_of(text), lamp(), lamp_rig(), beats_s=beats_s)


class Stand:
    """A conductor before a guard, in time that passes only here.

    Args:
        score: What is performed.
        clocked: Whether it follows a clock that the test lets go.
    """

    def __init__(self, score: Score, *, clocked: bool = False) -> None:
        self.now_s = 100.0
        self.said: list[str] = []
        self.sent: list[tuple[float, str]] = []
        self.clock = FollowedClock(now=lambda: self.now_s) if clocked else None
        self.conductor = Conductor(
            score,
            clock=self.clock,
            emit=lambda cue: self.sent.append((self.time_s, cue.words())),
            say=self.said.append,
        )
        self.guard = Guard(score.rig)
        self.guard.begin(score.stretches[0].clip.positions[0])
        self.told: list[np.ndarray] = [self.guard.position.copy()] * 3
        self._frame, self._wanted = 0, self.guard.position
        self._rig = score.rig

    @property
    def time_s(self) -> float:
        """Since the first frame."""
        return self._frame * STEP_S

    def run(self, seconds: float, each: Callable[[float], None] | None = None) -> bool:
        """Lets time pass, with something done before each frame; whether the show goes on."""
        for _ in range(round(seconds / STEP_S)):
            if each is not None:
                each(self.time_s)
            wanted = self.conductor(self.time_s)
            if wanted is None:  # a stream then stays where it was wanted last
                self.told += [self.guard.step(self._wanted, STEP_S) for _ in range(3)]
                return False
            self._wanted = wanted
            self.told.append(self.guard.step(wanted, STEP_S))
            self._frame += 1
            self.now_s += STEP_S
        return True

    def use(self) -> tuple[float, float, float]:
        """The most of range, speed and acceleration that was used at the servos' side, as shares of the limits."""
        told, rig = np.array(self.told), self._rig
        middle, half = (rig.upper + rig.lower) / 2.0, (rig.upper - rig.lower) / 2.0
        speeds = np.diff(told, axis=0) / STEP_S
        changes = np.diff(speeds, axis=0) / STEP_S
        return (
            float((np.abs(told - middle) / half).max()),
            float((np.abs(speeds) / rig.speed).max()),
            float((np.abs(changes) / rig.acceleration).max()),
        )
