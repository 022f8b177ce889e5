"""Bottango's open drivers (Arduino, ESP32, PCA9685): short curves, sent a little ahead of their time."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.lines.bottango.bottango_line import BottangoLine
    from animato.stage.lines.bottango.commands import hashed

__all__ = ["BottangoLine", "hashed"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.stage.lines.bottango.bottango_line": ("BottangoLine",),
        "animato.stage.lines.bottango.commands": ("hashed",),
    },
)
