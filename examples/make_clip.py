"""Makes a clip from keyframes: the lamp wakes up, looks around, and nods.

Run it with the name of the file to write: python examples/make_clip.py lamp_nod.csv
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import animato as an

Keyframe = tuple[float, str, dict[str, float]]
"""When [s], in which of the character's named postures, and angles [deg] that replace some of it."""

KEYFRAMES: tuple[Keyframe, ...] = (
    (0.0, "sad", {}),
    (0.4, "sad", {}),
    (1.2, "rest", {}),
    (1.8, "curious", {"turn": 45.0}),
    (2.2, "curious", {"turn": 45.0, "tilt": -20.0}),
    (3.2, "curious", {"turn": -35.0, "tilt": 20.0}),
    (4.0, "proud", {}),
    (4.3, "proud", {"nod": -5.0}),
    (4.6, "proud", {}),
    (5.0, "proud", {}),
)


def make_clip(character: an.Character, keyframes: tuple[Keyframe, ...], rate_hz: float) -> an.Clip:
    """Eases from keyframe to keyframe; each is reached at rest.

    Args:
        character: Who moves.
        keyframes: In the order of time, the first and last ones included in the clip.
        rate_hz: Frames a second.
    """
    poses = []
    for _, name, changes in keyframes:
        posture = an.Posture.named(character, name)
        angles = {joint: float(np.radians(angle)) for joint, angle in changes.items()}
        poses.append([angles.get(joint, posture.value(joint)) for joint in posture.names])
    keys, values = np.array([time for time, _, _ in keyframes]), np.array(poses)
    times = np.arange(0, round((keys[-1] - keys[0]) * rate_hz) + 1) / rate_hz + keys[0]
    piece = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, len(keys) - 2)
    share = ((times - keys[piece]) / (keys[piece + 1] - keys[piece]))[:, None]
    # The smoothest way from rest to rest: no jump in velocity or acceleration.
    ease = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
    positions = values[piece] + ease * (values[piece + 1] - values[piece])
    return an.Clip(times, character.coordinate_names, positions, source="examples/make_clip.py")


def main(path: Path) -> float:
    """Writes the clip and says how much of the lamp's limits it uses, at most."""
    lamp = an.load_character("lamp")
    clip = make_clip(lamp, KEYFRAMES, rate_hz=50.0)
    an.formats.tables.save_clip_csv(path, clip, lamp)
    usage = an.mechanics.limits.limit_usage(lamp, clip)
    most = max(float(np.nanmax(share)) for share in usage.shares.values())
    print(f"{path}: {clip.duration:g} s, uses at most {most:.0%} of any limit.")
    return most


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "lamp_nod.csv"))
