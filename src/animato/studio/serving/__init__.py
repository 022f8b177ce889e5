"""The studio as a page in the browser: who may open it, what it is sent, what it may send."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.studio.serving.app import make_app
    from animato.studio.serving.running import check_installed, serve
    from animato.studio.serving.server import Server

__all__ = ["Server", "check_installed", "make_app", "serve"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.studio.serving.app": ("make_app",),
        "animato.studio.serving.running": ("check_installed", "serve"),
        "animato.studio.serving.server": ("Server",),
    },
)
