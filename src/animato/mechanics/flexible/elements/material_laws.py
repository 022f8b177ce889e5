"""Stress of hyperelastic materials at one point, compiled: first Piola-Kirchhoff P(F), its derivative, the energy.

Deformation gradients F and stresses are tuples of nine numbers, row by row. With E = (F^T F - 1) / 2, J = det F and the
parameters of Lame lam, mu, the energies a volume at rest are
- NEO_HOOKEAN: mu/2 (tr F^T F - 3) - mu (J - 1) + (lam + mu)/2 (J - 1)^2, the stable form of Smith, de Goes, Kim:
  Stable Neo-Hookean Flesh Simulation (2018) without its logarithm. A polynomial: defined for flat and inverted
  elements too; its strains are those of linear elasticity near rest.
- ST_VENANT_KIRCHHOFF: lam/2 (tr E)^2 + mu E:E.
- LINEAR: the same with the small strain sym(F) - 1.
"""

from __future__ import annotations

from animato.character import Material, MaterialModel
from animato.kernels.compiled import inlined_kernel

Nine = tuple[float, float, float, float, float, float, float, float, float]

NEO_HOOKEAN, ST_VENANT_KIRCHHOFF, LINEAR = 0, 1, 2
MODEL_NUMBERS = {
    MaterialModel.NEO_HOOKEAN: NEO_HOOKEAN,
    MaterialModel.ST_VENANT_KIRCHHOFF: ST_VENANT_KIRCHHOFF,
    MaterialModel.LINEAR: LINEAR,
}


def lame_parameters(material: Material) -> tuple[float, float]:
    """The pair lam, mu [Pa] of a material."""
    E, nu = material.youngs_modulus, material.poisson_ratio
    return E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), E / (2.0 * (1.0 + nu))


@inlined_kernel
def cofactors(F: Nine) -> Nine:
    """dJ/dF, nine numbers."""
    a, b, c, d, e, f, g, h, i = F
    return (
        e * i - f * h,
        f * g - d * i,
        d * h - e * g,
        c * h - b * i,
        a * i - c * g,
        b * g - a * h,
        b * f - c * e,
        c * d - a * f,
        a * e - b * d,
    )


@inlined_kernel
def mixed_cofactors(F: Nine, D: Nine) -> Nine:
    """Derivative of the cofactors at F in direction D."""
    a, b, c, d, e, f, g, h, i = F
    p, q, r, s, t, u, v, w, x = D
    return (
        t * i + e * x - u * h - f * w,
        u * g + f * v - s * i - d * x,
        s * h + d * w - t * g - e * v,
        r * h + c * w - q * i - b * x,
        p * i + a * x - r * g - c * v,
        q * g + b * v - p * h - a * w,
        q * f + b * u - r * e - c * t,
        r * d + c * s - p * f - a * u,
        p * e + a * t - q * d - b * s,
    )


@inlined_kernel
def times_symmetric(F: Nine, S: Nine) -> Nine:
    """F S of two matrices."""
    a, b, c, d, e, f, g, h, i = F
    p, q, r, s, t, u, v, w, x = S
    return (
        a * p + b * s + c * v,
        a * q + b * t + c * w,
        a * r + b * u + c * x,
        d * p + e * s + f * v,
        d * q + e * t + f * w,
        d * r + e * u + f * x,
        g * p + h * s + i * v,
        g * q + h * t + i * w,
        g * r + h * u + i * x,
    )


@inlined_kernel
def halved(F: Nine) -> Nine:
    """F / 2."""
    a, b, c, d, e, f, g, h, i = F
    return 0.5 * a, 0.5 * b, 0.5 * c, 0.5 * d, 0.5 * e, 0.5 * f, 0.5 * g, 0.5 * h, 0.5 * i


@inlined_kernel
def isotropic(lam: float, mu: float, F: Nine, D: Nine, offset: float) -> Nine:
    """Nine numbers of lam tr(X) 1 + 2 mu X, X = sym(F^T D) - offset/2 1: second Piola stress or its change."""
    a, b, c, d, e, f, g, h, i = F
    p, q, r, s, t, u, v, w, x = D
    xx = a * p + d * s + g * v - 0.5 * offset
    yy = b * q + e * t + h * w - 0.5 * offset
    zz = c * r + f * u + i * x - 0.5 * offset
    xy = mu * (a * q + d * t + g * w + b * p + e * s + h * v)
    xz = mu * (a * r + d * u + g * x + c * p + f * s + i * v)
    yz = mu * (b * r + e * u + h * x + c * q + f * t + i * w)
    trace = lam * (xx + yy + zz)
    return trace + 2.0 * mu * xx, xy, xz, xy, trace + 2.0 * mu * yy, yz, xz, yz, trace + 2.0 * mu * zz


@inlined_kernel
def stress(model: int, lam: float, mu: float, F: Nine) -> Nine:
    """First Piola-Kirchhoff stress P = d energy / dF [Pa]."""
    if model == NEO_HOOKEAN:
        C = cofactors(F)
        J = F[0] * C[0] + F[1] * C[1] + F[2] * C[2]
        s = (lam + mu) * (J - 1.0) - mu
        return (
            mu * F[0] + s * C[0],
            mu * F[1] + s * C[1],
            mu * F[2] + s * C[2],
            mu * F[3] + s * C[3],
            mu * F[4] + s * C[4],
            mu * F[5] + s * C[5],
            mu * F[6] + s * C[6],
            mu * F[7] + s * C[7],
            mu * F[8] + s * C[8],
        )
    if model == ST_VENANT_KIRCHHOFF:
        half = halved(F)
        return times_symmetric(F, isotropic(lam, mu, F, half, 1.0))
    return isotropic(lam, mu, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), F, 2.0)


@inlined_kernel
def stress_change(model: int, lam: float, mu: float, F: Nine, D: Nine) -> Nine:
    """Derivative of P at F in direction D [Pa]."""
    if model == NEO_HOOKEAN:
        C = cofactors(F)
        M = mixed_cofactors(F, D)
        J = F[0] * C[0] + F[1] * C[1] + F[2] * C[2]
        change = C[0] * D[0] + C[1] * D[1] + C[2] * D[2] + C[3] * D[3] + C[4] * D[4] + C[5] * D[5]
        k = (lam + mu) * (change + C[6] * D[6] + C[7] * D[7] + C[8] * D[8])
        s = (lam + mu) * (J - 1.0) - mu
        return (
            mu * D[0] + k * C[0] + s * M[0],
            mu * D[1] + k * C[1] + s * M[1],
            mu * D[2] + k * C[2] + s * M[2],
            mu * D[3] + k * C[3] + s * M[3],
            mu * D[4] + k * C[4] + s * M[4],
            mu * D[5] + k * C[5] + s * M[5],
            mu * D[6] + k * C[6] + s * M[6],
            mu * D[7] + k * C[7] + s * M[7],
            mu * D[8] + k * C[8] + s * M[8],
        )
    if model == ST_VENANT_KIRCHHOFF:
        half = halved(F)
        one = times_symmetric(D, isotropic(lam, mu, F, half, 1.0))
        two = times_symmetric(F, isotropic(lam, mu, F, D, 0.0))
        return (
            one[0] + two[0],
            one[1] + two[1],
            one[2] + two[2],
            one[3] + two[3],
            one[4] + two[4],
            one[5] + two[5],
            one[6] + two[6],
            one[7] + two[7],
            one[8] + two[8],
        )
    return isotropic(lam, mu, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), D, 0.0)


@inlined_kernel
def energy_density(model: int, lam: float, mu: float, F: Nine) -> float:
    """Elastic energy a volume at rest [J/m^3]."""
    if model == NEO_HOOKEAN:
        C = cofactors(F)
        growth = F[0] * C[0] + F[1] * C[1] + F[2] * C[2] - 1.0
        squares = F[0] * F[0] + F[1] * F[1] + F[2] * F[2] + F[3] * F[3] + F[4] * F[4] + F[5] * F[5]
        squares += F[6] * F[6] + F[7] * F[7] + F[8] * F[8]
        return 0.5 * mu * (squares - 3.0) - mu * growth + 0.5 * (lam + mu) * growth * growth
    if model == ST_VENANT_KIRCHHOFF:
        half = halved(F)
        strain = isotropic(0.0, 0.5, F, half, 1.0)  # mu of 1/2 leaves the strain itself
    else:
        strain = isotropic(0.0, 0.5, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), F, 2.0)
    trace = strain[0] + strain[4] + strain[8]
    squares = strain[0] * strain[0] + strain[4] * strain[4] + strain[8] * strain[8]
    shear = strain[1] * strain[1] + strain[2] * strain[2] + strain[5] * strain[5]
    return 0.5 * lam * trace * trace + mu * (squares + 2.0 * shear)
