"""Linear algebra that compiled code and solvers stand on: banded, dense and matrix-free symmetric matrices."""
