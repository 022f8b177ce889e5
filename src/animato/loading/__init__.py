"""From files to what verbs take: a clip of a character, and one format turned into another."""

from animato.loading.clips import load_clip, load_clip_and_losses
from animato.loading.conversion import convert_file

__all__ = [
    "convert_file",
    "load_clip",
    "load_clip_and_losses",
]
