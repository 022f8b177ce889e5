"""The example of steady, with its numbers."""

from __future__ import annotations

import runpy
from pathlib import Path

from animato.loading.clips import load_clip

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_a_rod_is_steadied_and_a_spread_of_stiffness_makes_it_ring_less(tmp_path: Path) -> None:
    figures = runpy.run_path(str(EXAMPLES / "steady_rod.py"))["main"](str(tmp_path))
    before, after = figures["as the artist made it"], figures["steadied"]
    assert before > 15.0 and after < 0.05 * before
    assert after < 0.5 * min(figures[f"{kind} shaper"] for kind in ("ZV", "ZVD", "EI"))
    assert figures["robust, ringing for E within 10 %"] < 0.5 * figures["nominal, ringing for E within 10 %"]
    assert load_clip(tmp_path / "robust.csv").duration > 3.9
    assert "rod, steadied" in (tmp_path / "rod.html").read_text()
