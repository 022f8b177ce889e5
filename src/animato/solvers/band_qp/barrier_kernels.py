"""Slacks, excesses and multipliers of rows, and how far a step may change them.

Names are those of `interior_point`. Hard rows have an infinite price, no excess (e = 0), and w infinite.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel


@kernel
def put_start(
    room: np.ndarray, price: np.ndarray, mu: float, z: np.ndarray, s: np.ndarray, e: np.ndarray, w: np.ndarray
) -> None:
    """Writes a start with s z = mu in which no row is beyond its limit: what is missing for that, steps make up for.

    An elastic row begins as a hard one does. Were it to begin beyond its limit, its multiplier would begin at its
    price, which may be thousands of times what it comes to be.
    """
    for n in range(len(room)):
        s[n] = max(room[n], np.sqrt(mu) + max(-room[n], 0.0))
        z[n] = mu / s[n]
        if np.isfinite(price[n]):
            z[n] = min(z[n], 0.5 * price[n])
            w[n] = price[n] - z[n]
            e[n] = min(mu, 1.0) / w[n]
        else:
            e[n], w[n] = 0.0, np.inf


@kernel
def put_predictor(
    s: np.ndarray, z: np.ndarray, e: np.ndarray, w: np.ndarray, off: np.ndarray, weight: np.ndarray, t: np.ndarray
) -> None:
    """Writes d, and t of a step to mu = 0."""
    for n in range(len(s)):
        weight[n] = 1.0 / (s[n] / z[n] + e[n] / w[n])
        t[n] = off[n] - s[n] + e[n]


@kernel
def put_moves(
    s: np.ndarray,
    z: np.ndarray,
    e: np.ndarray,
    w: np.ndarray,
    weight: np.ndarray,
    t: np.ndarray,
    change: np.ndarray,
    dz: np.ndarray,
    ds: np.ndarray,
    de: np.ndarray,
    extra: np.ndarray,
) -> tuple[float, float]:
    """Writes changes of rows that change by A dx; returns the largest shares of anything that a whole step uses up.

    `extra` is r_s / z and r_e / w of each row, [2, row].
    """
    primal, dual = 0.0, 0.0
    for n in range(len(s)):
        dz[n] = weight[n] * (change[n] + t[n])
        ds[n] = extra[0, n] - s[n] * dz[n] / z[n]
        de[n] = extra[1, n] + e[n] * dz[n] / w[n]
        primal = max(primal, -ds[n] / s[n])
        dual = max(dual, -dz[n] / z[n])
        if e[n] > 0.0:
            primal = max(primal, -de[n] / e[n])
            dual = max(dual, dz[n] / w[n])
    return primal, dual


@kernel
def put_corrector(
    s: np.ndarray,
    z: np.ndarray,
    e: np.ndarray,
    w: np.ndarray,
    off: np.ndarray,
    dz: np.ndarray,
    ds: np.ndarray,
    de: np.ndarray,
    mu: float,
    t: np.ndarray,
    extra: np.ndarray,
) -> None:
    """Writes t of a step to mu, with the products of a first step taken into account."""
    for n in range(len(s)):
        extra[0, n] = (mu - s[n] * z[n] - ds[n] * dz[n]) / z[n]
        extra[1, n] = (mu - e[n] * w[n] + de[n] * dz[n]) / w[n] if e[n] > 0.0 else 0.0
        t[n] = off[n] + extra[0, n] - extra[1, n]


@kernel
def products_after(
    s: np.ndarray,
    z: np.ndarray,
    e: np.ndarray,
    w: np.ndarray,
    dz: np.ndarray,
    ds: np.ndarray,
    de: np.ndarray,
    primal: float,
    dual: float,
) -> float:
    """The sum of s z and e w after a step."""
    total = 0.0
    for n in range(len(s)):
        total += (s[n] + primal * ds[n]) * (z[n] + dual * dz[n])
        if e[n] > 0.0:
            total += (e[n] + primal * de[n]) * (w[n] - dual * dz[n])
    return total


@kernel
def take_step(
    s: np.ndarray,
    z: np.ndarray,
    e: np.ndarray,
    w: np.ndarray,
    dz: np.ndarray,
    ds: np.ndarray,
    de: np.ndarray,
    primal: float,
    dual: float,
) -> None:
    """Goes there."""
    for n in range(len(s)):
        s[n] += primal * ds[n]
        z[n] += dual * dz[n]
        if e[n] > 0.0:
            e[n] += primal * de[n]
            w[n] -= dual * dz[n]
