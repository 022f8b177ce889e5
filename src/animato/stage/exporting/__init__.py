"""Clips as files of other programs. Each file says what it holds, and what it cannot hold is said."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.exporting.catalogue import FORMATS, Format, export, export_many
    from animato.stage.exporting.options import ExportOptions
    from animato.stage.exporting.provenance import provenance_of, save_about
    from animato.stage.exporting.take import Exported, Take, take_of

__all__ = [
    "FORMATS",
    "ExportOptions",
    "Exported",
    "Format",
    "Take",
    "export",
    "export_many",
    "provenance_of",
    "save_about",
    "take_of",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.stage.exporting.catalogue": ("FORMATS", "Format", "export", "export_many"),
        "animato.stage.exporting.options": ("ExportOptions",),
        "animato.stage.exporting.provenance": ("provenance_of", "save_about"),
        "animato.stage.exporting.take": ("Exported", "Take", "take_of"),
    },
)
