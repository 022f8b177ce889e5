"""Makes a project of the studio: pico nods, and bows, each from a few keys that can be edited by hand afterwards.

Run it with the folder to make: python examples/studio_project.py bow
Then open it: animato studio ./bow
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

import animato as an

NOD = {0.0: {}, 0.5: {"neck_tilt": 18.0}, 0.9: {"neck_tilt": -6.0}, 1.3: {"neck_tilt": 14.0}, 1.9: {}}
ARMS = {"left_shoulder_pitch": -20.0, "right_shoulder_pitch": -20.0}
BOW = {0.0: {}, 0.9: {"neck_tilt": 20.0, **ARMS}, 1.6: {"neck_tilt": 20.0, **ARMS}, 2.6: {}}


def keyed(pico: an.Character, poses: Mapping[float, Mapping[str, float]], seconds: float) -> an.studio.Keyed:
    """Keys at times [s], each standing but for some joints [deg].

    Args:
        pico: Who performs.
        poses: Joints that are others than when it stands, by time.
        seconds: How long it lasts [s].
    """
    stand = an.Posture.named(pico, "stand")
    keys = []
    for time, joints in poses.items():
        pose = np.array(stand.positions)
        for name, degrees in joints.items():
            pose[stand.names.index(name)] += np.radians(degrees)
        keys.append(an.studio.Key(time, pose, None, an.studio.Ease.SMOOTH))
    return an.studio.Keyed.hold(pico, seconds, stand).with_keys(keys)


def main(folder: Path) -> an.studio.Document:
    """Writes the project and says of each take whether the robot can do it."""
    pico = an.load_character("pico")
    document = an.studio.Document(pico, "pico")
    for name, poses, seconds in (("nod", NOD, 2.2), ("bow", BOW, 3.0)):
        source = keyed(pico, poses, seconds)
        document = document.with_take(an.studio.Take(name, source, source.clip))
        print(f"{name}: {an.check(pico, source.clip).outcome.reason}")
    an.studio.save_project(folder, document)
    print(f"Open it with: animato studio {folder}")
    return document


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "bow"))
