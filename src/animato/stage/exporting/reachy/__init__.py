"""Moves for Reachy Mini."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.exporting.reachy.head_poses import head_poses

__all__ = ["head_poses"]

__getattr__, __dir__ = lazily(__name__, {"animato.stage.exporting.reachy.head_poses": ("head_poses",)})
