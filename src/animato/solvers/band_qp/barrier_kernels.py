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
    """Writes a centred start: s z = mu, and e w = mu with s - e = room in elastic rows."""
    for n in range(len(room)):
        if np.isfinite(price[n]):
            span = np.sqrt((room[n] * price[n]) ** 2 + 4.0 * mu * mu)
            z[n] = 2.0 * mu * price[n] / (room[n] * price[n] + 2.0 * mu + span)
            w[n] = price[n] - z[n]
            if not w[n] > 0.0:  # so far beyond its limit that rounding has taken what is left of the price
                w[n] = 1e-12 * price[n]
            s[n], e[n] = mu / z[n], mu / w[n]
        else:
            s[n] = max(room[n], np.sqrt(mu) + max(-room[n], 0.0))
            z[n], e[n], w[n] = mu / s[n], 0.0, np.inf


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
