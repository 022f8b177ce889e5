"""From files to what verbs take, and back: characters, clips, one format turned into another."""

from animato.loading.characters import as_character
from animato.loading.clips import as_clip, load_clip, load_clip_and_losses
from animato.loading.conversion import convert_file
from animato.loading.saving import save
from animato.loading.simulated import simulate

__all__ = ["as_character", "as_clip", "convert_file", "load_clip", "load_clip_and_losses", "save", "simulate"]
