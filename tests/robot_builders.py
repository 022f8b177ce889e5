"""Random robots as simulators know them: a branching tree of hinges and slides, gears, and bodies that are fixed."""

from __future__ import annotations

import numpy as np

from animato.character import Body, Character, Coupling, Joint
from animato.motion import Clip
from animato.spatial import quaternions
from tests.tree_builders import random_body, random_frame

FORKED = {"left_hip": "pelvis", "left_knee": "left_hip", "right_hip": "pelvis", "right_knee": "right_hip"}


def random_robot(rng: np.random.Generator, *, floats: bool = True, count: int = 8) -> Character:
    """Joints of one axis in random order on random parents; one is fixed, one follows another by a gear."""
    bodies = [random_body(rng, f"body {n}") for n in range(count + 1)]
    joints = [] if floats else [Joint("hold", "ground", "world", "body 0", frame_parent=random_frame(rng))]
    for n in range(count):
        kind = "fixed" if n == 2 else str(rng.choice(["revolute", "prismatic"]))
        joints.append(
            Joint(
                f"joint, {n}",
                "revolute" if n in (0, 5) else kind,
                f"body {rng.integers(0, n + 1)}",
                f"body {n + 1}",
                None,
                random_frame(rng),
                random_frame(rng),
                tuple(rng.normal(size=3)),
                coupling=Coupling("joint, 0", -1.3, 0.2) if n == 5 else None,
            )
        )
    order = rng.permutation(len(joints))
    return Character("robot", tuple(bodies), tuple(joints[n] for n in order))


def forked_robot() -> Character:
    """A pelvis with two legs of two joints, where depth first and breadth first differ."""
    bodies = [Body(name, mass=1.0) for name in ("pelvis", *FORKED)]
    joints = [Joint(f"{body}_joint", "revolute", parent, body, axis=(0.0, 1.0, 0.0)) for body, parent in FORKED.items()]
    return Character("forked", tuple(bodies), tuple(joints))


def swinging_clip(rng: np.random.Generator, character: Character, frames: int = 7, rate_hz: float = 50.0) -> Clip:
    """A smooth motion at an even rate, with a base where the character floats."""
    times = np.arange(frames) / rate_hz
    names = character.coordinate_names
    phase = rng.uniform(0.0, 6.0, size=len(names))
    positions = np.sin(3.0 * times[:, None] + phase)
    base = turns = None
    if character.floats:
        base = np.cumsum(rng.normal(size=(frames, 3)) * 0.02, axis=0) + rng.normal(size=3)
        start = rng.normal(size=3)
        turns = quaternions.quaternion_from_rotation_vector(start + np.cumsum(rng.normal(size=(frames, 3)) * 0.1, 0))
    return Clip(times, names, positions, base, turns, "swing")
