"""Joints by time, coloured by the share of their limits."""

from animato.report.kit.strip.heat_strip import (
    ALL_KINDS,
    COLUMN_COUNT,
    HeatStrip,
    build_heat_strip,
    colour_indices,
    draw_heat_strip,
    strip_palette,
)

__all__ = [
    "ALL_KINDS",
    "COLUMN_COUNT",
    "HeatStrip",
    "build_heat_strip",
    "colour_indices",
    "draw_heat_strip",
    "strip_palette",
]
