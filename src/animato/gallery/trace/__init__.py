"""The demo of trace."""

from animato.gallery.trace.demo import make_trace_demo

__all__ = [
    "make_trace_demo",
]
