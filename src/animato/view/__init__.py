"""Pictures, films and the browser."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.view.film import save_gif, save_mp4
    from animato.view.overlay import Ghost, render_overlays
    from animato.view.picture import render_key_pictures, render_picture, render_strobe, save_png

__all__ = [
    "Ghost",
    "render_key_pictures",
    "render_overlays",
    "render_picture",
    "render_strobe",
    "save_gif",
    "save_mp4",
    "save_png",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.view.film": ("save_gif", "save_mp4"),
        "animato.view.overlay": ("Ghost", "render_overlays"),
        "animato.view.picture": ("render_key_pictures", "render_picture", "render_strobe", "save_png"),
    },
    rooms=("browser", "raster", "scene"),
)
