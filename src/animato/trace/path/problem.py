"""The geometric problem of `trace`: which joint path brings the points of a robot along a sketch.

Equation 5 of Luo and Hauser (2012), over the control points P of a clamped cubic spline p(s):

    minimize  f_g + alpha f_c + pull f_r    with  lower <= P <= upper

    f_g = integral of sum_k w_k |f_k(p(s)) - x_k(s)|^2 ds      how far the points are from the sketch [m^2]
    f_c = integral of |p''(s)|^2 ds                            how much the path bends
    f_r = integral of |p(s) - rest|^2 ds                       decides where a robot has joints to spare
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from animato.character import Character
from animato.described import Described, shortened
from animato.errors import CharacterError
from animato.mechanics.tree import PointKinematics, build_point_kinematics
from animato.motion import Posture
from animato.spatial.basis import DEGREE, ORDER, basis_rows
from animato.trace.options import Options
from animato.trace.path.assembly import spline_gram
from animato.trace.path.constraints import (
    SELF,
    KeptRelation,
    PreparedRelations,
    Watch,
    obstacles_from,
    parse_relation,
    prepared_relations,
    watch_of,
)
from animato.trace.path.directions import KeptDirection
from animato.trace.path.knots import (
    curvature_knots,
    curvature_step,
    knot_density,
    most_control_points,
    stroke_noise,
    sufficient_count,
)
from animato.trace.sketch import Sketch, step_towards

PathTerm = KeptDirection | KeptRelation

PULL = 1e-5
"""Of the squared lever of the joints: far too little to be seen in the drawing."""

ROUNDER = 2.2
"""Length of waves that a path for limited jerk damps, in knot intervals of the path without."""

SEED_COUNT = 8
_HAIR = 2.5e-4  # of a joint's range
_TO_BEGIN = 60  # steps of inverse kinematics to where a sketch begins
_NO_LEVER = 1e-9  # [m / rad]
_WIDEST = np.pi  # a joint without limits is seeded within half a turn to either side


@dataclass(frozen=True, eq=False, repr=False)
class PathProblem(Described):
    """Equation 5 as arrays. n coordinates, c control points, m places along the sketch, t targets.

    The bounds are those of each control point: a caller that wants a part of the path to stay narrows them.

    Attributes:
        sketch: What is followed.
        kinematics: The points, then directions that are to be kept.
        knots: Of the path, [c + 4].
        places: s at which path and sketch are compared, uniform, [m].
        first, values: Basis rows at the places, [m] and [m, 4].
        share: Of each place in the integral over s, [m]; they sum to 1.
        targets: Where the targets should be, [m, 3 t].
        weight: Of each coordinate of the targets, [3 t].
        alpha: Weight of smoothness [m^2 / rad^2].
        pull: Weight of the pull to a rest posture [m^2 / rad^2].
        gram: alpha f_c + pull f_r as a band over control points, [c, 4].
        lower, upper: Bounds of the control points [rad or m], [c, n].
        seeds: Postures from which the inverse kinematics starts, best guess first, [k, n].
        start_given: Whether the first of them was asked for: the path then begins near it, and is pulled to it.
        noise: Jitter of the sketch [m].
        automatic: Whether the number of control points and alpha were left to be found.
        epsilon: Share of knots that go by distance.
        watch: Bodies that must stay apart, where that was asked for.
        relations: Points that keep where they are to one another; their markers stand after the sketch's points.
    """

    sketch: Sketch
    kinematics: PointKinematics
    knots: np.ndarray
    places: np.ndarray
    first: np.ndarray
    values: np.ndarray
    share: np.ndarray
    targets: np.ndarray
    weight: np.ndarray
    alpha: float
    pull: float
    gram: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    seeds: np.ndarray
    start_given: bool
    noise: float
    automatic: bool
    epsilon: float
    watch: Watch | None = None
    relations: PreparedRelations | None = None

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "points": shortened(self.sketch.points),
            "joints": shortened(self.kinematics.names),
            "control points": str(self.control_point_count),
            "places": str(len(self.places)),
            "alpha": f"{self.alpha:.3g}",
        }

    @property
    def control_point_count(self) -> int:
        """Number of control points, c."""
        return len(self.knots) - ORDER


def build_path_problem(
    character: Character,
    sketch: Sketch,
    options: Options | None = None,
    *,
    terms: Sequence[PathTerm] = (),
    posture: Posture | None = None,
) -> PathProblem:
    """Prepares the fit of a joint path to a sketch.

    Where alpha is not given, it goes by the distance of knots and the lever of the joints, so that waves shorter than
    a knot interval are damped by half or more.

    Args:
        character: A tree character.
        sketch: Paths of its points in the world.
        options: What is wanted of the path.
        terms: Directions that points shall keep, and relations between points.
        posture: A start that has no name, in place of `options.start`.

    Raises:
        UnknownNameError: A point, posture or coordinate that the character does not have.
        CharacterError: A point that no motor moves, or that is on the axes of all of them; or a character with loops.
    """
    options = options or Options()
    if posture is None and options.start is not None:
        posture = Posture.named(character, options.start)
    directions = [term for term in terms if isinstance(term, KeptDirection)]
    for term in directions:
        term.check(sketch)
    relations = _relations(character, sketch, (*terms, *map(parse_relation, options.keep)), posture)
    kinematics = build_point_kinematics(
        relations.marked(character),
        (*sketch.points, *relations.names),
        start=posture,
        pointing=tuple(term.point for term in directions),
    )
    noise = stroke_noise(sketch)
    density = knot_density(sketch, epsilon=options.epsilon, step=curvature_step(sketch, noise))
    count = options.control_point_count
    if count is None:
        most = most_control_points(len(kinematics.names))
        count = sufficient_count(sketch, density, noise, np.linspace(0.0, 1.0, options.place_count or 501), most)
    knots = curvature_knots(density, count)
    places = np.linspace(0.0, 1.0, options.place_count or max(5 * count, 200) + 1)
    first, values = basis_rows(knots, places)
    lever = _square_lever(kinematics, sketch.weights, options.random_seed)
    unweighed = np.zeros(len(relations.names))
    weight = np.repeat(np.concatenate([sketch.weights, unweighed, [term.weight for term in directions]]), 3)
    pull = PULL * lever if options.pull is None else float(options.pull)
    alpha = _damping_alpha(lever, count) if options.alpha is None else float(options.alpha)
    shape, (lower, upper) = (count, len(kinematics.names)), _inner_range(kinematics)
    return PathProblem(
        sketch=sketch,
        kinematics=kinematics,
        knots=knots,
        places=places,
        first=first,
        values=values,
        share=_shares(len(places)),
        targets=_targets(sketch, len(unweighed), directions, places),
        weight=weight,
        alpha=alpha,
        pull=pull,
        gram=path_gram(knots, alpha, pull),
        lower=np.broadcast_to(lower, shape),
        upper=np.broadcast_to(upper, shape),
        seeds=_seeds(character, kinematics, posture is not None, options.random_seed),
        start_given=posture is not None,
        noise=noise,
        automatic=options.control_point_count is None and options.alpha is None,
        epsilon=options.epsilon,
        watch=_watch(character, sketch, options, kinematics, posture),
        relations=relations if relations.relations else None,
    )


def _relations(
    character: Character, sketch: Sketch, terms: Sequence[PathTerm], posture: Posture | None
) -> PreparedRelations:
    """Those among the terms, as they are where the robot begins: near the start posture, with its points as drawn."""
    chosen = [term for term in terms if isinstance(term, KeptRelation)]
    if chosen:
        kinematics = build_point_kinematics(character, sketch.points, start=posture)
        q, target = kinematics.start[None], sketch.x_of_s(np.zeros(1))
        for _ in range(_TO_BEGIN):
            q = step_towards(kinematics, q, target, damping=1e-6)
        names = kinematics.names + kinematics.held.names
        posture = Posture(names, np.concatenate([q[0], kinematics.held.positions]))
    return prepared_relations(character, chosen, posture)


def _watch(
    character: Character, sketch: Sketch, options: Options, kinematics: PointKinematics, posture: Posture | None
) -> Watch | None:
    """What must stay apart, where anything is to be avoided."""
    if not options.avoid:
        return None
    obstacles = obstacles_from(options.avoid, character, sketch, posture)
    return watch_of(character, kinematics, options.clearance_m, itself=SELF in options.avoid, obstacles=obstacles)


def refined(problem: PathProblem, control_point_count: int) -> PathProblem:
    """The same problem with more control points, and with as much less smoothing."""
    sketch, count = problem.sketch, control_point_count
    density = knot_density(sketch, epsilon=problem.epsilon, step=curvature_step(sketch, problem.noise))
    knots = curvature_knots(density, count)
    places = np.linspace(0.0, 1.0, max(5 * count + 1, len(problem.places)))
    first, values = basis_rows(knots, places)
    points = 3 * len(sketch.points)
    ways = np.broadcast_to(problem.targets[:1, points:], (len(places), problem.targets.shape[1] - points))
    alpha = problem.alpha * (problem.control_point_count / count) ** 4
    shape, (lower, upper) = (count, len(problem.kinematics.names)), _inner_range(problem.kinematics)
    return replace(
        problem,
        knots=knots,
        places=places,
        first=first,
        values=values,
        share=_shares(len(places)),
        targets=np.hstack([sketch.x_of_s(places).reshape(len(places), -1), ways]),
        alpha=alpha,
        gram=path_gram(knots, alpha, problem.pull),
        lower=np.broadcast_to(lower, shape),
        upper=np.broadcast_to(upper, shape),
    )


def rounded(problem: PathProblem) -> PathProblem:
    """The same problem for a motion whose jerk is limited: twice the control points, and rounder bends.

    The third derivative of the path is constant between knots, and the robot feels it: with knots twice as close it
    changes by less at each. Waves of up to `ROUNDER` of the former intervals are damped by half or more.
    """
    count = min(2 * problem.control_point_count, most_control_points(len(problem.kinematics.names)))
    finer, alpha = refined(problem, count), problem.alpha * ROUNDER**4
    return replace(finer, alpha=alpha, gram=path_gram(finer.knots, alpha, problem.pull), automatic=False)


def path_gram(knots: np.ndarray, alpha: float, pull: float) -> np.ndarray:
    """The terms alpha f_c + pull f_r as a band G over control points, [c, 4], exact: f = sum_ij G_ij P_i . P_j.

    The second derivative is straight on each piece, so that two Gauss points integrate its square exactly; four do
    it for the square of the path itself.
    """
    gram = np.zeros((len(knots) - ORDER, ORDER))
    breaks = knots[DEGREE:-DEGREE]
    middle, half = 0.5 * (breaks[:-1] + breaks[1:])[:, None], 0.5 * np.diff(breaks)[:, None]
    for derivative, factor, (nodes, node_weights) in ((2, alpha, _gauss(2)), (0, pull, _gauss(4))):
        first, values = basis_rows(knots, (middle + half * nodes).ravel(), derivative=derivative)
        spline_gram(first, values, (half * node_weights).ravel(), float(factor), gram)
    return gram


@lru_cache
def _gauss(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of Gauss's rule on [-1, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights


def reach_tolerance(problem: PathProblem) -> float:
    """Deviation below which a stroke counts as followed [m]: three times its noise, or a thousandth of its length."""
    return max(3.0 * problem.noise, 1e-3 * problem.sketch.length)


def _shares(count: int) -> np.ndarray:
    """Weights of the trapezoidal rule on [0, 1]."""
    share = np.full(count, 1.0 / (count - 1))
    share[[0, -1]] *= 0.5
    return share


def _targets(sketch: Sketch, unweighed: int, terms: Sequence[KeptDirection], places: np.ndarray) -> np.ndarray:
    """Where points, after them those that nothing draws, and directions should be at places, [m, 3 t]."""
    anywhere = np.zeros((len(places), 3 * unweighed))
    directions = [np.tile(term.unit, (len(places), 1)) for term in terms]
    return np.hstack([sketch.x_of_s(places).reshape(len(places), -1), anywhere, *directions])


def _damping_alpha(square_lever: float, control_point_count: int) -> float:
    """The alpha at which a wave as long as a mean knot interval is damped by half.

    A wave of length l in s is damped by the share alpha k^4 / (lever^2 + alpha k^4), k = 2 pi / l.
    """
    return square_lever * (1.0 / (2.0 * np.pi * control_point_count)) ** 4


def _seeds(character: Character, kinematics: PointKinematics, own: bool, random_seed: int) -> np.ndarray:
    """The start, then named postures of the character, then random ones."""
    seeds = [kinematics.start]
    for posture in character.postures:
        values = dict(posture.values)
        named = np.array([values.get(name, 0.0) for name in kinematics.names])
        seeds.append(np.clip(named, kinematics.lower, kinematics.upper))
    # a start of the user's own, or the file's first posture, then neutral, stand before what is random
    if not own and len(seeds) > 1:
        seeds = [*seeds[1:], seeds[0]]
    seeds = seeds[: SEED_COUNT - 3]
    return np.concatenate([seeds, random_postures(kinematics, SEED_COUNT - len(seeds), random_seed)])


def random_postures(kinematics: PointKinematics, count: int, random_seed: int) -> np.ndarray:
    """Postures between neutral and anywhere within the limits, [count, n]."""
    rng = np.random.default_rng(random_seed)
    lower, upper = _finite_range(kinematics)
    middle = np.clip(0.0, lower, upper)
    far = rng.uniform(lower, upper, (count, len(middle)))
    return np.asarray(middle + rng.uniform(0.0, 0.7, (count, 1)) * (far - middle))


def _inner_range(kinematics: PointKinematics) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of control points, [n] each: a hair inside the joints' ranges.

    Frames are taken of a path that rests on a limit, and drives join them by curves that swing beyond.
    """
    hair = np.nan_to_num(_HAIR * (kinematics.upper - kinematics.lower), posinf=0.0)
    return kinematics.lower + hair, kinematics.upper - hair


def _finite_range(kinematics: PointKinematics) -> tuple[np.ndarray, np.ndarray]:
    lower = np.where(np.isfinite(kinematics.lower), kinematics.lower, np.minimum(-_WIDEST, kinematics.upper))
    upper = np.where(np.isfinite(kinematics.upper), kinematics.upper, np.maximum(_WIDEST, kinematics.lower))
    return lower, upper


def _square_lever(kinematics: PointKinematics, weights: np.ndarray, random_seed: int) -> float:
    """What joints move all points by, squared: mean over postures and directions [m^2 / rad^2]."""
    q = np.random.default_rng(random_seed).uniform(*_finite_range(kinematics), size=(64, len(kinematics.names)))
    J = kinematics.jacobians(q)[1][:, : len(weights)]
    for k, point in enumerate(kinematics.points[: len(weights)]):
        if np.abs(J[:, k]).max() < _NO_LEVER:
            raise CharacterError(
                f"'{point.name}' turns but does not move, whatever the joints do: it is on their axes. "
                f"Choose a point beside them."
            )
    return float(np.mean(np.einsum("mtan,t->m", J**2, weights))) / 3.0
