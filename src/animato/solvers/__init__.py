"""Solvers that know no robot: they see arrays and callables."""
