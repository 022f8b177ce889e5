"""MuJoCo's MJCF."""

from animato.formats.mjcf.reader import load_mjcf

__all__ = [
    "load_mjcf",
]
