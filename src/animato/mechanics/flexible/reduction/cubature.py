"""A few quadrature points with positive weights that stand for all of a mesh.

After An, Kim, James: Optimizing Cubature for Efficient Integration of Subspace Deformations (2008): points are taken
a few at a time where they help most, and non-negative least squares gives all of them new weights, until the forces of
training shapes are met. Positive weights keep the energy an energy. The stiffness at rest is trained too.
"""

from __future__ import annotations

import contextlib

import numpy as np

from animato.kernels.compiled import kernel
from animato.mechanics.flexible.elements import stress, stress_change
from animato.mechanics.flexible.reduction.point_gradients import PointGradients
from animato.mechanics.flexible.reduction.reduced_part import CubatureForces

_CANDIDATES = 4000
_FEWEST, _SHARE = 4, 0.04
"""New points a round: at least so many, and this share of those that are there."""


def cubature_forces(
    points: PointGradients, shapes: np.ndarray, *, tolerance: float, most: int, seed: int = 0
) -> CubatureForces:
    """Chooses points and weights.

    Args:
        points: All quadrature points of a basis.
        shapes: Coordinates of shapes to learn from, [shape, r]; every fourth is kept for the test.
        tolerance: Relative error of the training at which enough points are there.
        most: Points at the most.
        seed: Of the choice of candidates where the mesh has very many points.
    """
    test = np.arange(len(shapes)) % 4 == 3
    candidates = np.arange(len(points.volumes))
    if len(candidates) > _CANDIDATES:
        candidates = np.sort(np.random.default_rng(seed).choice(candidates, _CANDIDATES, replace=False))
    some = _chosen(points, candidates)
    metric = _metric(points_stiffness(points))
    training, training_target = _scaled_rows(points, some, shapes[~test], metric)
    stiff, stiff_target = _stiffness_rows(points, some, metric)
    columns, target = np.concatenate((training, stiff)), np.concatenate((training_target, stiff_target))
    chosen, weights = _greedy(columns, target, tolerance, most)
    testing, testing_target = _scaled_rows(points, some, shapes[test], metric)
    best = _chosen(some, chosen)
    return CubatureForces(
        gradients=best.gradients,
        weights=weights,
        models=best.models,
        lame=best.lame,
        training_error=_error(training[:, chosen] @ weights, training_target),
        test_error=_error(testing[:, chosen] @ weights, testing_target) if test.any() else np.nan,
    )


def points_stiffness(points: PointGradients) -> np.ndarray:
    """Stiffness at rest of all points in the basis, [r, r]."""
    total = np.zeros((points.gradients.shape[2],) * 2)
    for start in range(0, len(points.volumes), 1000):
        some = _chosen(points, np.arange(start, min(start + 1000, len(points.volumes))))
        total += np.tensordot(some.volumes, _stiffnesses(some), axes=1)
    return total


def _error(found: np.ndarray, target: np.ndarray) -> float:
    return float(np.linalg.norm(found - target) / np.linalg.norm(target))


def _chosen(points: PointGradients, which: np.ndarray) -> PointGradients:
    return PointGradients(points.gradients[which], points.volumes[which], points.models[which], points.lame[which])


def _metric(stiffness: np.ndarray) -> np.ndarray:
    """K^-1/2: what is left of a force counts by the energy that it takes, not by its size.

    Shapes of a slender part lie near directions in which it is a million times stiffer than along them.
    """
    values, vectors = np.linalg.eigh(stiffness)
    return np.asarray(vectors / np.sqrt(np.maximum(values, 1e-14 * values[-1])) @ vectors.T)


def _scaled_rows(
    points: PointGradients, some: PointGradients, shapes: np.ndarray, metric: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Forces of each candidate per volume [shape * r, candidate], and of the mesh; each shape divided by its force."""
    r = points.gradients.shape[2]
    rows, total = np.empty((len(shapes), r, len(some.volumes))), np.zeros((len(shapes), r))
    everywhere = np.empty((r, len(points.volumes)))
    for n, a in enumerate(np.ascontiguousarray(shapes)):
        _put_point_forces(some.gradients, some.models, some.lame, a, rows[n])
        _put_point_forces(points.gradients, points.models, points.lame, a, everywhere)
        rows[n] = metric @ rows[n]
        total[n] = metric @ (everywhere @ points.volumes)
    size = np.linalg.norm(total, axis=1)
    return (rows / size[:, None, None]).reshape(-1, rows.shape[2]), (total / size[:, None]).ravel()


def _stiffness_rows(points: PointGradients, some: PointGradients, metric: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same for the stiffness at rest, of which the metric makes one."""
    upper = np.triu_indices(len(metric))
    rows = (metric @ _stiffnesses(some) @ metric)[:, *upper].T
    return rows, (metric @ points_stiffness(points) @ metric)[upper]


def _stiffnesses(points: PointGradients) -> np.ndarray:
    """Stiffness at rest of each point per volume, [point, r, r]."""
    r = points.gradients.shape[2]
    found = np.empty((len(points.volumes), r, r))
    _put_point_stiffness(points.gradients, points.models, points.lame, found)
    return found


def _greedy(columns: np.ndarray, target: np.ndarray, tolerance: float, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the columns whose positive combination comes near the target, and their weights."""
    size = np.linalg.norm(columns, axis=0)
    unit = columns / np.where(size > 0.0, size, 1.0)
    chosen, weights, residual = np.zeros(0, dtype=np.int64), np.zeros(0), target
    while len(chosen) < most:
        help_ = unit.T @ residual
        help_[chosen] = -np.inf
        count = min(max(_FEWEST, int(_SHARE * len(chosen))), most - len(chosen))
        best = np.argsort(help_)[::-1][:count]
        trial = np.concatenate((chosen, best[help_[best] > 0.0]))
        if len(trial) == len(chosen):
            break
        weights = _positive_weights(unit[:, trial], target)
        if not weights.any():
            break
        chosen, weights = trial[weights > 0.0], weights[weights > 0.0]
        residual = target - unit[:, chosen] @ weights
        if np.linalg.norm(residual) <= tolerance * np.linalg.norm(target):
            break
    return chosen, weights / size[chosen]


def _positive_weights(columns: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Non-negative least squares; columns that are almost alike turn it in circles, so weights cost a little."""
    from scipy.optimize import nnls

    count = columns.shape[1]
    for cost in (1e-8, 1e-6, 1e-4):
        with contextlib.suppress(RuntimeError):
            return np.asarray(
                nnls(
                    np.vstack((columns, cost * np.eye(count))), np.append(target, np.zeros(count)), maxiter=20 * count
                )[0]
            )
    return np.zeros(count)


@kernel
def _put_point_forces(G: np.ndarray, models: np.ndarray, lame: np.ndarray, a: np.ndarray, out: np.ndarray) -> None:
    """Writes P : G_k of each point at modes a, [r, point]."""
    F = np.empty(9)
    for x in range(len(models)):
        for c in range(9):
            F[c] = 1.0 if c % 4 == 0 else 0.0
            for k in range(len(a)):
                F[c] += G[x, c, k] * a[k]
        P = stress(models[x], lame[x, 0], lame[x, 1], (F[0], F[1], F[2], F[3], F[4], F[5], F[6], F[7], F[8]))
        for k in range(len(a)):
            total = 0.0
            for c in range(9):
                total += P[c] * G[x, c, k]
            out[k, x] = total


@kernel
def _put_point_stiffness(G: np.ndarray, models: np.ndarray, lame: np.ndarray, out: np.ndarray) -> None:
    """Writes G_j : dP/dF : G_k of each point at rest, [point, r, r]."""
    r = G.shape[2]
    rest = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    for x in range(len(models)):
        for k in range(r):
            g = G[x, :, k]
            D = (g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7], g[8])
            change = stress_change(models[x], lame[x, 0], lame[x, 1], rest, D)
            for j in range(r):
                total = 0.0
                for c in range(9):
                    total += change[c] * G[x, c, j]
                out[x, j, k] = total
