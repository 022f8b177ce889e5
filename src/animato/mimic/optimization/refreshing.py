"""What is held still during a round of the solver and looked at anew after it: scale, near bodies, leaning."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from animato.errors import AnimatoError
from animato.mechanics.collision import CollisionModel, near_pairs
from animato.mechanics.contact import zero_moment_points
from animato.mechanics.tree import forward_kinematics, packed_tree, states_of_clip
from animato.mimic.curve import ControlPoints, Knots, knots_of, sampled_clip
from animato.mimic.optimization.evaluation import states_of_knots
from animato.mimic.optimization.leaning import Leaning, leaning_of, outside_vectors
from animato.mimic.optimization.model import ClipModel, ClipPoint
from animato.mimic.optimization.packing import terms_of
from animato.mimic.optimization.terms import NearRows, Terms, Weights
from animato.mimic.problem import Problem
from animato.spatial import quaternions

_WATCHED = 0.035  # of the pelvis' height: pairs of bodies nearer than this are watched
_MOST_PAIRS = 24  # of a knot
_SLIGHT_M, _CALMER, _CALMEST = 2e-3, 1.5, 6.0  # what is outside by more makes accelerations count more, up to
_OUTSIDE_SHARE = 0.01  # of these samples may be outside
_BETWEEN = 4  # samples of a step at which the ZMP is looked at
_LEARNT, _WIDEST_RIM_M = 0.5, 0.01  # of what is outside, by how much knots keep away from an edge


@dataclass(eq=False)
class Rounds:
    """Makes the problem of each round from where the last one ended.

    Attributes:
        problem: What is asked.
        reference: Control points from which unknowns count.
        dynamics: Whether forces carry the robot.
        weights: Of the terms.
        scale: Of the person, as fitted last.
        held: Control points at the beginning that do not move.
        watch_between: Whether the ZMP is looked at between the knots, too.
        model: Of the current round.
        calm: How much more accelerations count at each knot, since the ZMP was outside near it, [knot].
        rims: How far the ZMP has been outside near each knot, added up over rounds [m], [knot, 2].
    """

    problem: Problem
    reference: ControlPoints
    dynamics: bool
    weights: Weights
    scale: float
    held: int = 0
    watch_between: bool = False
    model: ClipModel = field(init=False)
    rims: np.ndarray = field(init=False)
    calm: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        still = np.zeros((len(self.reference.places), 3))
        near, frames = self._near(knots_of(self.reference, still, self.problem.step))
        terms = terms_of(
            self.problem, scale=self.scale, dynamics=self.dynamics, weights=self.weights, near=near, frames=frames
        )
        nothing = Leaning.nothing(terms.knot_count, terms.packed.corners)
        self.rims, self.calm = np.zeros((terms.knot_count, 2)), np.ones(terms.knot_count)
        self.model = ClipModel(self.problem.character, terms, self.reference, nothing, held=self.held)

    def refresh(self, x: np.ndarray, point: ClipPoint, shift: np.ndarray) -> tuple[ClipModel, np.ndarray, bool]:
        """The next round's model, its shift, and whether it is due."""
        old = self.model
        if self.problem.options.scale is None and not self.problem.by_segments:
            self.scale = fitted_scale(self.problem, old, point)
        near, frames = self._near(point.motion.knots)
        terms = terms_of(
            self.problem, scale=self.scale, dynamics=self.dynamics, weights=self.weights, near=near, frames=frames
        )
        leaning, stale = old.leaning, False
        if terms.dynamics:
            if self.watch_between:
                stale = self._widen_rims(point, terms)
            terms = replace(terms, acceleration=terms.acceleration * self.calm[:, None])
            corners, margin = old.corners(point.motion.places)[..., :2], self.weights.sole_margin_m
            leaning = leaning_of(corners, old.loads(x), terms.standing, self.rims, margin)
        self.model = ClipModel(self.problem.character, terms, self.reference, leaning, held=self.held)
        kept = shift[: len(shift) - len(old.terms.near.least)]
        carried = _carried(old.terms, shift[len(kept) :], terms)
        return self.model, np.concatenate([kept, carried]), stale

    def _widen_rims(self, point: ClipPoint, terms: Terms) -> bool:
        """Looks at the ZMP between the knots, on the motion as it will be delivered; whether it was outside."""
        controls, step, character = point.motion.controls, self.problem.step, self.problem.character
        clip = sampled_clip(terms.tree, controls, step, _BETWEEN / step, start=0.0, source="")
        states = states_of_clip(character, clip)
        poses = forward_kinematics(character, states)
        packed = terms.packed
        shown = slice(packed.first_corner, packed.first_frame)
        turned = quaternions.rotate(poses.quaternions_wxyz[:, packed.bodies[shown]], packed.local[shown])
        corners = (poses.positions[:, packed.bodies[shown]] + turned)[..., :2]
        knots = np.arange(len(corners)) / _BETWEEN
        nearest = np.minimum(np.round(knots).astype(np.int64), terms.knot_count - 1)
        out = outside_vectors(zero_moment_points(character, states), corners, terms.standing[nearest])
        calmer = self.calm.copy()
        for knot in (np.floor(knots).astype(np.int64), np.ceil(knots).astype(np.int64)):
            worst = np.zeros(self.rims.shape)
            for n in np.flatnonzero(out.any(axis=1)):
                if np.linalg.norm(out[n]) > np.linalg.norm(worst[knot[n]]):
                    worst[knot[n]] = out[n]
            self.rims += _LEARNT * worst
        for n in np.flatnonzero(np.linalg.norm(out, axis=1) > _SLIGHT_M):
            near = slice(max(0, int(knots[n]) - 1), int(knots[n]) + 3)
            calmer[near] = np.minimum(_CALMER * self.calm[near], _CALMEST)
        self.calm = np.maximum(self.calm, calmer)
        lengths = np.linalg.norm(self.rims, axis=1, keepdims=True)
        self.rims *= np.minimum(1.0, _WIDEST_RIM_M / np.maximum(lengths, 1e-12))
        return bool(out.any(axis=1).mean() > _OUTSIDE_SHARE)

    def _near(self, knots: Knots) -> tuple[NearRows, tuple[str, ...]]:
        """Pairs of bodies that are near each other now."""
        model = collision_model(self.problem)
        if model is None:
            return NearRows.none(), ()
        states = states_of_knots(knots, self.problem.step)
        watched = _WATCHED * float(np.median(knots.root[:, 2]))
        pairs = near_pairs(model, states, watched, most=_MOST_PAIRS)
        names = packed_tree(self.problem.character).body_names
        bodies = np.stack([pairs.body_a, pairs.body_b], axis=1).reshape(-1, 2)
        used, places = np.unique(bodies, return_inverse=True)
        local = np.stack([pairs.points_a, pairs.points_b], axis=1).reshape(-1, 2, 3)
        least = np.full(len(pairs), 1e-3 * self.problem.options.clearance_mm)
        rows = NearRows(
            np.ascontiguousarray(pairs.frames, dtype=np.int64),
            np.ascontiguousarray(places.reshape(-1, 2), dtype=np.int64),
            np.ascontiguousarray(local),
            np.ascontiguousarray(pairs.normals),
            least,
        )
        return rows, tuple(names[index] for index in used)


def _carried(old: Terms, shift: np.ndarray, new: Terms) -> np.ndarray:
    """What was learnt of distances, for pairs of bodies that are still near at the same knot, [row]."""
    known = {
        (int(frame), old.packed.frames[a], old.packed.frames[b]): value
        for frame, (a, b), value in zip(old.near.frame, old.near.bodies, shift, strict=True)
    }
    rows = zip(new.near.frame, new.near.bodies, strict=True)
    return np.array([known.get((int(t), new.packed.frames[a], new.packed.frames[b]), 0.0) for t, (a, b) in rows])


def collision_model(problem: Problem) -> CollisionModel | None:
    """Pairs of bodies that may collide; None where that is not wanted or cannot be known."""
    if not problem.options.collisions:
        return None
    try:
        model = CollisionModel.of(problem.character)
    except AnimatoError:  # shapes that cannot be read here: the notes of the problem say so
        return None
    return model if len(model.pairs) else None


def fitted_scale(problem: Problem, model: ClipModel, point: ClipPoint) -> float:
    """The one scale of the person for which the robot's landmarks are nearest to the person's."""
    person = problem.relative
    robot = point.errors + model.terms.targets
    return float(np.sum(person * robot) / np.sum(person * person))
