"""The character in a web browser."""

from animato.view.browser.player import play

__all__ = ["play"]
