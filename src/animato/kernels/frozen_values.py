"""What a compiler would freeze into a kernel right now: its bytecode and constants, those of all that it calls, types.

The texts of the sources say what should be there; this says what is. The two differ where a constant came out of a
data file, or where somebody put another value into a module by hand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import numpy as np
from numba.core import types
from numba.core.dispatcher import Dispatcher
from numba.core.types.containers import BaseTuple


def frozen_digest(function: Callable[..., Any]) -> str:
    """A digest of a kernel and all kernels that it reaches, with the values of the globals that they name."""
    total = hashlib.sha256()
    seen: set[int] = set()
    ahead: list[Callable[..., Any]] = [function]
    while ahead:
        one = ahead.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        total.update(f"{one.__module__}.{one.__qualname__}{one.__defaults__!r}".encode())
        for code in _codes(one.__code__):
            total.update(code.co_code)
            for name in code.co_names:
                value = one.__globals__.get(name)
                if isinstance(value, Dispatcher):
                    ahead.append(value.py_func)
                else:
                    total.update(name.encode())
                    total.update(_value(value))
            for constant in code.co_consts:
                total.update(_value(constant))
    return total.hexdigest()


def type_text(kind: types.Type) -> str:
    """A type as numba names it and, for named tuples, whose they are and what their fields are called.

    The code reads fields by their places; numba's name of the type says nothing of who is where.
    """
    if not isinstance(kind, BaseTuple):
        return repr(kind)
    owner = getattr(kind, "instance_class", None)
    said = "" if owner is None else f"{owner.__module__}.{owner.__qualname__}{getattr(owner, '_fields', ())}"
    return f"{said}({', '.join(type_text(one) for one in kind)})"


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code and that of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _value(value: object) -> bytes:
    """Numbers, texts, arrays and tuples of them as bytes; of anything else its source speaks."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}".encode() + hashlib.sha256(value.tobytes()).digest()
    if isinstance(value, tuple):
        return b"(" + b",".join(map(_value, value)) + b")"
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic):
        return repr(value).encode()
    return type(value).__qualname__.encode()
