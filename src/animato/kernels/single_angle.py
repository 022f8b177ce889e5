"""Cosine and sine of one angle together, in place: calls for them can be most of the time of a small kernel.

The angle is brought within an eighth of a turn of zero, where two short polynomials (those of fdlibm, Sun Microsystems
1993) are right to the last digit or two. There are no tables, so nothing has to be in the cache. `cosine_sine` does it
for lanes; it cannot choose between the two polynomials and takes longer ones.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel

_PER_QUARTER = 2.0 / np.pi
_QUARTER = 1.57079632673412561417  # its first 33 bits: small multiples of it are exact
_REST = 6.07710050650619224932e-11  # and the rest


@inlined_kernel
def cosine_and_sine(x: float) -> tuple[float, float]:
    """Cosine and sine of an angle of at most some hundred thousand turns [rad]."""
    quarters = np.floor(x * _PER_QUARTER + 0.5)
    r = (x - quarters * _QUARTER) - quarters * _REST
    z = r * r
    odd = 8.33333333332248946124e-03 + z * (
        -1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
    )
    s = r + z * r * (-1.66666666666666324348e-01 + z * odd)
    even = 4.16666666666666019037e-02 + z * (
        -1.38888888888741095749e-03
        + z
        * (
            2.48015872894767294178e-05
            + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))
        )
    )
    half = 0.5 * z
    w = 1.0 - half
    c = w + ((1.0 - w - half) + z * z * even)
    n = int(quarters)
    swapped = n & 1 == 1
    sine, cosine = c if swapped else s, s if swapped else c
    return -cosine if (n + 1) & 2 == 2 else cosine, -sine if n & 2 == 2 else sine
