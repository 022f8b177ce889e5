"""Markers fitted to a robot's proportions before anything else is asked: the first of the paper's three steps.

    minimize  sum_i E_L(V_i) + alpha E_A(V_{i-1}, V_i, V_{i+1})
    with      |p_a - p_b|^2 = l_e^2  for every link e,   p_k = P_k  for every marker that is held

Links make it nonlinear, whatever the paper's text says; it is sparse, since a frame meets its two neighbours only. The
energy does not see where a whole frame is, so a very small weight holds each frame's mean at the source's. Lengths are
stiff springs first and equalities then: at the source itself the energy is zero and shows no way.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.described import Described
from animato.errors import MotionError, OptionError
from animato.mimic.mesh.sequence import MeshSequence, acceleration_energies
from animato.outcome import Outcome, Progress
from animato.solvers import (
    BlockModel,
    InteriorOptions,
    InteriorPoint,
    LeastSquaresOptions,
    Limits,
    LinearBlock,
    Residuals,
    solve_least_squares,
)

ANCHOR = 1e-6
"""Weight of the squared distance of a frame's mean from the source's, beside the Laplacian energy."""

_STIFF = 1e2  # weight of squared relative errors of lengths [m^2], for a start
_NEAR = LeastSquaresOptions(tolerance=1e-4, iterations=50, stage="markers near the robot's proportions")
_EXACT = InteriorOptions(tolerance=1e-12, least_cost=1e-3, stage="markers in the robot's proportions")


@dataclass(frozen=True)
class Link:
    """Two vertices whose distance the robot's body decides.

    Attributes:
        first, second: Indices of the vertices.
        length: l_e [m].
    """

    first: int
    second: int
    length: float


@dataclass(frozen=True, eq=False, repr=False)
class Presolved(Described):
    """Markers that fit the robot's proportions.

    Attributes:
        positions: [m], [frame, vertex, 3].
        laplacian: E_L of each frame [m^2], [frame].
        acceleration: E_A of each frame [m^2], [frame].
        length_error: The largest distance from a link's length [m].
        outcome: How it ended.
        seconds: It took.
    """

    positions: np.ndarray
    laplacian: np.ndarray
    acceleration: np.ndarray
    length_error: float
    outcome: Outcome
    seconds: float

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "frames": str(len(self.positions)),
            "Laplacian energy": f"{1e4 * float(self.laplacian.mean()):.1f} cm^2 a frame",
            "links off by at most": f"{1e3 * self.length_error:.4f} mm",
            "ended": str(self.outcome),
        }


@dataclass(frozen=True, eq=False)
class LinkBlock:
    """Rows (|p_a - p_b|^2 / l^2 - 1) / 2, about the relative error of a length; zero where a link fits (eq. 5).

    Attributes:
        columns: The six unknowns of both ends, [c, 6].
        lengths: l [m], [c].
    """

    columns: np.ndarray
    lengths: np.ndarray

    def values(self, x: np.ndarray) -> np.ndarray:
        """Rows, [c, 1]."""
        apart = x[:, :3] - x[:, 3:]
        return np.asarray(0.5 * (np.sum(apart**2, axis=1) / self.lengths**2 - 1.0))[:, None]

    def jacobians(self, x: np.ndarray) -> np.ndarray:
        """Their derivatives, [c, 1, 6]."""
        apart = (x[:, :3] - x[:, 3:]) / self.lengths[:, None] ** 2
        return np.concatenate([apart, -apart], axis=1)[:, None]

    def curvatures(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray | None:
        """Second derivatives, [c, 6, 6]."""
        return np.asarray((weights[:, 0] / self.lengths**2)[:, None, None] * _APART)


_APART = np.kron(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.eye(3))


def mesh_residuals(meshes: MeshSequence, alpha: float) -> list[Residuals]:
    """The paper's cost (eqs. 2 to 4) over markers [frame, vertex, 3] in one vector, and the anchor of means."""
    frames, count = meshes.source.shape[:2]
    index = np.arange(3 * frames * count).reshape(frames, count, 3)
    along = index.transpose(0, 2, 1).reshape(-1, count)  # one axis of one frame a copy
    targets = meshes.targets.transpose(0, 2, 1).reshape(-1, count)
    terms = [Residuals(LinearBlock(along, np.repeat(meshes.matrices, 3, axis=0), targets))]
    means = meshes.source.mean(1).reshape(-1, 1)
    terms.append(Residuals(LinearBlock(along, np.full((1, count), 1.0 / count), means), ANCHOR))
    if alpha > 0.0 and frames > 2:
        three = np.stack([index[:-2].ravel(), index[1:-1].ravel(), index[2:].ravel()], axis=1)
        terms.append(Residuals(LinearBlock(three, np.array([[1.0, -2.0, 1.0]])), 0.5 * alpha))
    return terms


def link_limits(links: Sequence[Link], held: np.ndarray, shape: tuple[int, ...]) -> list[Limits]:
    """Link lengths as equalities over markers [frame, vertex, 3] in one vector, without links between held ends."""
    if not links:
        return []
    index = np.arange(int(np.prod(shape))).reshape(shape)
    ends = np.array([(link.first, link.second) for link in links])
    columns = np.concatenate([index[:, ends[:, 0]], index[:, ends[:, 1]]], axis=2)
    lengths = np.broadcast_to([link.length for link in links], columns.shape[:2])
    loose = ~(held[:, ends[:, 0]] & held[:, ends[:, 1]])
    return [Limits(LinkBlock(columns[loose], lengths[loose]), 0.0, 0.0)] if loose.any() else []


def presolve(
    meshes: MeshSequence,
    links: Sequence[Link],
    *,
    held: np.ndarray | None = None,
    alpha: float = 0.0,
    start: np.ndarray | None = None,
    progress: Progress | None = None,
) -> Presolved:
    """Fits markers to lengths with as little change of the interaction meshes as possible.

    Args:
        meshes: Of the source, scaled to the robot first: the energy is not invariant to scale.
        links: Pairs of vertices with the robot's lengths.
        held: Places of markers that are held [m], [frame, vertex, 3]; NaN where one is free (eq. 6).
        alpha: Weight of the acceleration energy.
        start: Where to begin [m], [frame, vertex, 3]; the source where not given.
        progress: Told of every step.

    Raises:
        OptionError: `alpha` is negative.
        MotionError: Shapes do not fit, or a link has no length.
    """
    begin, shape = time.perf_counter(), meshes.source.shape
    checked_weights(alpha, links, shape[1])
    places = np.full(shape, np.nan) if held is None else np.asarray(held, dtype=np.float64)
    first = meshes.source if start is None else np.asarray(start, dtype=np.float64)
    for name, array in (("held", places), ("start", first)):
        if array.shape != shape:
            raise MotionError(f"`{name}` must have the shape {list(shape)} of the source; given {list(array.shape)}.")
    pinned = np.isfinite(places)
    x = np.where(pinned, places, first)
    lower, upper = (np.where(pinned, places, bound).ravel() for bound in (-np.inf, np.inf))
    limits = link_limits(links, pinned.all(axis=2), shape)
    terms = mesh_residuals(meshes, alpha)
    stiff = [Residuals(limit.block, _STIFF) for limit in limits]
    near = solve_least_squares(
        BlockModel(x.size, [*terms, *stiff], lower=lower, upper=upper), x.ravel(), _NEAR, progress=progress
    )
    found = InteriorPoint(BlockModel(x.size, terms, limits, lower=lower, upper=upper), _EXACT).solve(
        near.x, progress=progress
    )
    positions = found.x.reshape(shape)
    seconds = time.perf_counter() - begin
    energies = meshes.energies(positions), acceleration_energies(positions)
    return Presolved(positions, *energies, length_error(positions, links), found.outcome, seconds)


def checked_weights(alpha: float, links: Sequence[Link], count: int) -> None:
    """Raises where a weight or a link cannot be."""
    if not (np.isfinite(alpha) and alpha >= 0.0):
        raise OptionError(f"`alpha` must be a number of at least 0, not {alpha!r}.")
    for link in links:
        if not (0 <= link.first < count and 0 <= link.second < count and link.first != link.second):
            raise MotionError(f"A link joins two different vertices of 0 to {count - 1}; given {link}.")
        if not (np.isfinite(link.length) and link.length > 0.0):
            raise MotionError(f"A link needs a length greater than 0 m; given {link}.")


def length_error(positions: np.ndarray, links: Sequence[Link]) -> float:
    """The largest distance of a link from its length [m], for positions [frame, vertex, 3]."""
    apart = [np.linalg.norm(positions[:, e.first] - positions[:, e.second], axis=1) - e.length for e in links]
    return float(np.abs(apart).max()) if apart else 0.0
