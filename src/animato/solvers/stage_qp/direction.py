"""Search directions of a stage program, by one of three methods with one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from animato.errors import unknown_name
from animato.solvers.stage_qp.analysis import StageAnalysis, analyse_stages
from animato.solvers.stage_qp.program import Direction, StageQP

if TYPE_CHECKING:
    from animato.solvers.stage_qp.kkt import WholeSystem

Method = Literal["arrow", "riccati", "ldlt"]
Analysis: TypeAlias = "StageAnalysis | WholeSystem"
METHODS = ("arrow", "riccati", "ldlt")


def analyse_program(qp: StageQP, method: Method = "arrow") -> Analysis:
    """What a method can find out once for all programs of one pattern, for `search_direction`."""
    if method == "arrow":
        return analyse_stages(qp)
    if method == "riccati":
        from animato.solvers.stage_qp.riccati import analyse_riccati

        return analyse_riccati(qp)
    if method == "ldlt":
        from animato.solvers.stage_qp.kkt import WholeSystem

        return WholeSystem(qp)
    raise unknown_name("method", str(method), METHODS, "search directions")


def search_direction(
    qp: StageQP,
    *,
    method: Method = "arrow",
    analysis: Analysis | None = None,
    convexify: bool = False,
    shift: float = 0.0,
) -> Direction:
    """Solves a stage program for its variables and all multipliers.

    Args:
        qp: The program; with `tracked` residuals for Gauss-Newton.
        method: "arrow" eliminates to a band in the controls bordered by the design; "riccati" is the
            dynamic program of Maloisel et al. (2023), with the design as constant states; "ldlt" factors
            the whole system at once.
        analysis: From `analyse_program` by the same method, on a program of the same pattern; made anew where not
            given. `Direction.analysis` has the one that was used, for the next call: a method may have replaced it.
        convexify: Make the program convex where it is not ("arrow" only): a shift is added to the
            diagonals of Hpp and Huu at every stage, ten times larger at each try, until the reduced matrix is
            positive definite.
        shift: Added to these diagonals in any case, and the first one to be tried.

    Raises:
        SingularMatrixError: Cs has no inverse at some stage, or the whole system has none ("ldlt").
    """
    if method == "arrow":
        from animato.solvers.stage_qp.arrow import arrow_direction

        return arrow_direction(qp, cast("StageAnalysis | None", analysis), convexify=convexify, shift=shift)
    if method == "riccati":
        from animato.solvers.stage_qp.riccati import riccati_direction

        return riccati_direction(qp, cast("StageAnalysis | None", analysis), shift=shift)
    if method == "ldlt":
        from animato.solvers.stage_qp.kkt import ldlt_direction

        return ldlt_direction(qp, cast("WholeSystem | None", analysis), shift=shift)
    raise unknown_name("method", str(method), METHODS, "search directions")
