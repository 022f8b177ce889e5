"""Cholesky routines of LAPACK on row-major arrays, without copies and without holding other threads up.

A row-major lower triangle is a column-major upper one, so "U" is what LAPACK is told throughout. scipy's own wrappers
hold the interpreter's lock while they run; calls through a C pointer let it go.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

import numpy as np

_UPPER = b"U"
_Int, _Double = ctypes.POINTER(ctypes.c_int), ctypes.c_void_p
_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "dpotrf": (_Int, _Double, _Int, _Int),
    "dpotrs": (_Int, _Int, _Double, _Int, _Double, _Int, _Int),
    "dpbtrf": (_Int, _Int, _Double, _Int, _Int),
    "dpbtrs": (_Int, _Int, _Int, _Double, _Int, _Double, _Int, _Int),
}


@lru_cache
def _routine(name: str) -> Any:
    """The C function of a routine, as scipy links it."""
    from scipy.linalg import cython_lapack

    capsule = cython_lapack.__pyx_capi__[name]
    signature = ctypes.pythonapi.PyCapsule_GetName
    signature.restype, signature.argtypes = ctypes.c_char_p, [ctypes.py_object]
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    kind = ctypes.CFUNCTYPE(None, ctypes.c_char_p, *_ARGUMENTS[name])
    return kind(address(capsule, signature(capsule)))


def _int(value: int) -> ctypes.c_int:
    return ctypes.c_int(value)


def _check(array: np.ndarray) -> None:
    """LAPACK walks memory: what is not a plain row-major array of doubles would be nonsense."""
    if array.dtype != np.float64 or not array.flags.c_contiguous or not array.flags.writeable:
        raise TypeError("LAPACK needs a writeable row-major array of float64.")


def factor_dense(matrix: np.ndarray) -> bool:
    """Replaces the lower triangle of a matrix [N, N] by its Cholesky factor; False where not positive definite."""
    _check(matrix)
    size, info = _int(len(matrix)), _int(0)
    _routine("dpotrf")(_UPPER, size, matrix.ctypes.data, _int(max(1, len(matrix))), info)
    return info.value == 0


def solve_dense(factor: np.ndarray, x: np.ndarray) -> None:
    """Replaces right-hand sides, one a row of x [k, N], by solutions for a matrix that `factor_dense` has factored."""
    _check(x)
    size, info = _int(len(factor)), _int(0)
    leading = _int(max(1, len(factor)))
    count = _int(len(x))
    _routine("dpotrs")(_UPPER, size, count, factor.ctypes.data, leading, x.ctypes.data, leading, info)


def factor_wide_band(band: np.ndarray) -> bool:
    """Replaces a band [N, w], as in `banded`, by its Cholesky factor; False where not positive definite."""
    _check(band)
    (size, width), info = band.shape, _int(0)
    _routine("dpbtrf")(_UPPER, _int(size), _int(width - 1), band.ctypes.data, _int(width), info)
    return info.value == 0


def solve_wide_band(factor: np.ndarray, x: np.ndarray) -> None:
    """Replaces right-hand sides, one a row of x [k, N], by solutions for a band that has been factored."""
    _check(x)
    (size, width), info = factor.shape, _int(0)
    _routine("dpbtrs")(
        _UPPER,
        _int(size),
        _int(width - 1),
        _int(len(x)),
        factor.ctypes.data,
        _int(width),
        x.ctypes.data,
        _int(max(1, size)),
        info,
    )
