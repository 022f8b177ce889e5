"""The demos of mimic, and a made-up person whose captures come with animato."""

from animato.gallery.mimic.captures import CAPTURES, save_captures

__all__ = [
    "CAPTURES",
    "save_captures",
]
