"""The example of the live loop of mimic, with its number."""

from __future__ import annotations

import runpy
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_pico_follows_a_stream() -> None:
    seconds = runpy.run_path(str(EXAMPLES / "mimic_online.py"))["main"](1.6, pace=False)
    assert 0.0 < seconds < 0.1  # a tenth of that on a machine that does nothing else
