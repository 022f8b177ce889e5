"""What stands around a design: choices that were tried, and what inaccurate parts do."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from animato.design.study import ChoiceResult, ToleranceReport
from animato.findings import rounded
from animato.report.design.tables import Row, plain_table
from animato.report.design.verdicts import answer_word
from animato.report.kit import Markup, section

_CHOICES = (
    "All ways to build it that were tried, the best first: what is left of the targets' cost, then how heavy "
    "the servos are. The rest of this page is about the first."
)
_SPREAD = (
    "The design built many times with every joint a little off its place and turn, with the same controls: what "
    "95 % of all moments do not exceed."
)


def study_sections(choices: Sequence[ChoiceResult], spread: ToleranceReport | None) -> list[Markup]:
    """Sections of the page for what was asked for; none where nothing was."""
    found = [section("Choices", _CHOICES, choice_table(choices))] if choices else []
    return [*found, section("Inaccurate parts", _SPREAD, spread_table(spread))] if spread is not None else found


def choice_table(choices: Sequence[ChoiceResult]) -> Markup:
    """Every candidate with what it costs and what became of it."""
    rows: list[Row] = []
    for place, one in enumerate(choices, 1):
        cost = f"{one.cost:.4g}" if math.isfinite(one.cost) else "-"
        solution = one.solution
        errors = None if solution is None else solution.optimized.errors
        rows.append(
            (
                f"{place}. {one.candidate.label}",
                cost,
                "-" if errors is None else f"{rounded(errors.position_max_cm, 2)} cm",
                "-" if errors is None else f"{rounded(errors.orientation_max_deg, 2)} deg",
                one.candidate.actuator_count,
                f"{one.candidate.servo_mass:.3g} kg",
                one.reason if solution is None else answer_word(solution)[1],
            )
        )
    heads = ("Candidate", "Targets' cost", "Farthest point", "Farthest turn", "Motors", "Servos", "Verdict")
    return plain_table(heads, rows)


def spread_table(spread: ToleranceReport) -> Markup:
    """Distance and angle of every target that inaccurate parts do not exceed."""
    places, turns = (
        (spread.position_quantile_mm(), spread.orientation_quantile_deg()) if len(spread.positions) else (None, None)
    )
    rows: list[Row] = [
        (
            name.replace("_", " "),
            "-" if places is None else f"{rounded(float(places[n]), 2)} mm",
            "-" if turns is None else f"{rounded(float(turns[n]), 2)} deg",
        )
        for n, name in enumerate(spread.names)
    ]
    rows.append(("Joints must give, at most", f"{float(np.max(spread.play, initial=0.0)):.2g} m or 1", ""))
    rows.append(("Samples that do not go together", f"{spread.stuck} of {spread.stuck + len(spread.positions)}", ""))
    return plain_table(("Target", "Place", "Turn"), rows)


def choice_words(choices: Sequence[ChoiceResult]) -> list[str]:
    """The ranking in a sentence for each candidate."""
    found = []
    for place, one in enumerate(choices, 1):
        what = f"targets' cost {one.cost:.4g}" if math.isfinite(one.cost) else f"no usable design: {one.reason}"
        found.append(f"{place}. {one.candidate.label}: {what}")
    return found


def spread_words(spread: ToleranceReport) -> str:
    """What inaccurate parts do, in a sentence."""
    if not len(spread.positions):
        return "With inaccurate parts no sample of the design goes together."
    worst = int(np.argmax(spread.position_quantile_mm()))
    place, turn = spread.position_quantile_mm()[worst], float(np.max(spread.orientation_quantile_deg()))
    stuck = f"; {spread.stuck} of {spread.stuck + len(spread.positions)} do not go together" if spread.stuck else ""
    return (
        f"With inaccurate parts 95 % of all moments are within {rounded(float(place), 2)} mm "
        f"({spread.names[worst].replace('_', ' ')}) and {rounded(turn, 2)} deg{stuck}."
    )
