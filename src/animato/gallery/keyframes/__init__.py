"""Keyframes with eases: how the animations of the demonstrators are made."""

from animato.gallery.keyframes.keyframes import DECIMALS, RATE_HZ, ROUNDING_S, Ease, Key, held, keyed, keyed_clip

__all__ = [
    "DECIMALS",
    "RATE_HZ",
    "ROUNDING_S",
    "Ease",
    "Key",
    "held",
    "keyed",
    "keyed_clip",
]
