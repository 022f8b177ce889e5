"""Pictures, films and the browser."""

from animato.lazy import lazily
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

__getattr__, __dir__ = lazily(__name__, {}, rooms=("browser", "raster", "scene"))
