"""Lanes: one number for each of eight moments, in vector registers, for kernels.

The same arithmetic is due at every moment of a clip. Inside a kernel a value of type `Lanes` stands
for a number at eight moments and takes + - * / like a float; floats that meet it count for all
moments. So a kernel reads like the mathematics of one moment and does eight.

Lanes are kept as rows of arrays [row, LANES]. `take` fills such rows from a table [time, column], and
`give` brings them back. The same kernels also work on arrays [row] of a single moment, where a row holds one float.
And `lanes_from` takes any eight neighbours: numbers of one moment that are worked on together.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, models, register_model

from animato.kernels.compiled import kernel

LANES = 8
"""Moments that are worked on at once: one register of the widest machines, two or four of others."""

Number = float
"""In annotations: a float, or Lanes."""

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_FUSED = ("contract",)  # lets a product and a sum become one instruction, which also rounds once less


class LanesType(types.Type):
    """The type of Lanes, as numba sees it."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")

    def can_convert_from(self, typingctx: Any, other: types.Type) -> Conversion | None:
        """A float, which is then the same at all moments."""
        return Conversion.safe if other == types.float64 else None

    def unify(self, typingctx: Any, other: types.Type) -> types.Type | None:
        """What is Lanes on one branch and a float on the other is Lanes."""
        return self if other == types.float64 else None


_LANES = LanesType()
_ROWS = types.Array(types.float64, 2, "C")
_ONE_MOMENT = types.Array(types.float64, 1, "C")


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]  # numba has no types
    def __init__(self, manager: Any, kind: types.Type) -> None:
        super().__init__(manager, kind, _VECTOR)


@lower_cast(types.float64, LanesType)  # type: ignore[untyped-decorator]  # numba has no types
def _spread(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """Puts a float into all lanes."""
    start = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(start, start, ir.Constant(ir.VectorType(ir.IntType(32), LANES), None))


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def spread(typingctx: Any, value: Any) -> Any:
    """Lanes of a float: the same at all moments."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return args[0]  # numba has cast it to what the signature asks for

    return _LANES(_LANES), lowered


def _define(operation: Callable[..., Any], instruction: str) -> None:
    """Makes an operator work on Lanes."""

    class Template(ConcreteTemplate):  # type: ignore[misc]  # numba has no types
        cases = [signature(_LANES, _LANES, _LANES)]  # noqa: RUF012  # a list is what numba asks for

    infer_global(operation)(Template)

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args, flags=_FUSED)

    lower_builtin(operation, LanesType, LanesType)(lowered)


_define(operator.add, "fadd")
_define(operator.sub, "fsub")
_define(operator.mul, "fmul")
_define(operator.truediv, "fdiv")


def _row_pointer(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Address of a row, which is contiguous: LANES numbers, or one where rows hold a single moment."""
    data = context.make_array(sig.args[0])(context, builder, args[0]).data
    if sig.args[0] == _ONE_MOMENT:
        return builder.gep(data, [args[1]])
    pointer = builder.gep(data, [builder.mul(args[1], ir.Constant(args[1].type, LANES))])
    return builder.bitcast(pointer, _VECTOR.as_pointer())


def _row_types(rows: types.Type) -> tuple[types.Type, types.Type, Any]:
    """The types of an array of rows and of what a row holds, and the latter for LLVM."""
    if isinstance(rows, types.Array) and rows.ndim == 1:
        return _ONE_MOMENT, types.float64, ir.DoubleType()
    return _ROWS, _LANES, _VECTOR


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def lanes(typingctx: Any, rows: Any, row: Any) -> Any:
    """Lanes of a row of an array [row, LANES]; the float in a row of an array [row] of a single moment."""
    kept, held, native = _row_types(rows)

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_row_pointer(context, builder, sig, args), align=8, typ=native)

    return held(kept, types.intp), lowered


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def put_lanes(typingctx: Any, rows: Any, row: Any, value: Any) -> Any:
    """Writes a row of an array [row, LANES], or of an array [row] of a single moment."""
    kept, held, _ = _row_types(rows)

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _row_pointer(context, builder, sig, args), align=8)
        return context.get_dummy_value()

    return types.void(kept, types.intp, held), lowered


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def lanes_from(typingctx: Any, numbers: Any, first: Any) -> Any:
    """Eight neighbours of an array [number], from any place on; there must be eight."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = builder.bitcast(_row_pointer(context, builder, sig, args), _VECTOR.as_pointer())
        return builder.load(pointer, align=8, typ=_VECTOR)

    return _LANES(_ONE_MOMENT, types.intp), lowered


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def put_lanes_from(typingctx: Any, numbers: Any, first: Any, value: Any) -> Any:
    """Writes eight neighbours of an array [number], from any place on; there must be eight."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = builder.bitcast(_row_pointer(context, builder, sig, args), _VECTOR.as_pointer())
        builder.store(args[2], pointer, align=8)
        return context.get_dummy_value()

    return types.void(_ONE_MOMENT, types.intp, _LANES), lowered


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def where_larger(typingctx: Any, a: Any, b: Any, yes: Any, no: Any) -> Any:
    """At each moment: yes where a >= b, else no."""
    kind = _LANES if _LANES in (a, b, yes, no) else types.float64

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">=", args[0], args[1]), args[2], args[3])

    return kind(kind, kind, kind, kind), lowered


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def square_root(typingctx: Any, a: Any) -> Any:
    """The square root at each moment."""
    kind, native, name = (_LANES, _VECTOR, f"v{LANES}f64") if a == _LANES else (types.float64, ir.DoubleType(), "f64")

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        function = ir.FunctionType(native, [native])
        return builder.call(cgutils.get_or_insert_function(builder.module, function, f"llvm.sqrt.{name}"), args)

    return kind(kind), lowered


@kernel
def take(table: np.ndarray, first: int, rows: np.ndarray) -> None:
    """Rows [column, LANES] of a table [time, column] from moment `first` on; past the end the last one stands in."""
    for lane in range(LANES):
        t = min(first + lane, len(table) - 1)
        for column in range(table.shape[1]):
            rows[column, lane] = table[t, column]


@kernel
def give(rows: np.ndarray, first: int, table: np.ndarray) -> None:
    """Writes rows [column, LANES] to a table [time, column] from moment `first` to its end at most."""
    for lane in range(min(LANES, len(table) - first)):
        for column in range(table.shape[1]):
            table[first + lane, column] = rows[column, lane]
