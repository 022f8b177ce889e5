"""Kernels that are called through their address, so that callers do not compile them in again.

Numba puts all that a kernel calls into the machine code of the kernel and optimizes it once more there. A large kernel
that many others call is then compiled many times. Called through an address, which is data, it is compiled once; the
price is some tens of nanoseconds a call. The types of the arguments must be those for which the address was taken:
arrays float64 (or as they were), C-contiguous and writable.
"""

from __future__ import annotations

from typing import Any

import numba
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic


def address_of(kernel: Any, *arguments: object) -> int:
    """Address of a kernel that returns nothing, compiled (or taken from disk) for arguments like these."""
    kinds = tuple(numba.typeof(one) for one in arguments)
    if kinds not in kernel.overloads:
        kernel.compile(kinds)
    compiled = kernel.overloads[kinds]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def _check(kind: types.Type) -> None:
    """Arrays as callers make them may be views that the kernel at the address does not know."""
    if isinstance(kind, types.containers.BaseTuple):
        for one in kind.types:
            _check(one)
    elif isinstance(kind, types.Array) and (kind.layout != "C" or not kind.mutable or not kind.aligned):
        raise TypingError(f"A kernel that is called through its address takes contiguous, writable arrays, not {kind}.")


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def call_at(typingctx: Any, address: Any, arguments: Any) -> Any:
    """Calls the kernel at an address with the arguments in a tuple; what it raises is not seen."""
    _check(arguments)
    kinds = tuple(arguments.types)

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        function = context.call_conv.get_function_type(types.none, kinds)
        pointer = builder.inttoptr(args[0], function.as_pointer())
        context.call_conv.call_function(builder, pointer, types.none, kinds, cgutils.unpack_tuple(builder, args[1]))
        return context.get_dummy_value()

    return types.void(types.int64, arguments), lowered
