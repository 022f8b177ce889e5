"""Files in and out. It reads and writes, it never solves."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.formats.character_files import (
        SUFFIXES,
        WRITTEN_CHARACTERS,
        load_character,
        save_character,
        shipped_characters,
    )
    from animato.formats.motion_files import READ_SUFFIXES, load_motion, save_motion, shipped_clips
    from animato.formats.reading import ClipReading, MotionReading

__all__ = [
    "READ_SUFFIXES",
    "SUFFIXES",
    "WRITTEN_CHARACTERS",
    "ClipReading",
    "MotionReading",
    "load_character",
    "load_motion",
    "save_character",
    "save_motion",
    "shipped_characters",
    "shipped_clips",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.formats.character_files": (
            "SUFFIXES",
            "WRITTEN_CHARACTERS",
            "load_character",
            "save_character",
            "shipped_characters",
        ),
        "animato.formats.motion_files": ("READ_SUFFIXES", "load_motion", "save_motion", "shipped_clips"),
        "animato.formats.reading": ("ClipReading", "MotionReading"),
    },
    rooms=(
        *(
            "capture",
            "character_yaml",
            "files",
            "glb",
            "loops",
            "mjcf",
            "outgoing",
            "strokes",
            "tables",
            "training",
            "urdf",
            "usd",
        ),
    ),
)
