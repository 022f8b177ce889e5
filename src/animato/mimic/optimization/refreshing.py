"""What is held still during a round of the solver and looked at anew after it: scale, near bodies, leaning."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from animato.errors import AnimatoError
from animato.mechanics.collision import CollisionModel, near_pairs
from animato.mimic.curve import ControlPoints
from animato.mimic.optimization.evaluation import states_of_knots
from animato.mimic.optimization.leaning import EDGES, Leaning, leaning_of
from animato.mimic.optimization.model import ClipModel, ClipPoint
from animato.mimic.optimization.packing import terms_of
from animato.mimic.optimization.terms import NearRows, Weights
from animato.mimic.problem import Problem

_WATCHED_M = 0.04  # pairs of bodies nearer than this are watched
_MOST_PAIRS = 8  # of a knot


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
        model: Of the current round.
    """

    problem: Problem
    reference: ControlPoints
    dynamics: bool
    weights: Weights
    scale: float
    held: int = 0
    model: ClipModel = field(init=False)

    def __post_init__(self) -> None:
        terms = terms_of(self.problem, scale=self.scale, dynamics=self.dynamics, weights=self.weights)
        count, corners = terms.knot_count, terms.packed.corners
        nothing = Leaning(np.zeros((count, EDGES, corners)), np.full((count, EDGES), -np.inf))
        self.model = ClipModel(self.problem.character, terms, self.reference, nothing, held=self.held)

    def refresh(self, x: np.ndarray, point: ClipPoint, shift: np.ndarray) -> tuple[ClipModel, np.ndarray]:
        """The model of the next round, and its shift: what was learnt of distances does not carry over."""
        old = self.model
        self.scale = self.problem.options.scale or fitted_scale(self.problem, old, point)
        near, frames = self._near(point)
        terms = terms_of(
            self.problem, scale=self.scale, dynamics=self.dynamics, weights=self.weights, near=near, frames=frames
        )
        leaning = old.leaning
        if self.dynamics and terms.dynamics:
            leaning = leaning_of(
                old.corners(point.motion.places)[..., :2], old.loads(x), terms.standing, self.weights.sole_margin_m
            )
        self.model = ClipModel(self.problem.character, terms, self.reference, leaning, held=self.held)
        kept = shift[: len(shift) - len(old.terms.near.least)]
        return self.model, np.concatenate([kept, np.zeros(len(near.least))])

    def _near(self, point: ClipPoint) -> tuple[NearRows, tuple[str, ...]]:
        """Pairs of bodies that are near each other now."""
        model = collision_model(self.problem)
        if model is None:
            return NearRows.none(), ()
        states = states_of_knots(point.motion.knots, self.problem.step)
        pairs = near_pairs(model, states, _WATCHED_M, most=_MOST_PAIRS)
        names = self.model.terms.tree.body_names
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
    person = problem.relative_landmarks()
    robot = point.errors + model.terms.targets
    return float(np.sum(person * robot) / np.sum(person * person))
