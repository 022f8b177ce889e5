"""A show of the lamp on dry servos: it looks, waits for a cue, and bows; light and sound follow over OSC.

On real servos everything is the same but `to`: `an.stage.shows.perform(show, lamp, "/dev/ttyUSB0")`.

Run it: python examples/show_lamp.py
"""

from __future__ import annotations

import threading
from dataclasses import replace

import animato as an

SHOW = """
animato: 1
name: evening
clips: {look: lamp_look}
inputs: {net: {kind: osc, port: 9001}}
outputs: {desk: {kind: osc, port: 9000}}
cues:
  - {osc: /go, does: go}
  - {osc: /again, does: goto greeting}
timeline:
  - pose: rest
  - {play: look, name: greeting, end: 2 s, cues: [{at: 0.5 s, to: desk, osc: /light/1, args: [255]}]}
  - wait_for: go
  - {pose: curious, cues: [{to: desk, osc: /light/1, args: [0]}]}
  - wait: 0.5 s
"""

# Id, and the count of the encoder where the joint is at 0.
SERVOS = {"turn": (1, 2048), "shoulder": (2, 2048), "elbow": (3, 1500), "nod": (4, 2048), "tilt": (5, 2048)}


def wired_lamp() -> an.Character:
    """The lamp with a servo map."""
    bus = an.character.Bus("arm", an.character.BusKind.DYNAMIXEL, baud=1_000_000)
    wires = tuple(an.character.Wire(name, "arm", id, zero=zero) for name, (id, zero) in SERVOS.items())
    return replace(an.load_character("lamp"), buses=(bus,), wires=wires)


def main() -> an.stage.shows.ShowPerformance:
    """Goes through the show in the computer, then performs it; a timer stands for the person with the button."""
    lamp = wired_lamp()
    score = an.stage.shows.compose(an.stage.shows.show_from_text(SHOW, "evening.yaml"), lamp)
    for line in an.stage.shows.rehearse(score).lines():
        print(line)

    conductors: list[an.stage.shows.Conductor] = []

    def began(conductor: an.stage.shows.Conductor) -> None:
        conductors.append(conductor)
        threading.Timer(0.8, conductor.order, ["goto greeting"]).start()  # in the middle of a motion

    def say(what: str) -> None:
        print(what)
        if what.startswith("Waits"):
            conductors[0].order("go")

    return an.stage.shows.perform(score, to="dry", say=say, began=began)


if __name__ == "__main__":
    main()
