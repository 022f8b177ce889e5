"""From files to what verbs take, and back: characters, clips, one format turned into another."""

from animato.loading.characters import as_character
from animato.loading.clips import NOT_SAID, as_clip, load_clip, load_clip_and_losses
from animato.loading.conversion import convert_file
from animato.loading.fingerprints import fingerprint
from animato.loading.saving import save
from animato.loading.simulated import simulate

__all__ = [
    "NOT_SAID",
    "as_character",
    "as_clip",
    "convert_file",
    "fingerprint",
    "load_clip",
    "load_clip_and_losses",
    "save",
    "simulate",
]
