"""From reduced parts to the arrays of the kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from animato.mechanics.flexible.interface import pack_interfaces
from animato.mechanics.flexible.reduction.inertia_integrals import InertiaIntegrals
from animato.mechanics.flexible.reduction.packed import PackedParts
from animato.mechanics.flexible.reduction.reduced_part import CubatureForces, PolynomialForces, ReducedPart


def pack_parts(parts: Sequence[ReducedPart]) -> PackedParts:
    """Packs reduced parts, in their order; there may be none."""
    modes = [part.mode_count for part in parts]
    polynomials = [part.forces if isinstance(part.forces, PolynomialForces) else None for part in parts]
    cubatures = [part.forces if isinstance(part.forces, CubatureForces) else None for part in parts]
    some = [one for one in cubatures if one]
    return PackedParts(
        first_mode=_starts(modes),
        first_square=_starts(r * r for r in modes),
        first_interface=_starts(len(part.far_interfaces) for part in parts),
        interfaces=pack_interfaces([(one, part.basis) for part in parts for one in part.far_interfaces]),
        mass=np.array([part.integrals.mass for part in parts], dtype=float),
        moments=_joined(part.integrals.first for part in parts),
        first_second=_starts(9 * (r + 1) ** 2 for r in modes),
        second=_joined(part.integrals.second.transpose(1, 0, 2, 3) for part in parts),
        pairs=_joined(_pairs(part.integrals) for part in parts),
        linear=_joined(_linear(part) for part in parts),
        damping=_joined(part.damping for part in parts),
        first_polynomial=_starts(r * (r + 1) // 2 if one else 0 for r, one in zip(modes, polynomials, strict=True)),
        first_mixed=_starts(one.mixed.size if one else 0 for one in polynomials),
        first_quartic=_starts(one.quartic.size if one else 0 for one in polynomials),
        mixed=_joined(one.mixed for one in polynomials if one),
        quartic=_joined(one.quartic for one in polynomials if one),
        first_point=_starts(len(one.weights) if one else 0 for one in cubatures),
        first_gradient=_starts(one.gradients.size if one else 0 for one in cubatures),
        gradient=_joined(one.gradients for one in some),
        point_weight=_joined(one.weights for one in some),
        point_model=np.concatenate([np.zeros(0, dtype=np.int64), *(one.models for one in some)]).astype(np.int64),
        point_lame=_joined(one.lame for one in some).reshape(-1, 2),
    )


def _linear(part: ReducedPart) -> np.ndarray:
    """The kernel's linear term: the stiffness at rest, or nothing where cubature points give all forces.

    Correcting the points' stiffness at rest by a linear term would spoil large shapes: the linear forces of a part that
    has turned are far larger than the true ones.
    """
    return 0.0 * part.stiffness if isinstance(part.forces, CubatureForces) else part.stiffness


def _pairs(integrals: InertiaIntegrals) -> np.ndarray:
    """The ten matrices of the kernels for each pair of modes, [10, r, r]."""
    B = integrals.second[1:, 1:]
    return np.stack(
        (
            B[..., 0, 0],
            B[..., 1, 1],
            B[..., 2, 2],
            B[..., 0, 1] + B[..., 1, 0],
            B[..., 0, 2] + B[..., 2, 0],
            B[..., 1, 2] + B[..., 2, 1],
            B[..., 2, 1] - B[..., 1, 2],
            B[..., 0, 2] - B[..., 2, 0],
            B[..., 1, 0] - B[..., 0, 1],
            integrals.modal_mass,
        )
    )


def _starts(counts: Iterable[int]) -> np.ndarray:
    """Where each of some runs starts, and at last where they end."""
    return np.concatenate(([0], np.cumsum(np.array(list(counts), dtype=np.int64)))).astype(np.int64)


def _joined(arrays: Iterable[np.ndarray]) -> np.ndarray:
    """All numbers one after the other."""
    return np.concatenate([np.zeros(0), *(np.asarray(one, dtype=float).ravel() for one in arrays)])
