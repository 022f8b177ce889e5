"""Compiled kernels: numba, cached on disk, and the first compile is announced."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

from animato.kernels.cache import KernelCache

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compiles a function over arrays on its first call and keeps the machine code on disk.

    Division by zero follows IEEE rules, as in numpy, so that a kernel never raises. While it runs other threads run
    too, however long it takes, so threads must not share arrays that it writes.
    """
    return _kept(numba.njit(error_model="numpy", nogil=True, _nrt=True)(function), function)


def addressed_kernel(function: Function) -> Function:
    """Compiles like `kernel` what is only called through its address (see `separate`), never from Python.

    Large bundles of arrays take longer to bring over from Python than many a kernel takes to compile.
    """
    compiled = numba.njit(error_model="numpy", _nrt=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return _kept(compiled, function)


def inlined_kernel(function: Function) -> Function:
    """Compiles a small function that is only called from kernels, and always in place.

    Tuples of numbers then stay in registers across the call. References to arrays are not counted in it: the kernel
    around it holds them, and each count would be a call in the innermost loop that empties all registers. So it must
    neither make nor return arrays. Kernels ask for the counting by name, because what is not asked for is taken from
    the function that happens to call first.
    """
    return _kept(numba.njit(error_model="numpy", forceinline=True, _nrt=False)(function), function)


def _kept(compiled: Any, function: Function) -> Function:
    """Gives a kernel its place on disk; with numba switched off there is nothing to keep."""
    if compiled is not function:
        compiled._cache = KernelCache(function)  # as numba's own `enable_caching` does
    return compiled


class _CompileAnnouncer(event.Listener):  # type: ignore[misc]  # numba has no types
    """Says once per process, on stderr, that a wait is a compile and will not come again."""

    def __init__(self) -> None:
        self.announced = False

    def on_start(self, event: event.Event) -> None:
        """Called by numba before a function is compiled, never when the cache serves it."""
        name = getattr(event.data["dispatcher"], "__module__", "") or ""
        if self.announced or not name.startswith("animato"):
            return
        self.announced = True
        print("animato: compiling kernels; this happens once and is cached.", file=sys.stderr, flush=True)

    def on_end(self, event: event.Event) -> None:
        """Nothing to say: the answer itself is the end."""


event.register("numba:compile", _CompileAnnouncer())
