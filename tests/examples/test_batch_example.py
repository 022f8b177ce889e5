from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_forty_swings_and_a_broken_file(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("joblib")
    example = runpy.run_path(str(EXAMPLES / "batch_clips.py"))
    summary = example["main"](tmp_path)
    assert summary.total == 41 and summary.left == 0
    assert summary.done["failed"] == 1 and summary.done["fits"] >= 5 and summary.done["does not fit"] >= 5
    assert len(list((tmp_path / "results" / "pages").rglob("*.html"))) == 3
    assert example["main"](tmp_path).now == 0
