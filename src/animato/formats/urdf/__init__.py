"""URDF."""

from animato.formats.urdf.reader import BASES, BaseChoice, load_urdf

__all__ = [
    "BASES",
    "BaseChoice",
    "load_urdf",
]
