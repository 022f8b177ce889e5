"""Chains for tests: shipped skeletons, and random ones with any axes, frames and limits."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Joint
from animato.character.landmarks import EndPoint
from animato.character.limits import Limits
from animato.formats.character_files import load_character
from animato.mechanics.tree.chains import Chain, build_chain
from animato.spatial import quaternions

SKELETONS = "abcdefg"


@lru_cache
def skeleton(letter: str) -> Chain:
    """One of the test skeletons of the paper."""
    return build_chain(load_character(f"skeleton_{letter}"), "tip")


def random_wxyz(rng: np.random.Generator, count: int) -> np.ndarray:
    """Rotations spread evenly, [count, 4]."""
    return quaternions.normalized(rng.standard_normal((count, 4)))


def random_character(rng: np.random.Generator, turning: int, *, slides: bool = True) -> Character:
    """A chain with random axes, frames and limits, some wider than a turn, and a slide or two between the joints."""
    kinds = ["revolute"] * turning
    if slides:
        for _ in range(2):
            kinds.insert(int(rng.integers(0, len(kinds) + 1)), "prismatic")
    bodies, joints = [Body("body_0")], [Joint("stand", "ground", "world", "body_0")]
    for i, kind in enumerate(kinds):
        bodies.append(Body(f"body_{i + 1}"))
        axis = rng.standard_normal(3)
        turn = tuple(quaternions.normalized(rng.standard_normal(4)))
        frame = Frame(tuple(rng.uniform(-0.3, 0.3, 3)), turn)
        width = rng.choice([1.0, 2.0, 3.1, 2.0 * np.pi, 8.0])
        lower = -rng.uniform(0.2, 0.8) * width
        limits = Limits(lower, lower + width) if rng.random() < 0.85 or kind == "prismatic" else Limits()
        joints.append(
            Joint(
                f"joint_{i}",
                kind,
                f"body_{i}",
                f"body_{i + 1}",
                frame_parent=frame,
                axis=tuple(axis / np.linalg.norm(axis)),
                stated_limits=(limits,),
            )
        )
    forward = rng.standard_normal(3)
    tip = EndPoint(
        "tip",
        f"body_{len(kinds)}",
        Frame((0.1, 0.2, 0.3), tuple(quaternions.normalized(rng.standard_normal(4)))),
        tuple(forward / np.linalg.norm(forward)),
        symmetric=bool(rng.random() < 0.5),
    )
    return Character("random", tuple(bodies), tuple(joints), end_points=(tip,))


def random_chain(rng: np.random.Generator, turning: int, *, slides: bool = True) -> Chain:
    """The chain of such a character."""
    return build_chain(random_character(rng, turning, slides=slides), "tip")


def random_positions(rng: np.random.Generator, chain: Chain, count: int | None = None) -> np.ndarray:
    """Positions inside the limits, [n] or [count, n]."""
    lower, upper = np.maximum(chain.arrays.lower, -np.pi), np.minimum(chain.arrays.upper, np.pi)
    return rng.uniform(lower, upper, len(lower) if count is None else (count, len(lower)))
