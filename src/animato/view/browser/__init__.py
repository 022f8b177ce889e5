"""The character in a web browser."""

from animato.view.browser import player

__all__ = [
    "player",
]
