"""The demo of express."""

from animato.gallery.express.demo import make_express_demo

__all__ = [
    "make_express_demo",
]
