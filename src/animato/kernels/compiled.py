"""Compiled kernels: numba, cached on disk, and the first compile is announced."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compiles a function over arrays on its first call and keeps the machine code on disk.

    Division by zero follows IEEE rules, as in numpy, so that a kernel never raises.
    """
    compiled: Function = numba.njit(cache=True, error_model="numpy")(function)
    return compiled


def released_kernel(function: Function) -> Function:
    """Compiles like `kernel`; while it runs other threads may run too, so it must not share arrays that it writes."""
    compiled: Function = numba.njit(cache=True, error_model="numpy", nogil=True)(function)
    return compiled


def inlined_kernel(function: Function) -> Function:
    """Compiles a small function that is only called from kernels, and always in place.

    Tuples of numbers then stay in registers across the call.
    """
    compiled: Function = numba.njit(cache=True, error_model="numpy", forceinline=True)(function)
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
