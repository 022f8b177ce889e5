"""Cosine and sine of angles in lanes, together, without a call for each lane."""

from __future__ import annotations

from math import factorial, pi, sin

from animato.kernels.compiled import inlined_kernel
from animato.kernels.lanes import Number

_SHORT_PI = round(pi * 2.0**29) / 2.0**29  # few digits: its multiples up to 2^22 half turns are exact
_REST_PI = (pi - _SHORT_PI) + sin(pi)  # sin(pi) is what the float pi lacks
_ROUNDING = 1.5 * 2.0**52  # floats of this size are whole numbers
_COSINE = tuple((-1.0) ** k / factorial(2 * k) for k in range(13))
_SINE = tuple((-1.0) ** k / factorial(2 * k + 1) for k in range(12))


@inlined_kernel
def cosine_sine(angle: Number) -> tuple[Number, Number]:
    """The cosine and the sine of an angle [rad], within 4e-16 for angles up to ten million.

    angle = n pi + r with |r| <= pi / 2, so cos = (-1)^n cos r and sin = (-1)^n sin r, which their
    power series give.
    """
    n = (angle * (1.0 / pi) + _ROUNDING) - _ROUNDING
    r = (angle - n * _SHORT_PI) - n * _REST_PI
    odd = n - 2.0 * ((0.5 * n + _ROUNDING) - _ROUNDING)  # -1 or 1 where n is odd, else 0
    sign = 1.0 - 2.0 * odd * odd
    square = r * r
    c, s = square * _COSINE[12] + _COSINE[11], square * _SINE[11] + _SINE[10]
    for k in range(10, -1, -1):
        c = square * c + _COSINE[k]
    for k in range(9, -1, -1):
        s = square * s + _SINE[k]
    return sign * c, sign * r * s
