"""Which bodies of a character are kept apart along a clip, by how much, and which are not, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.errors import MissingDependencyError
from animato.findings import distance, listed, seconds
from animato.fix.options import Protection
from animato.mechanics.collision import ALLOWED_DEPTH, CollisionModel, distances, pair_levers
from animato.mechanics.tree import packed_tree, states_of_clip, states_of_posture
from animato.motion import Clip, Posture

TOUCHING = 0.9 * ALLOWED_DEPTH
"""Depth [m] that pairs keep which are never deeper in the artist's clip than what hulls are larger than bodies."""

_SHALLOW = 0.8 * ALLOWED_DEPTH  # [m]: how deep they are there at most
_UNIT = 0.05  # of the character's size: distance that counts as one share
_SAMPLES = 64  # postures in which pairs are looked at that overlap in the clip
_BUILT = 0.5  # share of them from which on a pair overlaps because of how it is built
_MOST = 3  # pairs that are told of


@dataclass(frozen=True, eq=False)
class Watch:
    """Pairs of bodies that stay apart.

    Attributes:
        model: Of the pairs that do, without those that nothing may move.
        floors: Distances that they keep [m], [pair].
        unit: Length that counts as one share [m].
        notes: What was left out, in plain sentences.
    """

    model: CollisionModel
    floors: np.ndarray
    unit: float
    notes: tuple[str, ...] = ()

    @property
    def character(self) -> Character:
        """Whose bodies they are."""
        return self.model.character


def watch_of(
    character: Character,
    clip: Clip,
    pace: np.ndarray,
    *,
    protected: tuple[Protection, ...] = (),
    clearance_m: float = 0.0,
    size: float = 1.0,
) -> tuple[Watch | None, tuple[str, ...]]:
    """What is watched, None where nothing is, and what is left out, in plain sentences.

    Args:
        character: Who moves.
        clip: The artist's motion in the robot's time.
        pace: The artist's time of each of its frames [s], [frame].
        protected: What stays as the artist has it.
        clearance_m: By how much bodies stay apart [m].
        size: Of the character [m].
    """
    if not topology_of(rigidified(character)).is_tree:
        return None, ("Bodies are not kept apart: the character has closed loops.",)
    try:
        model = CollisionModel.of(character)
    except MissingDependencyError as error:
        return None, (f"Bodies are not kept apart. {error}",)
    notes: list[str] = []
    if model.unread:
        notes.append(f"Shapes of {listed(model.unread)} could not be read: they are not kept apart from others.")
    if not len(model.pairs):
        return None, tuple(notes)
    movable = _movable(model, clip.names, protected)
    depth = distances(model, states_of_clip(character, clip), exact_within_m=0.0)
    floors = np.full(len(model.pairs), clearance_m)
    least = depth.min(axis=0)
    if clearance_m == 0.0:
        floors[(least < 0.0) & (least >= -_SHALLOW)] = -TOUCHING
    deep = least < np.minimum(floors, 0.0)
    stuck = deep & ~movable.any(axis=0)
    held = deep & ~stuck & _held(model, movable, clip.names, protected, depth < np.minimum(floors, 0.0), pace)
    built = np.zeros_like(deep)
    asked = np.flatnonzero(deep & ~stuck & ~held)
    built[asked] = _overlapping_share(model.only(asked)) >= _BUILT
    for mask, why in (
        (stuck, "nothing that may change moves one against the other"),
        (held, "they do so in what is protected"),
        (built, "they do so in most of their postures"),
    ):
        notes += _left_out(model, clip, depth, np.flatnonzero(mask), why)
    kept = np.flatnonzero(movable.any(axis=0) & ~held & ~built)
    if not len(kept):
        return None, tuple(notes)
    return Watch(model.only(kept), floors[kept], _UNIT * size, tuple(notes)), tuple(notes)


def _movable(model: CollisionModel, names: Sequence[str], protected: tuple[Protection, ...]) -> np.ndarray:
    """Which columns of the clip may change and move one body of a pair against the other, [column, pair]."""
    tree = packed_tree(model.character)
    balls = {first + n for first, *_ in tree.balls for n in range(4)}
    whole = {one.name for one in protected if one.name is not None and not np.isfinite(one.start_s)}
    joints = {name: joint.name for joint in model.character.joints for name in joint.coordinate_names}
    free = np.array(
        [
            name in tree.coordinate_names
            and tree.coordinate_names.index(name) not in balls
            and not whole & {name, joints.get(name)}
            for name in names
        ],
        dtype=bool,
    )
    return free[:, None] & (clip_levers(model, names) > 0.0)


def clip_levers(model: CollisionModel, names: Sequence[str]) -> np.ndarray:
    """By how much bodies of pairs move against one another at most with each column of a clip, [column, pair]."""
    tree = packed_tree(model.character)
    known = [n for n, name in enumerate(names) if name in tree.coordinate_names]
    columns = [tree.coordinate_names.index(names[n]) for n in known]
    ranges = {
        name: limits.range
        for joint in model.character.joints
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=False)
    }
    ends = np.array([ranges.get(names[n], (-np.inf, np.inf)) for n in known]).reshape(-1, 2)
    out = np.zeros((len(names), len(model.pairs)))
    out[known] = pair_levers(model, model.pairs, columns, ends[:, 0], ends[:, 1])
    return out


def _held(
    model: CollisionModel,
    movable: np.ndarray,
    names: Sequence[str],
    protected: tuple[Protection, ...],
    deep: np.ndarray,
    pace: np.ndarray,
) -> np.ndarray:
    """Pairs that overlap while all that could part them is protected, [pair]."""
    joints = {name: joint.name for joint in model.character.joints for name in joint.coordinate_names}
    out = np.zeros(deep.shape[1], dtype=bool)
    stretches = [one for one in protected if np.isfinite(one.start_s)]
    for one in stretches:
        when = (pace >= one.start_s) & (pace <= one.end_s)
        own = [other.name for other in stretches if other.start_s <= one.end_s and other.end_s >= one.start_s]
        kept = np.array([any(word in (None, name, joints.get(name)) for word in own) for name in names], dtype=bool)
        out |= deep[when].any(axis=0) & ~movable[~kept].any(axis=0)
    return out


def _overlapping_share(model: CollisionModel) -> np.ndarray:
    """Of postures all over the ranges of its joints, the share in which each pair overlaps, [pair]."""
    if not len(model.pairs):
        return np.zeros(0)
    rng, character = np.random.default_rng(0), model.character
    tree = packed_tree(character)
    names, low, high = [], [], []
    for joint in character.free_joints:
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=False):
            lower, upper = limits.range
            if name in tree.coordinate_names and np.isfinite(lower) and np.isfinite(upper):
                names.append(name)
                low.append(lower)
                high.append(upper)
    count = 0
    overlaps = np.zeros(len(model.pairs))
    for _ in range(_SAMPLES):
        posture = Posture(tuple(names), rng.uniform(low, high))
        overlaps += distances(model, states_of_posture(character, posture), exact_within_m=0.0)[0] < -_SHALLOW
        count += 1
    return overlaps / count


def _left_out(model: CollisionModel, clip: Clip, depth: np.ndarray, pairs: np.ndarray, why: str) -> list[str]:
    if not len(pairs):
        return []
    worst = pairs[np.argsort(depth[:, pairs].min(axis=0))]
    told = []
    for pair in worst[:_MOST].tolist():
        frame = int(np.argmin(depth[:, pair]))
        far = distance(-float(depth[frame, pair]), angular=False)
        told.append(f"{' and '.join(model.pair_names(pair))} ({far} deep at {seconds(float(clip.times[frame]))})")
    more = f" and {len(worst) - _MOST} more" if len(worst) > _MOST else ""
    return [f"Overlap and are left as they are, because {why}: {', '.join(told)}{more}."]
