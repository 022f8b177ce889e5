"""Bases of displacements: principal components in the mass's metric."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array


def mass_pca(
    snapshots: np.ndarray, node_mass: csr_array, count: int, *, tolerance: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """The directions that hold most of some displacements, orthonormal in mass.

    Args:
        snapshots: Displacements [m], [snapshot, node, 3].
        node_mass: Consistent mass between nodes [kg], [node, node].
        count: Directions at the most.
        tolerance: Directions that hold less than this share of the first one's amplitude are left out.

    Returns:
        The basis [1/sqrt(kg)], [node, 3, mode], and the amplitude of each direction over all snapshots [m sqrt(kg)].
    """
    shapes = snapshots.reshape(len(snapshots), -1, 3)
    gram = _mass_gram(shapes, shapes, node_mass)
    values, vectors = np.linalg.eigh(gram)
    amplitudes = np.sqrt(np.maximum(values[::-1], 0.0))
    # what the Gram matrix squares away below 1e-7 of the first is noise
    kept = amplitudes > max(tolerance, 1e-7) * amplitudes[0]
    kept[count:] = False
    basis = np.einsum("sk,snp->npk", vectors[:, ::-1][:, kept] / amplitudes[kept], shapes, optimize=True)
    return orthonormal(basis, node_mass), amplitudes[kept]


def orthonormal(basis: np.ndarray, node_mass: csr_array) -> np.ndarray:
    """The same span with unit mass, [node, 3, mode]; twice, so that rounding is what it is for one number."""
    for _ in range(2):
        modes = np.moveaxis(basis, 2, 0)
        factor = np.linalg.cholesky(_mass_gram(modes, modes, node_mass))
        basis = np.linalg.solve(factor, modes.reshape(len(modes), -1)).reshape(modes.shape).transpose(1, 2, 0)
    return np.ascontiguousarray(basis)


def without(snapshots: np.ndarray, basis: np.ndarray, node_mass: csr_array) -> np.ndarray:
    """What a basis orthonormal in mass leaves of displacements, [snapshot, node, 3]."""
    left = snapshots.reshape(len(snapshots), -1, 3)
    for _ in range(2):
        left = left - np.einsum("npk,sk->snp", basis, coordinates(left, basis, node_mass), optimize=True)
    return np.asarray(left)


def coordinates(snapshots: np.ndarray, basis: np.ndarray, node_mass: csr_array) -> np.ndarray:
    """Coordinates of displacements in a basis orthonormal in mass, [snapshot, mode]."""
    return _mass_gram(snapshots, np.moveaxis(basis, 2, 0), node_mass)


def held(snapshots: np.ndarray, conditions: csr_array) -> np.ndarray:
    """The nearest displacements [snapshot, node, 3] that meet conditions, orthonormal rows [6, 3 node], exactly."""
    flat = snapshots.reshape(len(snapshots), conditions.shape[1])
    for _ in range(2):
        flat = flat - (conditions.T @ (conditions @ flat.T)).T
    return np.asarray(flat.reshape(len(snapshots), -1, 3))


def _mass_gram(one: np.ndarray, other: np.ndarray, node_mass: csr_array) -> np.ndarray:
    """Products of displacements in the mass's metric, [one, other]."""
    moved = np.asarray(node_mass @ other.transpose(1, 0, 2).reshape(other.shape[1], -1))
    heavy = moved.reshape(other.shape[1], len(other), 3).transpose(1, 0, 2)
    return np.asarray(np.tensordot(one, heavy, axes=((1, 2), (1, 2))))


def energy_pca(snapshots: np.ndarray, stiffness: csr_array, count: int, *, tolerance: float = 0.0) -> np.ndarray:
    """The directions that would miss most elastic energy, were they not there.

    What a basis lacks of a bent shape is small but stiff: a bent rod that cannot grow shorter must stretch.

    Args:
        snapshots: Displacements [m], [snapshot, node, 3].
        stiffness: At rest, [3 node, 3 node].
        count: Directions at the most.
        tolerance: Directions below this share of the first one's root of energy are left out.

    Returns:
        Directions of unit energy, [node, 3, mode].
    """
    flat = snapshots.reshape(len(snapshots), -1)
    values, vectors = np.linalg.eigh(flat @ np.asarray(stiffness @ flat.T))
    amplitudes = np.sqrt(np.maximum(values[::-1], 0.0))
    kept = amplitudes > max(tolerance, 1e-7) * amplitudes[0]
    kept[count:] = False
    found = flat.T @ (vectors[:, ::-1][:, kept] / amplitudes[kept])
    return np.asarray(found.reshape(-1, 3, found.shape[1]))
