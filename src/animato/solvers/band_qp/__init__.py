"""Convex quadratic programs over the control points of long curves: banded, with short and wide rows."""

from animato.solvers.band_qp.interior_point import BandQpOptions, BandQpSolution, solve_band_qp
from animato.solvers.band_qp.program import BandProgram, NarrowRows, WideRows

__all__ = ["BandProgram", "BandQpOptions", "BandQpSolution", "NarrowRows", "WideRows", "solve_band_qp"]
