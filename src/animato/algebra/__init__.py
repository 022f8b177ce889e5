"""Factorizations: sparse, dense, banded and matrix-free, of one matrix or of many at once."""
