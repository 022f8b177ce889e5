"""Factorizations: sparse, dense and banded, of one matrix or of many at once."""
