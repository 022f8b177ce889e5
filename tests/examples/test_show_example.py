from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("pythonosc", reason="the extra 'show' is not installed")

FILE = Path(__file__).parents[2] / "examples" / "show_lamp.py"


def test_the_lamp_greets_again_and_ends_at_rest() -> None:
    spec = importlib.util.spec_from_file_location("show_lamp", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    result = module.main()
    fault = result.performance.fault
    if fault is not None and fault.kind.value == "late":
        return  # the machine was too busy; that it stopped and said so is right
    assert result.ended_well
    assert sum(one.held_back for one in result.performance.reports) == 0
