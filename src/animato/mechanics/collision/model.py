"""What of a character may collide with what."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.described import Described, shortened
from animato.errors import OptionError
from animato.mechanics.collision.bounding_capsules import lower_bounds
from animato.mechanics.collision.hull import Hull, hulls_of
from animato.mechanics.collision.probing import probe, solid_of
from animato.mechanics.collision.surroundings import Obstacle, among
from animato.mechanics.tree import forward_kinematics, packed_tree, states_of_posture

APART = 3
"""Bodies connected over at most so many joints are built close together and are not watched."""


@dataclass(frozen=True, eq=False, repr=False)
class CollisionModel(Described):
    """Convex hulls of a character's bodies and the pairs of bodies that must stay apart.

    Attributes:
        character: Whose.
        hulls: Of all collision shapes that can be read.
        solids: The same as coal has them.
        pairs: Places in `BodyPoses.names` of the two bodies of each pair, [pair, 2].
        hull_pairs: Places in `hulls`, those of one pair of bodies together, [hull pair, 2].
        starts: Where the hull pairs of each pair begin, [pair].
        touching: Names of pairs left out because they touch at rest.
        unread: Bodies with meshes that are absent or cannot be read; what is left of their shapes is watched.
    """

    character: Character
    hulls: tuple[Hull, ...]
    solids: tuple[Any, ...]
    pairs: np.ndarray
    hull_pairs: np.ndarray
    starts: np.ndarray
    touching: tuple[tuple[str, str], ...] = ()
    unread: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        character: Character,
        *,
        apart: int = APART,
        one_hull: bool = False,
        obstacles: tuple[Obstacle, ...] = (),
    ) -> CollisionModel:
        """Builds the model of a character, once: asked again, the same one comes back.

        Left out are pairs that move together or are connected over at most `apart` joints, pairs that the character
        ignores, and pairs that touch while all joints are neutral: they are built that way.

        Args:
            character: A tree character; flexible parts are taken as rigid.
            apart: Joints between two bodies up to which they are not watched, at least 0.
            one_hull: Whether all shapes of a body together are one convex hull, which closes the gaps between the
                few balls that stand for a sole, and fills what is hollow. Otherwise each shape is one.
            obstacles: Things around it. They become bodies of the model's character, after those of the robot, and are
                watched with every body that moves, whether or not they touch at rest.

        Raises:
            CharacterError: The joints form closed loops.
            MissingDependencyError: The character has shapes and coal, or has meshes and trimesh, is not installed.
            OptionError: `apart` is negative.
        """
        if apart < 0:
            raise OptionError(f"`apart` counts joints between two bodies and must be at least 0, not {apart}.")
        return _built(character, int(apart), bool(one_hull), tuple(obstacles))

    def only(self, pairs: np.ndarray) -> CollisionModel:
        """The same with some of its pairs, by their places in rising order, [k]."""
        kept = np.isin(self.pair_of, pairs)
        counts = np.bincount(self.pair_of, minlength=len(self.pairs))[pairs]
        starts = np.cumsum(counts) - counts
        return replace(self, pairs=self.pairs[pairs], hull_pairs=self.hull_pairs[kept], starts=starts)

    @cached_property
    def pair_of(self) -> np.ndarray:
        """The pair of bodies to which each pair of hulls belongs, [hull pair]."""
        counts = np.diff(self.starts, append=len(self.hull_pairs))
        return np.repeat(np.arange(len(self.pairs)), counts)

    def pair_names(self, pair: int) -> tuple[str, str]:
        """Names of the two bodies of a pair."""
        names = packed_tree(self.character).body_names
        return names[self.pairs[pair, 0]], names[self.pairs[pair, 1]]

    def facts(self) -> dict[str, str]:
        """At a glance."""
        told = {"of": self.character.name, "hulls": str(len(self.hulls)), "pairs": str(len(self.pairs))}
        told["touch at rest"] = shortened([f"{a} and {b}" for a, b in self.touching])
        told["unread"] = shortened(self.unread)
        return {word: value for word, value in told.items() if value != "none"}


@lru_cache(maxsize=16)
def _built(character: Character, apart: int, one_hull: bool, obstacles: tuple[Obstacle, ...]) -> CollisionModel:
    things = range(len(character.bodies), len(character.bodies) + len(obstacles))
    character = among(character, obstacles) if obstacles else character
    hulls: list[Hull] = []
    unread = []
    for index, body in enumerate(rigidified(character).bodies):
        own, complete = hulls_of(body, index, one_hull)
        hulls += own
        unread += [] if complete else [body.name]
    bodies = np.array([hull.index for hull in hulls], dtype=np.int64)
    pairs = _candidates(character, sorted({hull.index for hull in hulls}), apart, things)
    # the hulls of a pair of bodies, all of one against all of the other
    groups = [np.argwhere((bodies == a)[:, None] & (bodies == b)) for a, b in pairs]
    hull_pairs = np.concatenate([np.zeros((0, 2), dtype=np.int64), *groups])
    solids = tuple(solid_of(hull) for hull in hulls) if len(pairs) else ()
    rest = _rest_distances(character, hulls, solids, hull_pairs)
    counts = np.array([len(group) for group in groups], dtype=np.int64)
    starts = np.cumsum(counts) - counts
    apart_at_rest = np.minimum.reduceat(rest, starts) > 0.0 if len(pairs) else np.zeros(0, dtype=bool)
    apart_at_rest |= np.isin(pairs, things).any(axis=1)
    names = packed_tree(character).body_names
    kept = counts[apart_at_rest]
    return CollisionModel(
        character,
        tuple(hulls),
        solids,
        pairs[apart_at_rest],
        hull_pairs[np.repeat(apart_at_rest, counts)],
        np.cumsum(kept) - kept,
        tuple((names[a], names[b]) for a, b in pairs[~apart_at_rest]),
        tuple(unread),
    )


def _candidates(character: Character, bodies: list[int], apart: int, things: range) -> np.ndarray:
    """Pairs of bodies that are far enough apart in the tree and not ignored, [pair, 2]; obstacles are far from all."""
    tree = packed_tree(character)
    steps, names = tree.arrays.body_step, tree.body_names
    joints_between = _joints_between(character)
    ignored = {frozenset(pair) for pair in character.ignored_collisions}
    chosen = [
        (a, b)
        for a, b in combinations(bodies, 2)
        if (joints_between[int(steps[a])][int(steps[b])] > apart or a in things or b in things)
        and steps[a] != steps[b]
        and frozenset((names[a], names[b])) not in ignored
    ]
    return np.array(chosen, dtype=np.int64).reshape(-1, 2)


def _joints_between(character: Character) -> dict[int, dict[int, int]]:
    """Number of joints that move between groups of bodies that move together, by their steps in the packed tree."""
    tree = packed_tree(character)
    step = {name: int(s) for name, s in zip(tree.body_names, tree.arrays.body_step, strict=True)}
    beside: dict[int, set[int]] = {s: set() for s in step.values()}
    for link in topology_of(rigidified(character)).links:
        if link.parent is not None and step[link.parent] != step[link.body]:
            beside[step[link.parent]].add(step[link.body])
            beside[step[link.body]].add(step[link.parent])
    found: dict[int, dict[int, int]] = {}
    for start in beside:
        counts, queue = {start: 0}, deque([start])
        while queue:
            here = queue.popleft()
            for there in beside[here] - counts.keys():
                counts[there] = counts[here] + 1
                queue.append(there)
        found[start] = counts
    return found


def _rest_distances(character: Character, hulls: list[Hull], solids: tuple[Any, ...], pairs: np.ndarray) -> np.ndarray:
    """Distances of pairs of hulls while every joint is neutral, bounds of them where they are far, [hull pair]."""
    if not len(pairs):
        return np.zeros(0)
    poses = forward_kinematics(character, states_of_posture(character))
    found: np.ndarray = lower_bounds(hulls, poses, pairs, 0.0)[0]
    near = np.flatnonzero(found <= 0.0)
    found[near] = probe(hulls, solids, poses, pairs, (np.zeros_like(near), near)).distance
    return found
