"""The whole of the paper: markers to proportions, markers in balance and within limits, joint trajectories."""

from __future__ import annotations

import time

import numpy as np

from animato.errors import unknown_name
from animato.mimic.mesh import link_limits, mesh_residuals, meshes_of, presolve
from animato.mimic.published.dynamics import MarkerDynamics, Robot
from animato.mimic.published.fitting import HELD_WEIGHT, MarkerFitter
from animato.mimic.published.postures import Postures
from animato.mimic.published.problem import PublishedProblem
from animato.mimic.published.result import PublishedResult, clip_of, crossings_of, joint_ranges
from animato.mimic.published.rows import TorqueRows, VelocityRows, ZmpRows
from animato.outcome import Outcome, Progress, Status
from animato.solvers import ELASTIC, BlockModel, InteriorOptions, InteriorPoint, Limits
from animato.spatial import quaternions

_HELD = 1e-6  # of a limit: what an answer may cross it by
_PRICES = 4  # tried, each ten times the last
_LEAST_ENERGY = 1e-4  # [m^2] of a frame


def solve_published(problem: PublishedProblem, *, progress: Progress | None = None) -> PublishedResult:
    """Solves both steps and fits the joint trajectories.

    Args:
        problem: From `build_published`.
        progress: Told of every step.
    """
    begin, options = time.perf_counter(), problem.options
    meshes = meshes_of(problem.source)
    first = presolve(meshes, problem.links, held=problem.held, alpha=options.alpha, progress=progress)
    dynamics = dynamics_of(problem, first.positions)
    before = dynamics.at(first.positions)
    pinned = np.isfinite(problem.held)
    lower, upper = (np.where(pinned, problem.held, bound).ravel() for bound in (-np.inf, np.inf))
    equalities = link_limits(problem.links, pinned.all(axis=2), problem.held.shape)
    terms = mesh_residuals(meshes, options.alpha)
    stage = InteriorOptions(
        tolerance=options.tolerance, iterations=options.iterations, stage="markers in balance", constants=ELASTIC
    )
    positions, price = first.positions, options.price * max(float(first.laplacian.mean()), _LEAST_ENERGY)
    for _ in range(_PRICES):
        limits = [*equalities, *robot_limits(problem, dynamics, price)]
        model = BlockModel(pinned.size, terms, limits, lower=lower, upper=upper)
        found = InteriorPoint(model, stage).solve(positions.ravel(), progress=progress)
        positions = found.x.reshape(problem.source.shape)
        after, price = dynamics.at(positions), 10.0 * price
        if max(crossings_of(problem, after).values(), default=0.0) < _HELD:
            break
    outcome, clip = _judged(problem, after, found.outcome), clip_of(problem, after)
    seconds = time.perf_counter() - begin
    return PublishedResult(problem, meshes, first, before, positions, after, clip, outcome, seconds)


def dynamics_of(problem: PublishedProblem, positions: np.ndarray) -> MarkerDynamics:
    """The robot of markers; fits begin with the robot at rest laid upon the markers [frame, marker, 3] [m]."""
    fitter = fitter_of(problem)
    return MarkerDynamics(fitter, problem.times, problem.shares, first_fit(fitter, positions))


def fitter_of(problem: PublishedProblem) -> MarkerFitter:
    """The fit to markers, within the ranges of joints where they are to be kept."""
    lower, upper = joint_ranges(problem).angle[:, 6:]
    ranges = (lower, upper) if problem.options.joint_limits else None
    weights = np.where(np.isfinite(problem.held).all(axis=2), HELD_WEIGHT, 1.0)
    return MarkerFitter(problem.markers, problem.rest, damping=problem.options.damping, ranges=ranges, weights=weights)


def first_fit(fitter: MarkerFitter, positions: np.ndarray) -> Postures:
    """Configurations for markers [frame, marker, 3] [m], on one branch as long as there is one.

    All frames are fitted from rest. From the one that fits best its neighbours are fitted again, each from the frame
    before it: where the robot cannot follow there may be several poor places, and neighbours should share theirs.
    """
    alone = fitter.fit(positions, laid_upon(fitter, positions), careful=True)
    best, found = int(np.argmin(alone.cost)), alone.postures
    for frames in (range(best + 1, len(positions)), range(best - 1, -1, -1)):
        near = best
        for frame in frames:
            start, one = found.part(np.array([near])), np.array([frame])
            found = found.replaced(one, fitter.fit(positions[one], start, frames=one, careful=True).postures)
            near = frame
    return found


def laid_upon(fitter: MarkerFitter, positions: np.ndarray) -> Postures:
    """The robot at rest, each frame shifted and turned to lie upon markers as near as may be."""
    count = len(positions)
    origin = np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], (count, 1))
    rest = Postures(np.tile(fitter.rest, (count, 1)), origin)
    own = fitter.places(rest)
    a, b = own - own.mean(1, keepdims=True), positions - positions.mean(1, keepdims=True)
    u, _, vt = np.linalg.svd(np.einsum("fki,fkj->fij", b, a))
    flip = np.ones((count, 3))
    flip[:, 2] = np.sign(np.linalg.det(u @ vt))
    turn = (u * flip[:, None]) @ vt
    origin[:, :3] = positions.mean(1) - np.einsum("fij,fj->fi", turn, own.mean(1))
    origin[:, 3:] = quaternions.quaternion_from_matrix(turn)
    return Postures(rest.q, origin)


def robot_limits(problem: PublishedProblem, dynamics: MarkerDynamics, price: float) -> list[Limits]:
    """ZMP, velocities and torques, as far as they are asked for, at a price of crossing them [m^2]."""
    options, shape = problem.options, problem.source.shape[:2]
    moving = dynamics.fitter.moving
    joints, found = moving[moving >= 6], []
    if options.balance:
        found.append(Limits(ZmpRows(dynamics, shape, 0.5 * options.square_m), -1.0, 1.0, price))
    ranges = joint_ranges(problem)
    if options.velocity_limits:
        quick = joints[np.isfinite(ranges.speed[joints])]
        found.append(Limits(VelocityRows(dynamics, shape, quick, ranges.speed[quick]), -1.0, 1.0, price))
    if options.torques:
        names = list(dynamics.fitter.tree.dof_names)
        for name in options.torques:
            if name not in names[6:]:
                raise unknown_name("joint", name, names[6:], problem.markers.character.name)
        dofs = np.array([names.index(name) for name in options.torques])
        most = np.array(list(options.torques.values()))
        found.append(Limits(TorqueRows(dynamics, shape, dofs, most), -1.0, 1.0, price))
    return found


def _judged(problem: PublishedProblem, after: Robot, outcome: Outcome) -> Outcome:
    """The outcome with what the answer must hold in view."""
    worst = {what: crossing for what, crossing in crossings_of(problem, after).items() if crossing > _HELD}
    if worst:
        told = ", ".join(f"{what} by {crossing:.2g}" for what, crossing in worst.items())
        return Outcome(Status.INFEASIBLE, f"limits are crossed (share of each): {told}", outcome.iterations)
    if not outcome.solved:
        return Outcome(Status.ACCEPTABLE, f"everything holds; {outcome.reason}", outcome.iterations)
    return outcome
