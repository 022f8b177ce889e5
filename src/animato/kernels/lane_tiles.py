"""Rows of lanes brought back to a table eight by eight, in registers."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic

from animato.kernels.compiled import kernel
from animato.kernels.lanes import LANES

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
# of two registers: neighbours that alternate, even and odd ones, and every second pair of each
_EVEN, _ODD = (0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15)
_FIRST, _SECOND = (0, 1, 4, 5, 8, 9, 12, 13), (2, 3, 6, 7, 10, 11, 14, 15)


def _mixed(builder: Any, a: Any, b: Any, order: tuple[int, ...]) -> Any:
    """Numbers of two registers in another order."""
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(ir.IntType(32), LANES), list(order)))


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Eight registers of eight numbers, transposed: single numbers change places first, then pairs, then fours."""
    columns = [None] * LANES
    for parity, order in enumerate((_EVEN, _ODD)):
        pairs = [_mixed(builder, rows[k], rows[k + 1], order) for k in (0, 2, 4, 6)]
        for half, step in enumerate((_FIRST, _SECOND)):
            left, right = (_mixed(builder, pairs[k], pairs[k + 1], step) for k in (0, 2))
            columns[parity + 2 * half] = _mixed(builder, left, right, _FIRST)
            columns[parity + 2 * half + 4] = _mixed(builder, left, right, _SECOND)
    return columns


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _put_tile(typingctx: Any, rows: Any, row: Any, table: Any, start: Any, stride: Any) -> Any:
    """Writes eight rows of lanes as eight neighbours of a table, for each of eight moments that are a stride apart."""

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        source = context.make_array(sig.args[0])(context, builder, args[0]).data
        target = context.make_array(sig.args[2])(context, builder, args[2]).data
        source = builder.gep(source, [builder.mul(args[1], ir.Constant(args[1].type, LANES))])
        loaded = []
        for k in range(LANES):
            pointer = builder.gep(source, [ir.Constant(ir.IntType(64), LANES * k)])
            loaded.append(builder.load(builder.bitcast(pointer, _VECTOR.as_pointer()), align=8, typ=_VECTOR))
        at = args[3]
        for column in _transposed(builder, loaded):
            pointer = builder.bitcast(builder.gep(target, [at]), _VECTOR.as_pointer())
            builder.store(column, pointer, align=8)
            at = builder.add(at, args[4])
        return context.get_dummy_value()

    lane_rows, tables = types.Array(types.float64, 2, "C"), types.Array(types.float64, 3, "C")
    return types.void(lane_rows, types.intp, tables, types.intp, types.intp), lowered


@kernel
def give_matrix(rows: np.ndarray, size: int, first: int, table: np.ndarray) -> None:
    """Writes a matrix of eight moments to a table [time, i, j] from moment `first` to its end at most.

    Args:
        rows: Entry (i, j) is row size i + j of lanes.
        size: Columns of the matrix in rows, at least those of the table.
        first: The first moment.
        table: Written.
    """
    moments, height, width = min(LANES, len(table) - first), table.shape[1], table.shape[2]
    for i in range(height):
        if moments == LANES and width >= LANES:
            for left in range(0, width, LANES):
                j = min(left, width - LANES)  # the last tile may lie over the one before
                _put_tile(rows, size * i + j, table, (first * height + i) * width + j, height * width)
        else:
            for lane in range(moments):
                for j in range(width):
                    table[first + lane, i, j] = rows[size * i + j, lane]
