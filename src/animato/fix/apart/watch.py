"""Which bodies of a character are kept apart along a clip, by how much, and which are not, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.described import shortened
from animato.errors import MissingDependencyError
from animato.findings import distance, seconds
from animato.fix.apart.passing import Passage, passages_of
from animato.fix.options import Protection
from animato.mechanics.collision import ALLOWED_DEPTH, CollisionModel, distances, pair_levers
from animato.mechanics.tree import States, packed_tree, states_of_clip, states_of_posture
from animato.motion import Clip

TOUCHING = 0.9 * ALLOWED_DEPTH
"""Depth [m] that pairs keep which are never deeper in the artist's clip than what hulls are larger than bodies."""

PIECE = 4000
"""Moments that are looked at together."""

_SHALLOW = 0.8 * ALLOWED_DEPTH  # [m]: how deep they are there at most
_UNIT = 0.05  # of the character's size: distance that counts as one share
_CLOSE = 0.3  # of the character's size: pairs that stay farther apart in the artist's clip get no rows
_SAMPLES = 64  # postures in which pairs are looked at that overlap in the clip
_BUILT = 0.5  # share of them from which on a pair overlaps because of how it is built
_MOST = 3  # pairs that are told of


@dataclass(frozen=True, eq=False)
class Watch:
    """Pairs of bodies that stay apart.

    Attributes:
        model: Of the pairs that do, without those that nothing may move.
        floors: Distances that they keep [m], [pair].
        close: Places of pairs that may come near when the clip is changed, in rising order, [k].
        unit: Length that counts as one share [m].
        names: Of the clip's columns.
        levers: By how much bodies move against one another at most with each of these [m per unit], [column, pair].
        passages: Where bodies go right through one another in the artist's clip, and on which side they shall pass.
    """

    model: CollisionModel
    floors: np.ndarray
    close: np.ndarray
    unit: float
    names: tuple[str, ...]
    levers: np.ndarray
    passages: tuple[Passage, ...] = ()

    @property
    def character(self) -> Character:
        """Whose bodies they are."""
        return self.model.character

    @cached_property
    def close_model(self) -> CollisionModel:
        """Of the close pairs alone."""
        return self.model.only(self.close)

    def moved_by(self, names: Iterable[str]) -> Watch | None:
        """The same with those close pairs alone that some columns move one against the other; None without any."""
        moving = set(names)
        columns = np.array([name in moving for name in self.names], dtype=bool)
        close = self.close[np.any(self.levers[columns][:, self.close] > 0.0, axis=0)]
        return replace(self, close=close) if len(close) else None


@dataclass(frozen=True, eq=False)
class _Seen:
    """How near bodies come in the artist's clip.

    Attributes:
        least: Smallest distances, lower bounds where these are above 0 [m], [pair].
        when: At which times [s], [pair].
        held: The same as `least`, in stretches that are protected, [stretch, pair].
    """

    least: np.ndarray
    when: np.ndarray
    held: np.ndarray


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
        notes.append(f"Bodies with shapes that could not be read are not kept apart: {shortened(model.unread)}.")
    if not len(model.pairs):
        return None, tuple(notes)
    levers = _levers(model, clip.names)
    movable = _free(model, clip.names, protected)[:, None] & (levers > 0.0)
    stretches = tuple(one for one in protected if np.isfinite(one.start_s))
    seen = _seen(model, clip, pace, stretches)
    floors = np.full(len(model.pairs), clearance_m)
    if clearance_m == 0.0:
        floors[(seen.least < 0.0) & (seen.least >= -_SHALLOW)] = -TOUCHING
    deep = seen.least < np.minimum(floors, 0.0)
    stuck = deep & ~movable.any(axis=0)
    held = deep & ~stuck & _held(model, movable, clip.names, stretches, seen.held < np.minimum(floors, 0.0))
    built = np.zeros_like(deep)
    asked = np.flatnonzero(deep & ~stuck & ~held)
    built[asked] = _overlapping_share(model.only(asked)) >= _BUILT
    for mask, why in (
        (stuck, "nothing that may change moves one against the other"),
        (held, "they do so in what is protected"),
        (built, "they do so in most of their postures"),
    ):
        notes += _left_out(model, seen, np.flatnonzero(mask), why)
    kept = np.flatnonzero(movable.any(axis=0) & ~held & ~built)
    if not len(kept):
        return None, tuple(notes)
    close = np.flatnonzero(seen.least[kept] < clearance_m + _CLOSE * size)
    through = np.flatnonzero(deep & ~stuck & ~held & ~built)
    passages = _passages(model.only(through), clip, _free(model, clip.names, protected)) if len(through) else ()
    watch = Watch(model.only(kept), floors[kept], close, _UNIT * size, clip.names, levers[:, kept], passages)
    return watch, tuple(notes)


def _seen(model: CollisionModel, clip: Clip, pace: np.ndarray, stretches: tuple[Protection, ...]) -> _Seen:
    """Looks at all frames, piece by piece."""
    count = len(model.pairs)
    least, when, held = np.full(count, np.inf), np.zeros(count), np.full((len(stretches), count), np.inf)
    for begin in range(0, clip.frame_count, PIECE):
        part = slice(begin, begin + PIECE)
        times = clip.times[part]
        found = distances(model, states_of_clip(model.character, clip, times), exact_within_m=0.0)
        nearest = np.argmin(found, axis=0)
        value = found[nearest, np.arange(count)]
        when = np.where(value < least, times[nearest], when)
        least = np.minimum(least, value)
        for n, one in enumerate(stretches):
            inside = (pace[part] >= one.start_s) & (pace[part] <= one.end_s)
            held[n] = np.minimum(held[n], found[inside].min(axis=0, initial=np.inf))
    return _Seen(least, when, held)


def _passages(model: CollisionModel, clip: Clip, free: np.ndarray) -> tuple[Passage, ...]:
    """Of all frames, piece by piece."""
    columns = packed_tree(model.character).dof_names
    dofs = np.array([columns.index(name) for name, may in zip(clip.names, free, strict=True) if may], dtype=np.int64)
    found: list[Passage] = []
    for begin in range(0, clip.frame_count, PIECE):
        states = states_of_clip(model.character, clip, clip.times[begin : begin + PIECE])
        found += passages_of(model, states, dofs)
    return tuple(found)


def _free(model: CollisionModel, names: Sequence[str], protected: tuple[Protection, ...]) -> np.ndarray:
    """Which columns of the clip may change, [column]."""
    tree = packed_tree(model.character)
    balls = {first + n for first, *_ in tree.balls for n in range(4)}
    whole = {one.name for one in protected if one.name is not None and not np.isfinite(one.start_s)}
    joints = {name: joint.name for joint in model.character.joints for name in joint.coordinate_names}
    return np.array(
        [
            name in tree.coordinate_names
            and tree.coordinate_names.index(name) not in balls
            and not whole & {name, joints.get(name)}
            for name in names
        ],
        dtype=bool,
    )


@lru_cache(maxsize=16)
def _levers(model: CollisionModel, names: tuple[str, ...]) -> np.ndarray:
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
    stretches: tuple[Protection, ...],
    deep: np.ndarray,
) -> np.ndarray:
    """Pairs that overlap while all that could part them is protected, [pair], by overlaps [stretch, pair]."""
    joints = {name: joint.name for joint in model.character.joints for name in joint.coordinate_names}
    out = np.zeros(deep.shape[1], dtype=bool)
    for n, one in enumerate(stretches):
        own = [other.name for other in stretches if other.start_s <= one.end_s and other.end_s >= one.start_s]
        kept = np.array([any(word in (None, name, joints.get(name)) for word in own) for name in names], dtype=bool)
        out |= deep[n] & ~movable[~kept].any(axis=0)
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
    still = states_of_posture(character)
    positions = np.tile(still.positions, (_SAMPLES, 1))
    positions[:, [tree.coordinate_names.index(name) for name in names]] = rng.uniform(low, high, (_SAMPLES, len(names)))
    flat = np.zeros((_SAMPLES, still.velocities.shape[1]))
    root = np.tile(still.root, (_SAMPLES, 1))
    states = States(np.arange(float(_SAMPLES)), positions, flat, flat, root, still.held)
    return np.asarray(np.mean(distances(model, states, exact_within_m=0.0) < -_SHALLOW, axis=0))


def _left_out(model: CollisionModel, seen: _Seen, pairs: np.ndarray, why: str) -> list[str]:
    if not len(pairs):
        return []
    worst = pairs[np.argsort(seen.least[pairs])]
    told = []
    for pair in worst[:_MOST].tolist():
        far = distance(-float(seen.least[pair]), angular=False)
        told.append(f"{' and '.join(model.pair_names(pair))} ({far} deep at {seconds(float(seen.when[pair]))})")
    more = f" and {len(worst) - _MOST} more" if len(worst) > _MOST else ""
    return [f"Overlap and are left as they are, because {why}: {', '.join(told)}{more}."]
