"""Files in and out. It reads and writes, it never solves."""

from animato.formats.character_files import load_character, save_character, shipped_characters
from animato.formats.convert import convert_file
from animato.formats.motion_files import load_clip, load_clip_and_losses, load_motion, save_motion

__all__ = [
    "convert_file",
    "load_character",
    "load_clip",
    "load_clip_and_losses",
    "load_motion",
    "save_character",
    "save_motion",
    "shipped_characters",
]
