"""How far the bodies of a character are from one another along a motion, and where they come close."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described
from animato.errors import OptionError
from animato.mechanics.collision.bounding_capsules import lower_bounds
from animato.mechanics.collision.following import followed
from animato.mechanics.collision.model import CollisionModel
from animato.mechanics.collision.probing import Nearest
from animato.mechanics.tree import BodyPoses, States, forward_kinematics
from animato.motion import Clip
from animato.spatial import quaternions

Motion = BodyPoses | States | Clip


@dataclass(frozen=True, eq=False, repr=False)
class NearPairs(Described):
    """Pairs of bodies that are close, one row for a pair at a frame, in the order of frames, nearest first.

    With J_a, J_b the Jacobians of the two points as fixed on their bodies, the distance changes by
    normal . (J_a - J_b) dq; `separation_rows` gives these.

    Attributes:
        frames: Of each row, [row].
        pairs: Place of each row's pair in the model, [row].
        body_a, body_b: Places of the two bodies in `BodyPoses.names`, [row].
        points_a, points_b: Nearest points, each in its own body's frame [m], [row, 3].
        normals: From b to a, of length 1, in the world, [row, 3].
        distances: [m], below 0 where the two overlap, [row].
    """

    frames: np.ndarray
    pairs: np.ndarray
    body_a: np.ndarray
    body_b: np.ndarray
    points_a: np.ndarray
    points_b: np.ndarray
    normals: np.ndarray
    distances: np.ndarray

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.frames)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        nearest = f"{1000.0 * self.distances.min():.1f} mm" if len(self) else "none"
        return {"rows": str(len(self)), "frames": str(len(np.unique(self.frames))), "nearest": nearest}


def distances(model: CollisionModel, motion: Motion, *, exact_within_m: float = 0.1) -> np.ndarray:
    """Distances of all pairs [m], [time, pair]: below 0 the depth by which two bodies overlap.

    Args:
        model: The pairs.
        motion: Poses of the bodies, states, or a clip at its own frames.
        exact_within_m: What is farther may come as a lower bound of it, which is never less than this; infinite for
            exact distances everywhere.
    """
    poses = _poses(model, motion)
    found, (frames, hull_pairs), nearest = _looked_at(model, poses, exact_within_m)
    found[frames, hull_pairs] = nearest.distance
    return np.minimum.reduceat(found, model.starts, axis=1) if found.size else found


def near_pairs(model: CollisionModel, motion: Motion, within_m: float, *, most: int | None = None) -> NearPairs:
    """Pairs that come closer than a distance, with what keeps them apart to first order.

    Args:
        model: The pairs.
        motion: Poses of the bodies, states, or a clip at its own frames.
        within_m: Only pairs closer than this [m].
        most: Nearest pairs to keep of each frame; all where not given.

    Raises:
        OptionError: `most` is less than 1.
    """
    if most is not None and most < 1:
        raise OptionError(f"`most` counts pairs to keep of each frame and must be at least 1, not {most}.")
    poses = _poses(model, motion)
    _, (frames, hull_pairs), nearest = _looked_at(model, poses, within_m)
    pairs = model.pair_of[hull_pairs]
    order = _chosen_rows(frames, pairs, nearest.distance, within_m, most)
    frames, pairs = frames[order], pairs[order]
    bodies = model.pairs[pairs]
    point_a = _in_body(poses, frames, bodies[:, 0], nearest.point_a[order])
    point_b = _in_body(poses, frames, bodies[:, 1], nearest.point_b[order])
    normals, apart = nearest.normal[order], nearest.distance[order]
    return NearPairs(frames, pairs, bodies[:, 0], bodies[:, 1], point_a, point_b, normals, apart)


def _chosen_rows(
    frames: np.ndarray, pairs: np.ndarray, apart: np.ndarray, within: float, most: int | None
) -> np.ndarray:
    """Rows by frame, nearest first: of each pair of bodies its nearest hulls, of each frame the nearest pairs."""
    order = np.lexsort((apart, pairs, frames))
    first = np.ones(len(order), dtype=bool)
    first[1:] = (np.diff(frames[order]) != 0) | (np.diff(pairs[order]) != 0)
    order = order[first]
    order = order[apart[order] < within]
    order = order[np.lexsort((apart[order], frames[order]))]
    if most is None or not len(order):
        return order
    begins = np.flatnonzero(np.diff(frames[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
    return np.asarray(order[rank < most])


def _poses(model: CollisionModel, motion: Motion) -> BodyPoses:
    return motion if isinstance(motion, BodyPoses) else forward_kinematics(model.character, motion)


def _looked_at(
    model: CollisionModel, poses: BodyPoses, within: float
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray], Nearest]:
    """Bounds of all distances of hulls, and nearest points of rows (frame, hull pair), nearer ones all among them."""
    count, hull_pairs = len(poses.times), model.hull_pairs
    if not len(hull_pairs) or not count:
        nothing = np.zeros(0, dtype=np.int64)
        none = Nearest(np.zeros(0), *(np.zeros((0, 3)) for _ in range(3)))
        return np.zeros((count, len(hull_pairs))), (nothing, nothing), none
    bounds = lower_bounds(model.hulls, poses, hull_pairs, within)
    rows, nearest = followed(model.hulls, model.solids, poses, hull_pairs, bounds, within)
    return bounds, rows, nearest


def _in_body(poses: BodyPoses, frames: np.ndarray, bodies: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Places in the world [row, 3] in the frames of bodies [row]."""
    back = quaternions.conjugate(poses.quaternions_wxyz[frames, bodies])
    return quaternions.rotate(back, places - poses.positions[frames, bodies])
