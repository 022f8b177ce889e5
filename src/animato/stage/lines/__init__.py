"""One language a file: how servos on a bus are told where to be, and asked where they are."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.lines.contract import Feedback, Found, Line, LineError, Register, Slot
    from animato.stage.lines.dry import DryLine
    from animato.stage.lines.opening import open_line

__all__ = ["DryLine", "Feedback", "Found", "Line", "LineError", "Register", "Slot", "open_line"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.stage.lines.contract": ("Feedback", "Found", "Line", "LineError", "Register", "Slot"),
        "animato.stage.lines.dry": ("DryLine",),
        "animato.stage.lines.opening": ("open_line",),
    },
)
