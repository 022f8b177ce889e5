"""Joins two moods of the lamp: it stands, looks around, is sad, and comes to rest, without a jump between.

Run it with the name of the file to write: python examples/join_clips.py lamp_moods.csv
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import animato as an


def breathing(lamp: an.Character, posture: str, seconds: float, rate_hz: float) -> an.Clip:
    """A posture that breathes: every joint swings by a degree or two, and is in motion at both ends.

    Args:
        lamp: Who breathes.
        posture: The name of a posture of the character.
        seconds: How long [s].
        rate_hz: Frames a second.
    """
    middle = an.Posture.named(lamp, posture)
    times = np.arange(round(seconds * rate_hz) + 1) / rate_hz
    swing = np.radians(1.5) * np.sin(2.0 * times[:, None] + 0.5 * np.arange(len(middle.names)))
    return an.Clip(times, middle.names, middle.positions + swing, source=f"{posture}, breathing")


def main(path: Path) -> an.fix.joining.Joined:
    """Writes the joined clip and says how long each transition takes."""
    lamp = an.load_character("lamp")
    sad = breathing(lamp, "sad", seconds=3.0, rate_hz=30.0)  # comes to the 50 frames a second of the first clip
    joined = an.join(lamp, ["lamp_look", sad], start="rest", end="proud")
    an.save(path, joined.clip, lamp)
    for sentence in joined.sentences():
        print(sentence)
    print(joined.outcome.reason)
    return joined


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "lamp_moods.csv"))
