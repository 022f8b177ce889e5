"""USD with physics."""

from animato.formats.usd.reader import load_usd

__all__ = [
    "load_usd",
]
