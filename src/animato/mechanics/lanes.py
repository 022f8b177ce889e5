"""Lanes, under the name the kernels of this layer know them by; they live in `animato.spatial.lanes`."""

from __future__ import annotations

from animato.spatial.lanes import (
    LANES,
    LanesType,
    Number,
    give,
    lanes,
    put_lanes,
    spread,
    square_root,
    take,
    where_larger,
)

__all__ = [
    "LANES",
    "LanesType",
    "Number",
    "give",
    "lanes",
    "put_lanes",
    "spread",
    "square_root",
    "take",
    "where_larger",
]
