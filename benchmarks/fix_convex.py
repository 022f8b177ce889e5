"""The convex case beside Clarabel: the same program, written from its definition and not from our code.

Of a gantry of three slides, points move as the slides do, so that with linear limits alone the whole problem is convex:
each slide's cubic spline through the frames, with the not-a-knot condition as scipy has it, shall be as near to the
artist's frames as can be in the sense of least squares, with every Bernstein coefficient of every piece of it and of
its derivatives inside the limits. Slides do not meet in it, so weights do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, factorial

import numpy as np
from scipy import sparse
from scipy.interpolate import BSpline, make_interp_spline

from animato.character import Body, Character, EndPoint, Joint, JointType, Limits
from animato.fix import Options, build, solve
from animato.motion import Clip

RATE_HZ = 50.0
LIMITS = Limits(lower=-0.5, upper=0.5, velocity=0.9, acceleration=9.0, jerk=300.0)
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class ConvexGap:
    """Both answers side by side.

    Attributes:
        objective: Relative difference of the sums of squares; above 0 where ours is worse.
        control_points: Largest difference, over the range of a slide.
        seconds, peer_seconds: Of both solvers.
    """

    objective: float
    control_points: float
    seconds: float
    peer_seconds: float


def gantry() -> Character:
    """Three slides with limits on everything but force."""
    bodies = tuple(Body(name, mass=1.0) for name in ("frame", "bridge", "carriage", "tool"))
    slides = tuple(
        Joint(f"slide_{n}", JointType.PRISMATIC, bodies[n].name, bodies[n + 1].name, axis=axis, stated_limits=(LIMITS,))
        for n, axis in enumerate(AXES)
    )
    ground = Joint("ground", JointType.GROUND, "world", "frame")
    return Character(
        "gantry", bodies, (ground, *slides), end_points=(EndPoint("tip", "tool"),), gravity=(0.0, 0.0, 0.0)
    )


def wanted(seconds: float = 4.0) -> Clip:
    """Waves of several speeds, of which some leave the range and all are too fast."""
    times = np.arange(round(seconds * RATE_HZ) + 1) / RATE_HZ
    columns = [
        0.55 * np.sin(2.0 * np.pi * 0.6 * times) + 0.05 * np.sin(2.0 * np.pi * 3.1 * times),
        0.3 * np.sign(np.sin(2.0 * np.pi * 0.5 * times + 0.1)),
        0.2 * np.sin(2.0 * np.pi * (0.2 * times + 0.35 * times**2)),
    ]
    return Clip(times, tuple(f"slide_{n}" for n in range(3)), np.column_stack(columns), source="waves")


def bernstein_rows(times: np.ndarray) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """Values at the frames, and by derivative the Bernstein coefficients of all pieces, over control points.

    Args:
        times: Of the frames [s], [frame].

    Returns:
        [frame, control point], and [coefficient, control point] by order of the derivative.
    """
    count = len(times)
    knots = make_interp_spline(times, np.zeros(count), k=3).t
    basis = BSpline(knots, np.eye(count), 3)
    places = np.unique(knots)
    starts, lengths = places[:-1], np.diff(places)[:, None]
    # What each derivative is at the start of each piece; a spline of scipy has the value of its right side there.
    at_start = [np.asarray(basis.derivative(k)(starts) if k else basis(starts)) for k in range(4)]
    rows = {}
    for order in range(4):
        powers = [at_start[order + k] * lengths**k / factorial(k) for k in range(4 - order)]
        rows[order] = np.concatenate([_bernstein(powers, n) for n in range(4 - order)])
    return np.asarray(basis(times)), rows


def _bernstein(powers: list[np.ndarray], n: int) -> np.ndarray:
    """b_n = sum_{k <= n} C(n, k) / C(degree, k) a_k of polynomials in powers of a share from 0 to 1."""
    degree = len(powers) - 1
    return np.asarray(sum(comb(n, k) / comb(degree, k) * powers[k] for k in range(n + 1)))


def clarabel_control_points(times: np.ndarray, frames: np.ndarray) -> tuple[np.ndarray, float]:
    """The answer for one slide, and seconds."""
    import clarabel

    values, rows = bernstein_rows(times)
    bounds = {0: LIMITS.upper, 1: LIMITS.velocity, 2: LIMITS.acceleration, 3: LIMITS.jerk}
    stacked = np.concatenate([rows[order] / bound for order, bound in bounds.items() if bound is not None])
    stacked[np.abs(stacked) < 1e-13] = 0.0
    both = sparse.csc_matrix(np.concatenate([stacked, -stacked]))
    squares = sparse.csc_matrix(np.triu(values.T @ values))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    cones = [clarabel.NonnegativeConeT(both.shape[0])]
    solver = clarabel.DefaultSolver(squares, -values.T @ frames, both, np.ones(both.shape[0]), cones, settings)
    answer = solver.solve()
    return np.array(answer.x), float(answer.solve_time)


def convex_gap() -> ConvexGap:
    """Ours and Clarabel's answer to the gantry."""
    character, clip = gantry(), wanted()
    options = Options(torque=False, collisions=False)
    solve(build(character, clip, options))  # warm
    ours = solve(build(character, clip, options))
    costs, peer_costs, apart, peer_seconds = 0.0, 0.0, 0.0, 0.0
    values, _ = bernstein_rows(clip.times)
    for column in range(len(clip.names)):
        theirs, seconds = clarabel_control_points(clip.times, clip.positions[:, column])
        own = make_interp_spline(clip.times, ours.clip.positions[:, column], k=3).c
        apart = max(apart, float(np.abs(own - theirs).max()))
        costs += float(np.sum((values @ own - clip.positions[:, column]) ** 2))
        peer_costs += float(np.sum((values @ theirs - clip.positions[:, column]) ** 2))
        peer_seconds += seconds
    return ConvexGap((costs - peer_costs) / peer_costs, apart, ours.seconds, peer_seconds)
