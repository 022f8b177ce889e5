"""Demos and demonstrators, and what compiles all of animato ahead of time."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.gallery.warm_up import warm

__all__ = ["warm"]

__getattr__, __dir__ = lazily(
    __name__,
    {"animato.gallery.warm_up": ("warm",)},
    rooms=("design", "express", "fix", "house", "keyframes", "mimic", "steady", "trace"),
)
