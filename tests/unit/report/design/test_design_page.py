"""The page of design: complete, self-contained, and true to the numbers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.design.optimization.errors_over_time import TrackingErrors
from animato.design.optimization.solution import Solution
from animato.design.optimization.solve import solve
from animato.design.problem.build import build
from animato.formats.character_files import load_character
from animato.gallery.design.four_bar import LENGTHS
from animato.gallery.design.request import requested_motion
from animato.outcome import Outcome, Status
from animato.report.design.amounts import improvement
from animato.report.design.charts import step_times
from animato.report.design.json_file import save_json
from animato.report.design.marks import wanted_bodies
from animato.report.design.page import design_page
from animato.report.design.pictures import draw_before_after
from animato.report.design.views import set_views, telling_steps
from animato.report.design.words import design_text, design_verdict, error_words, what_to_watch
from tests.html_pages import assert_whole


@pytest.fixture(scope="module")
def solution() -> Solution:
    linkage = load_character("adjustable_four_bar")
    return solve(build(linkage, *requested_motion(linkage, "four_bar")))


@pytest.fixture(scope="module")
def page(solution: Solution) -> str:
    return design_page(solution)


def test_the_page_is_well_formed_and_loads_nothing(page: str) -> None:
    assert_whole(page)
    assert page.count("<image ") == 8 and len(page) < 1_500_000


def test_the_page_says_what_was_found(page: str, solution: Solution) -> None:
    for name, length in LENGTHS.items():
        row = re.search(rf"{name.replace('_', ' ')}<small>.*?</tr>", page)
        assert row is not None and f"{1000.0 * length:+.2f} mm" in row[0] and "0.00 mm" in row[0]
    for words in ("Over the target", "Errors over time", "Limits used", "Smallest singular value", "Every iteration"):
        assert words in page
    counts = solution.problem.mechanism.counts
    assert (counts.components, counts.redundant_passive, counts.design_variables) == (9, 3, 5)
    for label, value in (("Components", "9"), ("State variables", "63"), ("Optimization variables", "8,399")):
        assert f'<th scope="row">{label}</th><td>{value}</td>' in page
    assert solution.problem.variable_count == 120 * (63 + 1 + 5) + 119


def test_names_cannot_break_the_page(solution: Solution) -> None:
    motion = replace(solution.problem.motions[0], name="<b>curve")
    other = replace(solution, problem=replace(solution.problem, motions=(motion,)))
    assert "<b>curve" not in design_page(other, pictures=False)


def test_a_design_that_is_not_usable_is_said_so(solution: Solution) -> None:
    broken = replace(solution, outcome=Outcome(Status.INFEASIBLE, "crank_pin row 4 does not hold."))
    assert "Not usable" in design_page(broken, pictures=False)
    assert what_to_watch(broken)[0] == "Not usable as it is. crank_pin row 4 does not hold."
    assert "Not usable" not in design_page(solution, pictures=False)


def test_words_are_true() -> None:
    before = TrackingErrors(("a",), np.array([[0.02], [0.04]]), np.full((2, 1), np.nan))
    after = TrackingErrors(("a",), np.array([[0.001], [0.002]]), np.full((2, 1), np.nan))
    assert error_words(before, after) == (
        "Points are off by 1.5 mm on average (at most 2 mm) instead of 3 cm on average (at most 4 cm)."
    )
    told = [improvement(value) for value in (93.82, 99.97, 99.996, 99.99999999)]
    assert told == ["93.8 %", "99.97 %", "99.996 %", "more than 99.9999 %"]


def test_the_verdict_names_the_errors(solution: Solution) -> None:
    verdict = design_verdict(solution)
    assert "less than 0.01 mm instead of 3.02 cm on average (at most 3.8 cm)" in verdict
    assert design_text(solution)[0] == verdict and solution.outcome.reason in design_text(solution)[-1]


def test_pictures_are_taken_where_the_initial_design_is_worst(solution: Solution) -> None:
    steps = telling_steps(solution)
    assert len(steps) == 3 and steps == sorted(steps)
    assert int(np.nanargmax(solution.initial.errors.positions[:, 0])) in steps
    assert np.min(np.diff(steps)) >= 10


def test_the_camera_sees_the_whole_target(solution: Solution) -> None:
    views = set_views(solution, width=300, height=200)
    seen = views.seen(solution.problem.motions[0].targets[0].positions)
    assert np.all((seen > 0.0) & (seen < (300.0, 200.0)))
    assert wanted_bodies(solution.initial, 0) == {}
    assert draw_before_after(solution).count("<image ") == 2


def test_times_of_several_motions_follow_one_another(solution: Solution) -> None:
    motion = solution.problem.motions[0]
    two = replace(solution, problem=replace(solution.problem, motions=(motion, motion), starts=(0, 120)))
    times = step_times(two)
    assert len(times) == 240 and np.all(np.diff(times) > 0.0)


def test_a_solution_saves_its_own_page_and_json(solution: Solution, tmp_path: Path) -> None:
    assert solution.save_page(tmp_path / "page.html") == tmp_path / "page.html"
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    data = json.loads(save_json(tmp_path / "a.json", solution).read_text(encoding="utf-8"))
    assert data["usable"] is True and data["status"] == "solved" and data["character"] == "adjustable_four_bar"
    after = {one["joint"]: one["after"][0] for one in data["parameters"]}
    assert after == pytest.approx(LENGTHS, abs=1e-9)
    assert data["initial"]["position_max_m"] == pytest.approx(0.038, abs=1e-3)


def test_a_solution_says_what_it_is_in_a_line(solution: Solution) -> None:
    assert repr(solution).startswith("<design.Solution: character adjustable_four_bar, outcome solved: ")
    assert repr(solution.problem) == (
        "<design.Problem: character adjustable_four_bar, motions another curve (120 steps), optimizes design, "
        "terms DroppedRows, variables 8,399>"
    )
    assert "<table>" in solution._repr_html_()


def test_targets_count_more_or_less_by_name() -> None:
    linkage = load_character("adjustable_four_bar")
    plain, _ = requested_motion(linkage, "four_bar")
    heavy, _ = requested_motion(linkage, "four_bar", weights={"pen": 4.0})
    np.testing.assert_allclose(heavy.targets[0].position_weights, 4.0 * plain.targets[0].position_weights)
    assert plain.weighted({}).targets[0].name == "pen"
