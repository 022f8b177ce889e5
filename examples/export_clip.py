"""A clip of the lamp as files of other programs: a ROS 2 bag, a LeRobot dataset, and a sketch that plays alone.

The lamp's file has no servo map, for it does not know how yours is wired; here is one, with a pin for each servo.

Run it, with a folder to write to where `lamp_files` will not do: python examples/export_clip.py out
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import animato as an

# Pin, and the pulse where the joint is at 0 [microseconds].
PINS = {"turn": (3, 1500), "shoulder": (5, 1440), "elbow": (6, 1000), "nod": (9, 1530), "tilt": (10, 1500)}


def main(folder: Path) -> dict[str, an.stage.exporting.Exported]:
    """Writes all of them, and says what each does not hold."""
    lamp = an.load_character("lamp")
    board = an.character.Bus("board", an.character.BusKind.BOTTANGO)
    wires = tuple(an.character.Wire(name, "board", pin, zero=zero) for name, (pin, zero) in PINS.items())
    lamp = replace(lamp, buses=(board,), wires=wires)
    clip = an.load_clip("lamp_look", lamp)
    done = {}
    for name, place in (("ros2-mcap", "look_bag"), ("lerobot", "look_set"), ("arduino", "look")):
        done[name] = an.stage.exporting.export(folder / place, lamp, clip, to=name, name="look")
        print(f"{name}: {done[name].files[0]}")
        for sentence in done[name].left_out:
            print(f"  {sentence}")
    return done


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "lamp_files"))
