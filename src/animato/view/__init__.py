"""Pictures, films and the browser."""

from animato.view.film import save_gif, save_mp4
from animato.view.picture import render_picture, render_strobe, save_png

__all__ = ["render_picture", "render_strobe", "save_gif", "save_mp4", "save_png"]
