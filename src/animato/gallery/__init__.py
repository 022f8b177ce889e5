"""Demos and demonstrators."""

from animato.lazy import lazily

__getattr__, __dir__ = lazily(__name__, {}, rooms=("design", "express", "house", "trace"))
