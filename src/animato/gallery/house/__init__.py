"""The demo of the house."""

from animato.gallery.house.demo import make_demo

__all__ = [
    "make_demo",
]
