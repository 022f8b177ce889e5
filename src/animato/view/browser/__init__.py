"""The character in a web browser: a motion that is played, or a loop while it runs."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.view.browser.guard import Guard
    from animato.view.browser.live_view import LiveView
    from animato.view.browser.player import play, start_player
    from animato.view.browser.server import check_port

__all__ = ["Guard", "LiveView", "check_port", "play", "start_player"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.view.browser.guard": ("Guard",),
        "animato.view.browser.live_view": ("LiveView",),
        "animato.view.browser.player": ("play", "start_player"),
        "animato.view.browser.server": ("check_port",),
    },
)
