"""The character in a web browser."""

from animato.view.browser.player import play, start_player

__all__ = ["play", "start_player"]
