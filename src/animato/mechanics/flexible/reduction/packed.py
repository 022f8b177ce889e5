"""Reduced parts as plain arrays, which the kernels take, and the memory that they work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.mechanics.flexible.interface import PackedInterfaces


class PackedParts(NamedTuple):
    """Arrays over parts (p) with r modes each, one part after the other; there may be none.

    Attributes:
        first_mode: First mode of each part among all modes, and at last their count, [p + 1].
        first_square: The same for r x r numbers a part, [p + 1].
        first_interface: First far interface of each part among `interfaces`, and at last their count, [p + 1].
        interfaces: All far interfaces.
        mass: [kg], [p].
        moments: s_j of j = 0..r [kg m]: 3 (r + 1) numbers a part, from 3 (first_mode + p) on.
        first_second: Start of each part in `second`, and at last its length, [p + 1].
        second: B_jk of j, k = 0..r, k first: what grows with mode k is contiguous; 9 (r + 1)^2 numbers a part.
        pairs: Ten matrices r x r a part, from 10 first_square on: xx, yy, zz, xy + yx, xz + zx, yz + zy of B_jk, then
            x, y, z of int rho phi_k x phi_j, then the modal mass.
        linear: K of the polynomial energy, or zero, from first_square on.
        damping: alpha M + beta K at rest, from first_square on.
        first_polynomial: First pair (m <= n) of modes of each part whose forces are polynomial, [p + 1].
        first_mixed, first_quartic: Starts of each part in the next two arrays, and at last their lengths, [p + 1].
        mixed, quartic: Coefficients of the polynomial energy, as in `PolynomialForces`.
        first_point: First cubature point of each part, and at last their count, [p + 1].
        first_gradient: Start of each part in `gradient`, and at last its length, [p + 1].
        gradient: Change of the deformation gradient per unit of each mode: 9 r numbers a point, modes last.
        point_weight: Volume that a point stands for [m^3].
        point_model: Number of its material model.
        point_lame: lambda and mu [Pa], [point, 2].
    """

    first_mode: np.ndarray
    first_square: np.ndarray
    first_interface: np.ndarray
    interfaces: PackedInterfaces
    mass: np.ndarray
    moments: np.ndarray
    first_second: np.ndarray
    second: np.ndarray
    pairs: np.ndarray
    linear: np.ndarray
    damping: np.ndarray
    first_polynomial: np.ndarray
    first_mixed: np.ndarray
    first_quartic: np.ndarray
    mixed: np.ndarray
    quartic: np.ndarray
    first_point: np.ndarray
    first_gradient: np.ndarray
    gradient: np.ndarray
    point_weight: np.ndarray
    point_model: np.ndarray
    point_lame: np.ndarray


class PartsWork(NamedTuple):
    """What the kernels of reduced parts write, over parts (p), modes of all parts (j) and far interfaces (i).

    Attributes:
        forces: Along each mode: of inertia, then with those of elasticity and damping, [j].
        by_a, by_v, by_acc: Derivatives of the force F on the part's step by a mode's a, a', a'', in the world about its
            origin, [j, 6].
        turn: Change of a mode's force with the angular half of psi, in the world, [j, 3].
        forces_by_a, forces_by_v, forces_by_acc: Derivatives of `forces` by a part's own modes, from first_square on.
        phi, phi_v, phi_a: The six hinges of each far interface, [i, 6].
        jac, jac_v, jac_a: Their J = dphi/da, dJ/dt and d2J/dt2, 6 r numbers from 6 interfaces.first on, hinges first.
        memory: For sums of one part.
    """

    forces: np.ndarray
    by_a: np.ndarray
    by_v: np.ndarray
    by_acc: np.ndarray
    turn: np.ndarray
    forces_by_a: np.ndarray
    forces_by_v: np.ndarray
    forces_by_acc: np.ndarray
    phi: np.ndarray
    phi_v: np.ndarray
    phi_a: np.ndarray
    jac: np.ndarray
    jac_v: np.ndarray
    jac_a: np.ndarray
    memory: np.ndarray


def build_parts_work(parts: PackedParts) -> PartsWork:
    """Memory for some parts; build it once a thread."""
    modes, squares, far = int(parts.first_mode[-1]), int(parts.first_square[-1]), len(parts.interfaces.first) - 1
    entries = 6 * int(parts.interfaces.first[-1])
    most = int(np.diff(parts.first_mode).max(initial=0))
    pairs = int(np.diff(parts.first_polynomial).max(initial=0))
    return PartsWork(
        forces=np.zeros(modes),
        by_a=np.zeros((modes, 6)),
        by_v=np.zeros((modes, 6)),
        by_acc=np.zeros((modes, 6)),
        turn=np.zeros((modes, 3)),
        forces_by_a=np.zeros(squares),
        forces_by_v=np.zeros(squares),
        forces_by_acc=np.zeros(squares),
        phi=np.zeros((far, 6)),
        phi_v=np.zeros((far, 6)),
        phi_a=np.zeros((far, 6)),
        jac=np.zeros(entries),
        jac_v=np.zeros(entries),
        jac_a=np.zeros(entries),
        memory=np.zeros(max(27 * (most + 1), 18 * most + 90, (3 + most) * pairs)),
    )
