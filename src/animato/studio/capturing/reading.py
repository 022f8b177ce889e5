"""The person in a capture's file: landmarks, mirrored and at another speed where that is wanted, and its bones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from animato.errors import MotionError
from animato.formats import load_motion
from animato.mimic.person import Person, person_of
from animato.motion import CapturedMotion, MarkerMotion
from animato.studio.capturing.captured import Captured
from animato.studio.capturing.landmarks import mirror_name

_USUAL_M = 1.7  # height of somebody of whom nothing else is known


def load_capture(place: str) -> CapturedMotion | MarkerMotion:
    """What a file holds; it is read again only where it has changed.

    Args:
        place: Of the file, or the name of a capture that comes with animato.

    Raises:
        AnimatoError: It cannot be read, or is no capture.
    """
    file = Path(place)
    return _loaded(place, file.stat().st_mtime_ns if file.is_file() else 0)


@lru_cache(maxsize=2)
def _loaded(place: str, changed: int) -> CapturedMotion | MarkerMotion:
    motion = load_motion(place)
    if not isinstance(motion, CapturedMotion | MarkerMotion):
        raise MotionError(
            f"'{Path(place).name}' holds no captured person but a {type(motion).__name__.lower()}. A capture is a "
            "skeleton (.bvh, .amc, .glb), markers (.c3d, .trc) or joints of a body model (.npz); clips are brought in "
            "with the takes."
        )
    return motion


def person_in(motion: CapturedMotion | MarkerMotion, captured: Captured) -> Person:
    """The person as it is to be followed; its times are those of the robot, from where the person begins.

    Raises:
        AnimatoError: There is no person in it.
    """
    sources = {landmark: names or None for landmark, names in captured.person.items()}
    person = person_of(motion, sources=sources, start_s=captured.start_s, end_s=captured.end_s)
    if captured.wishes.mirror:
        person = _mirrored(person)
    return replace(person, times=person.times / captured.wishes.speed)


def _mirrored(person: Person) -> Person:
    """Left becomes right; it goes on from where it stood, in the way it faced."""
    across = person.landmark("left_hip")[0] - person.landmark("right_hip")[0]
    positions = _reflected(person.positions, person.landmark("pelvis")[0], across)
    names = tuple(name for name in person.names if mirror_name(name) in person.names)
    order = [person.names.index(mirror_name(name)) for name in names]
    sources = tuple(person.sources[n] for n in order)
    return replace(person, names=names, positions=positions[:, order], sources=sources)


def _reflected(points: np.ndarray, centre: np.ndarray, across: np.ndarray) -> np.ndarray:
    flat = np.array([across[0], across[1], 0.0])
    normal = flat / max(float(np.linalg.norm(flat)), 1e-9)
    return np.asarray(points - 2.0 * ((points - centre) @ normal)[..., None] * normal)


@dataclass(frozen=True, eq=False)
class Bones:
    """All bones or markers of a capture, beside the person's landmarks.

    Attributes:
        names: Of all of them.
        positions: In the person's frame [m], NaN where a marker was not seen, [frame, bone, 3].
        edges: Pairs that a bone joins.
    """

    names: tuple[str, ...]
    positions: np.ndarray
    edges: tuple[tuple[int, int], ...]


def bones_in(
    motion: CapturedMotion | MarkerMotion, captured: Captured, times: np.ndarray, person: Person | None
) -> Bones:
    """The bones or markers at times.

    Args:
        motion: The capture.
        captured: What is wanted of it.
        times: Of the file [s], [frame].
        person: As `person_in` gives it; None where no person was found: then it is taken to be as tall as people are.
    """
    edges: tuple[tuple[int, int], ...] = ()
    if isinstance(motion, CapturedMotion):
        raw, _ = motion.world_poses()
        edges = tuple((int(parent), bone) for bone, parent in enumerate(motion.parents) if parent >= 0)
    else:
        raw = motion.positions
    frames = np.clip(np.searchsorted(motion.times, times), 1, len(motion.times) - 1)
    before = motion.times[frames - 1]
    share = np.clip((times - before) / (motion.times[frames] - before), 0.0, 1.0)[:, None, None]
    points = (1.0 - share) * raw[frames - 1] + share * raw[frames]
    if person is None:
        low, high = np.nanmin(points[..., 2]), np.nanmax(points[..., 2])
        scale = _USUAL_M / max(float(high - low), 1e-9)
        return Bones(motion.names, scale * (points - np.array([0.0, 0.0, low])), edges)
    return Bones(motion.names, _beside(points, motion.names, captured, times, person), edges)


def _beside(
    points: np.ndarray, names: tuple[str, ...], captured: Captured, times: np.ndarray, person: Person
) -> np.ndarray:
    """Points of the file in the person's unit and on its floor, told by landmarks that are points themselves."""
    pairs = [
        (landmark, names.index(sources[0]))
        for landmark, sources in enumerate(person.sources)
        if len(sources) == 1 and sources[0] in names
    ]
    if len(pairs) < 2:
        return points
    own = np.searchsorted(person.times, times / captured.wishes.speed - 1e-9).clip(0, len(person.times) - 1)
    known = person.positions[own][:, [landmark for landmark, _ in pairs]]
    raw = points[:, [bone for _, bone in pairs]]
    scale = float(np.nanmedian(_spread(known) / _spread(raw)))
    placed = scale * points
    if captured.wishes.mirror:
        across = person.landmark("left_hip")[0] - person.landmark("right_hip")[0]
        placed = _reflected(placed, np.zeros(3), across)
    return np.asarray(placed + np.nanmedian(known - placed[:, [bone for _, bone in pairs]], axis=(0, 1)))


def _spread(points: np.ndarray) -> np.ndarray:
    """How far points are from their middle, [frame]."""
    return np.asarray(np.linalg.norm(points - points.mean(axis=1, keepdims=True), axis=2).sum(axis=1))
