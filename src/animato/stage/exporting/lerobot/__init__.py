"""LeRobot datasets, version 3."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.exporting.lerobot.statistics import statistics_of

__all__ = ["statistics_of"]

__getattr__, __dir__ = lazily(__name__, {"animato.stage.exporting.lerobot.statistics": ("statistics_of",)})
