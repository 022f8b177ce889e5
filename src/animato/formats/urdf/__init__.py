"""URDF."""

from animato.formats.urdf.reader import BASES, BaseChoice, load_urdf
from animato.formats.urdf.writer import save_urdf

__all__ = [
    "BASES",
    "BaseChoice",
    "load_urdf",
    "save_urdf",
]
