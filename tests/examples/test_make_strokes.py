"""The shipped strokes are what the example draws."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from animato.formats.strokes.json_strokes import load_stroke_json
from animato.formats.strokes.reader import read_strokes, shipped_strokes

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "make_strokes.py"


def test_it_draws_the_shipped_strokes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("make_strokes", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(sys, "argv", ["make_strokes.py", str(tmp_path)])
    module.main()
    assert sorted(file.stem for file in tmp_path.iterdir()) == list(shipped_strokes())
    for name in shipped_strokes():
        made, shipped = load_stroke_json(tmp_path / f"{name}.json"), read_strokes(name)
        assert list(made) == list(shipped)
        for point, stroke in shipped.items():
            np.testing.assert_allclose(made[point].points, stroke.points, atol=2e-7)
            np.testing.assert_allclose(made[point].times, stroke.times, atol=2e-7)
