"""Files in and out. It reads and writes, it never solves."""

from animato.formats.character_files import SUFFIXES, load_character, save_character, shipped_characters
from animato.formats.motion_files import READ_SUFFIXES, load_motion, save_motion

__all__ = [
    "READ_SUFFIXES",
    "SUFFIXES",
    "load_character",
    "load_motion",
    "save_character",
    "save_motion",
    "shipped_characters",
]
