"""What the floor gives to a character that stands on it."""

from animato.mechanics.contact.support import floor_support

__all__ = [
    "floor_support",
]
