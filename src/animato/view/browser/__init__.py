"""The character in a web browser: a motion that is played, or a loop while it runs."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.view.browser.live_view import LiveView
    from animato.view.browser.player import play, start_player

__all__ = ["LiveView", "play", "start_player"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.view.browser.live_view": ("LiveView",),
        "animato.view.browser.player": ("play", "start_player"),
    },
)
