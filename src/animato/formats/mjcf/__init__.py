"""MuJoCo's MJCF."""

from animato.formats.mjcf.reader import load_mjcf
from animato.formats.mjcf.writer import save_mjcf

__all__ = [
    "load_mjcf",
    "save_mjcf",
]
