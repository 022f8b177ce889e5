from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from animato.formats import load_character
from animato.mechanics.simulation import Simulation, SimulationOptions, simulate
from animato.motion import Clip
from animato.report.simulate import save_json, save_table, simulate_text
from tests.html_pages import assert_whole


@pytest.fixture(scope="module")
def leaning() -> Simulation:
    times = np.linspace(0.0, 0.8, 81)
    lean = np.radians(10.0) * np.clip((times - 0.2) / 0.2, 0.0, 1.0)
    return simulate(load_character("rod"), Clip(times, ("motor",), lean[:, None]), SimulationOptions(step_s=1e-3))


def test_the_page_is_one_file(leaning: Simulation, tmp_path: Path) -> None:
    text = leaning.save_page(tmp_path / "rod.html").read_text()
    assert_whole(text)
    assert "rod, simulated" in text and "Where the energy is" in text and "2.08 Hz" in text
    assert len(text) < 1_500_000
    assert text.count('data-cursor="film"') == 1 + 4 + 2  # deviations, what the motor does, energies


def test_what_is_said_is_what_was_found(leaning: Simulation, tmp_path: Path) -> None:
    sentences = simulate_text(leaning)
    assert sentences[0].startswith("The rod's ball is up to ") and "times real time" in sentences[1]
    assert "No step had to be halved." in sentences[1]
    assert any("of a motor's torque is needed" in one for one in sentences)
    found = json.loads(save_json(tmp_path / "rod.json", leaning).read_text())
    assert found["peak_deviation_m"] == leaning.peak_deviation_m and found["steps"] == 800


def test_the_table_has_a_row_a_frame(leaning: Simulation, tmp_path: Path) -> None:
    lines = save_table(tmp_path / "rod.csv", leaning).read_text().splitlines()
    head = lines[0].split(",")
    assert head[:5] == ["time_s", "ball.x_m", "ball.y_m", "ball.z_m", "ball.off_m"]
    rows = np.loadtxt(lines[1:], delimiter=",")
    assert rows.shape == (len(leaning.frames), len(head))
    assert np.allclose(rows[:, 1], leaning.points[leaning.frames, 0, 0], atol=1e-8)


def test_a_notebook_plays_it(leaning: Simulation) -> None:
    assert "film-data" in unescape(leaning._repr_html_())
