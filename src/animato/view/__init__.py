"""Pictures, films and the browser."""

from animato.view.picture import render_picture, render_strobe, save_png

__all__ = ["render_picture", "render_strobe", "save_png"]
