"""The lamp looks around on five Dynamixel servos that are emulated on a pty, byte for byte.

On real servos everything is the same but the port: `an.stage.playing.play(lamp, "lamp_look", "/dev/ttyUSB0")`.

Run it: python examples/play_lamp.py
"""

from __future__ import annotations

from dataclasses import replace

import animato as an

# Id, and the count of the encoder where the joint is at 0.
SERVOS = {"turn": (1, 2048), "shoulder": (2, 2048), "elbow": (3, 1500), "nod": (4, 2048), "tilt": (5, 2048)}


def wired_lamp() -> an.Character:
    """The lamp with a servo map."""
    bus = an.character.Bus("arm", an.character.BusKind.DYNAMIXEL, baud=1_000_000)
    wires = tuple(an.character.Wire(name, "arm", id, zero=zero) for name, (id, zero) in SERVOS.items())
    return replace(an.load_character("lamp"), buses=(bus,), wires=wires)


def agree(plan: an.stage.playing.Plan) -> bool:
    """Where a person would be asked before the torque goes on."""
    for line in plan.lines():
        print(line)
    return True


def main() -> tuple[an.stage.playing.Performance, list[tuple[float, dict[int, float]]]]:
    """Plays; what became of it, and the goals that arrived at the servos."""
    lamp = wired_lamp()
    stands = {1: 2200.0, 2: 1900.0, 3: 2300.0}  # somebody has turned the shafts by hand
    with an.stage.emulated.EmulatorProcess("dynamixel", range(1, 6), positions=stands) as bus:
        performance = an.stage.playing.play(lamp, "lamp_look", bus.port, confirm=agree, say=print, record=True)
        frames = bus.frames
    for line in performance.lines():
        print(line)
    print(f"{len(frames)} frames arrived; the first was {frames[0][1]}, the last {frames[-1][1]}.")
    return performance, frames


if __name__ == "__main__":
    main()
