"""Around a design: choices, editing by handles, tolerances."""

from animato.design.study.choices import Candidate, ChoiceResult, candidates, solve_choices
from animato.design.study.editing import PointTrajectory, run_design
from animato.design.study.tolerances import ToleranceReport, design_tolerances

__all__ = [
    "Candidate",
    "ChoiceResult",
    "PointTrajectory",
    "ToleranceReport",
    "candidates",
    "design_tolerances",
    "run_design",
    "solve_choices",
]
