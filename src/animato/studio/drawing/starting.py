"""Where a drawing is begun: the posture that has most freedom at its first places."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from animato.character import Character
from animato.mechanics.tree import PointKinematics, build_point_kinematics
from animato.motion import Posture
from animato.studio.document import Document
from animato.trace.sketch import step_towards

_STEPS = 20
_MISS = 1e-3  # [m] that count as there
_MOST_POSTURES = 24


def usual_start(character: Character, points: Sequence[str], places: np.ndarray) -> Posture | None:
    """The posture of the character, or its neutral one, from which its points are best led along places.

    Each is led to the places; among those that get there the one wins whose points can then be moved best in every
    direction of the drawing, measured by a singular value of their Jacobian; else the one that gets nearest.

    Args:
        character: The robot, with its points.
        points: Their names.
        places: Some places that they shall reach [m], [place, point, 3].

    Returns:
        None for the neutral one.
    """
    shape = len(places), len(points), 3
    return _usual_start(character, tuple(points), np.ascontiguousarray(places, dtype=np.float64).tobytes(), shape)


def by_freedom(character: Character, point: str) -> list[Posture | None]:
    """Postures of the character and its neutral one (None), those first in which a point moves best everywhere."""
    postures = _postures(character)
    lengths = []
    for posture in postures:
        kinematics = build_point_kinematics(character, [point], start=posture)
        lengths.append(_lengths(kinematics.jacobians(kinematics.start[None])[1]))
    order = np.argsort(-_freedoms(np.array(lengths)), kind="stable")
    return [postures[int(index)] for index in order]


def _postures(character: Character) -> list[Posture | None]:
    """The neutral one first."""
    return [None, *(Posture.named(character, one.name) for one in character.postures[:_MOST_POSTURES])]


@lru_cache(maxsize=16)
def _usual_start(
    character: Character, points: tuple[str, ...], places: bytes, shape: tuple[int, int, int]
) -> Posture | None:
    wanted = np.frombuffer(places).reshape(shape)
    postures = _postures(character)
    led = [led_to(build_point_kinematics(character, points, start=posture), wanted) for posture in postures]
    free = _freedoms(np.array([lengths for _, lengths in led]))
    # those that get as near as the nearest, to a tenth of a millimetre
    missing = np.array([round(max(miss, _MISS), 4) for miss, _ in led])
    return postures[int(np.argmax(np.where(missing == missing.min(), free, -1.0)))]


def led_to(kinematics: PointKinematics, places: np.ndarray) -> tuple[float, np.ndarray]:
    """By how much places are missed [m], and the least lengths of what the points do there."""
    q = np.repeat(kinematics.start[None], len(places), axis=0)
    for _ in range(_STEPS):
        q = step_towards(kinematics, q, places, damping=1e-5)
    there, jacobians = kinematics.jacobians(q)
    return float(np.linalg.norm(there - places, axis=-1).max()), _lengths(jacobians)


def _lengths(jacobians: np.ndarray) -> np.ndarray:
    """How far points go for a turn of all joints by 1, from the best direction to the worst, at the worst place [m].

    Args:
        jacobians: [place, point, 3, n].
    """
    flat = jacobians.reshape(len(jacobians), -1, jacobians.shape[-1])
    return np.asarray(np.linalg.svd(flat, compute_uv=False).min(axis=0))


def _freedoms(lengths: np.ndarray) -> np.ndarray:
    """The least of each row of lengths [posture, direction] that some posture has at all, [posture].

    Directions in which no posture moves the point, as those off the plane of a flat arm, say nothing.
    """
    some = lengths.max(axis=0) > 1e-6 * max(float(lengths.max()), 1e-12)
    return np.asarray(lengths[:, some].min(axis=1, initial=np.inf))


def wished_start(document: Document, name: str) -> Posture | None:
    """The posture near which a motion is sought: one of the project or of the character's file.

    Args:
        document: With postures.
        name: Of one; "" finds one.

    Returns:
        None where one is to be found.
    """
    if name in document.postures:
        return document.postures[name]
    known = [one.name for one in document.character.postures]
    return Posture.named(document.character, name) if name in known else None
