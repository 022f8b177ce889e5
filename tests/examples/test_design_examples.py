"""Every example of design, with its number."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.formats.character_files import load_character

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def _run(name: str) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / f"design_{name}.py"))


def test_the_lengths_of_a_four_bar_are_found_again(tmp_path: Path) -> None:
    example = _run("four_bar")
    solution = example["main"](tmp_path)
    np.testing.assert_allclose(solution.optimized.point.design, example["ANSWER"], atol=1e-9)
    assert solution.dropped_residual < 1e-9 and solution.outcome.usable
    assert load_character(tmp_path / "four_bar.yaml").joint("pen_z").configuration[0] < -0.0199


@pytest.mark.slow
def test_three_refinements_of_the_biker(tmp_path: Path) -> None:
    roll, lean, last = _run("biker")["main"](tmp_path)
    for solution in (roll, lean, last):
        assert solution.outcome.usable and solution.improvement_percent > 99.19
        assert solution.problem.mechanism.counts.design_variables == 92
    assert roll.optimized.errors.orientation_mean_deg < 0.2
    assert roll.initial.errors.orientation_mean_deg > 5.0
    assert (tmp_path / "biker_joints.csv").exists() and (tmp_path / "biker_elbows_and_feet.html").exists()
    assert load_character(tmp_path / "biker.yaml").name == "biker"
