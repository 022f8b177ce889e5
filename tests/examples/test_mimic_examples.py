"""The example of mimic, with its number."""

from __future__ import annotations

import runpy
from pathlib import Path

from animato.loading import load_clip

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_pico_waves_as_the_person_does(tmp_path: Path) -> None:
    error = runpy.run_path(str(EXAMPLES / "mimic_wave.py"))["main"](tmp_path, end_s=1.5)
    assert 0.0 < error < 0.005
    assert load_clip(tmp_path / "wave.csv").duration > 1.4
    assert "pico mimics person_wave" in (tmp_path / "wave.html").read_text()
