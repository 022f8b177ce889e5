"""Pages and text for people."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.report.player_scripts import player_sources

__all__ = ["player_sources"]

__getattr__, __dir__ = lazily(
    __name__,
    {"animato.report.player_scripts": ("player_sources",)},
    rooms=(
        "bending",
        "character",
        "check",
        "design",
        "express",
        "fix",
        "kit",
        "material_fit",
        "mimic",
        "playing",
        "simulate",
        "steady",
        "trace",
    ),
)
