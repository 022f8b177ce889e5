"""Solvers that know no robot: they see arrays and callables."""

from animato.lazy import lazily

__getattr__, __dir__ = lazily(__name__, {}, rooms=("stage_qp", "timing"))
