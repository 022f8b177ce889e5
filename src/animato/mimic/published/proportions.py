"""What of a robot's body its markers must keep: links (eq. 5), the person's scale, feet on the floor (eq. 6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.errors import MotionError
from animato.mimic.mesh import Link
from animato.mimic.published.fitting import point_places
from animato.mimic.published.marker_set import MarkerSet
from animato.mimic.published.postures import Postures

_SAMPLES = 12
_RIGID = 1e-9  # [m]: distances that vary less do not depend on the posture
_SHORTEST = 1e-3  # [m]: a shorter link has no direction worth holding
_NEW = 1e-6  # relative: a link that says less than this beside the others says nothing new


def links_of(markers: MarkerSet, *, seed: int = 0) -> tuple[Link, ...]:
    """Pairs of markers whose distance no joint changes, with the robot's distances.

    They are found, not listed: distances are compared in random postures. Markers on one body are such pairs, and so
    are markers on neighbouring bodies that lie on the joint's axis. Links that follow from others are left out.

    Args:
        markers: On the robot.
        seed: Of the random postures.
    """
    tree, generator = markers.tree, np.random.default_rng(seed)
    root = np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], (_SAMPLES, 1))
    q = generator.uniform(-1.0, 1.0, (_SAMPLES, len(tree.neutral)))
    places = point_places(markers, Postures(q, root), markers.points(), tree)
    count, basis, found = places.shape[1], np.zeros((0, 3 * places.shape[1])), []
    apart = places[:, :, None] - places[:, None]
    distance = np.linalg.norm(apart, axis=3)
    rigid = (np.ptp(distance, axis=0) < _RIGID) & (distance[0] > _SHORTEST)
    for a in range(count):
        for b in range(a + 1, count):
            if not rigid[a, b]:
                continue
            row = np.zeros((count, 3))
            row[a], row[b] = apart[0, a, b] / distance[0, a, b], -apart[0, a, b] / distance[0, a, b]
            left = row.ravel()
            for _ in range(2):  # once more against rounding
                left = left - basis.T @ (basis @ left)
            if np.linalg.norm(left) > _NEW:
                basis = np.vstack([basis, left / np.linalg.norm(left)])
                found.append(Link(a, b, float(distance[0, a, b])))
    return tuple(found)


def scale_of(source: np.ndarray, links: Sequence[Link]) -> float:
    """The scale of the person [robot / person] that brings the links nearest to the robot's lengths.

    Args:
        source: Captured markers [m], [frame, marker, 3].
        links: Of the robot.
    """
    if not links:
        raise MotionError("The robot's markers have no links to fit the scale to; give `scale`.")
    ends = np.array([(link.first, link.second) for link in links])
    lengths = np.array([link.length for link in links])
    person = np.linalg.norm(source[:, ends[:, 0]] - source[:, ends[:, 1]], axis=2).mean(0)
    return float(person @ lengths / (person @ person))


def standing_feet(markers: MarkerSet, source: np.ndarray, planted: np.ndarray) -> np.ndarray:
    """Where the markers of feet are held: the robot's foot flat on the floor, where the person's stands.

    Over each stretch in which a foot is planted it stays in one place, the mean of the person's.

    Args:
        markers: On the robot.
        source: The person's markers, scaled [m], [frame, marker, 3].
        planted: Whether the right and the left foot stand still, [frame, 2] bool.

    Returns:
        [m], [frame, marker, 3], NaN where a marker is free.
    """
    held = np.full(source.shape, np.nan)
    for foot, middle in enumerate(markers.feet):
        mine = [k for k, place in enumerate(markers.places) if place.body == middle.body]
        if len(mine) < 2:
            raise MotionError(f"Foot '{middle.body}' needs two markers or more to be held on the floor; it has {mine}.")
        local = np.array([markers.places[k].position for k in mine]) - np.array(middle.position)
        for first, last in _stretches(planted[:, foot]):
            there = source[first:last, mine].mean(0)
            held[first:last, mine] = _flat(local, there)
    return held


def _stretches(flags: np.ndarray) -> list[tuple[int, int]]:
    """(first, behind the last) of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _flat(local: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Points of a body turned about z and shifted along x and y, as near as may be to others, both [point, 3]."""
    a, b = local[:, :2] - local[:, :2].mean(0), there[:, :2] - there[:, :2].mean(0)
    angle = np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b))
    c, s = np.cos(angle), np.sin(angle)
    out = local.copy()
    out[:, :2] = a @ np.array([[c, s], [-s, c]]) + there[:, :2].mean(0)
    return out
