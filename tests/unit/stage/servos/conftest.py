"""A head with two joints, and a person who moves it by hand, on emulated servos."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from animato.stage.emulated import SerialEmulator

HEAD = """# written by hand
animato: 1
name: head
bodies:
  stand: {mass: 300 g}
  body: {mass: 200 g}
  skull: {mass: 90 g}   # light
joints:
  floor: {type: ground, child: stand}
  turn:
    type: revolute
    parent: stand
    child: body
    axis: z
    limits: {lower: -90 deg, upper: 90 deg, velocity: 3 rad/s, acceleration: 20 rad/s^2}
  nod:
    type: revolute
    parent: body
    child: skull
    axis: y
    limits: {lower: -30 deg, upper: 45 deg, velocity: 3 rad/s, acceleration: 20 rad/s^2}
buses:
  neck: {kind: KIND, port: PORT}  # the long cable
servos:
  turn: {bus: neck, id: 1}  # red dot
  nod: {bus: neck, id: 2}

# that is all
"""


class Person:
    """Answers questions from a list, and moves a shaft on the way to each answer, in small steps.

    Args:
        bus: Whose shafts are moved.
        answers: What is typed, one a question: text, or {id: counts to which the shaft is moved by hand}, then Enter.
    """

    def __init__(self, bus: SerialEmulator | None, answers: list[str | Mapping[int, float]]) -> None:
        self._bus, self._answers = bus, list(answers)
        self.asked: list[str] = []
        self.seen: list[str] = []
        self.said: list[str] = []

    def ask(self, sentence: str, live: Callable[[], str] | None) -> str:
        self.asked.append(sentence)
        answer = self._answers.pop(0)
        if isinstance(answer, str):
            return answer
        assert self._bus is not None
        for id, goal in answer.items():
            body = self._bus.bodies[id]
            assert not body.torque, "nobody moves a shaft that holds"
            start = body.position
            for step in range(1, 9):
                body.position = start + (goal - start) * step / 8.0
                if live is not None:
                    self.seen.append(live())
        return ""

    def say(self, sentence: str) -> None:
        self.said.append(sentence)

    @property
    def is_done(self) -> bool:
        return not self._answers


@pytest.fixture
def head_file(tmp_path: Path) -> Callable[[str, str], Path]:
    """Writes the character for a bus: `head_file("dynamixel", port)`."""

    def made(kind: str, port: str) -> Path:
        path = tmp_path / "head.yaml"
        path.write_text(HEAD.replace("KIND", kind).replace("PORT", port))
        return path

    return made
