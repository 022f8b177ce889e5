"""Kernels that are called from kernels alone and count no references to arrays."""

from __future__ import annotations

import numba

from animato.kernels.compiled import Function, _kept


def uncounted_kernel(function: Function) -> Function:
    """Compiles what is only called from kernels, neither makes nor returns arrays, and is too large to inline.

    As with `inlined_kernel`, the kernel around it holds the arrays. Each count would be a call and a locked write, and
    named tuples of arrays are counted field by field wherever they are used.
    """
    return _kept(numba.njit(error_model="numpy", nogil=True, _nrt=False)(function), function)
