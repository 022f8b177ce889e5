"""The example follows its moth inside the lamp's limits."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np

from animato.loading.clips import load_clip

EXAMPLE = Path(__file__).parents[2] / "examples" / "express_loop.py"


def test_the_lamp_follows_the_moth(tmp_path: Path) -> None:
    report = runpy.run_path(str(EXAMPLE))["main"](tmp_path / "moth.npz", seconds=4.0)
    assert report.frames == 200
    assert report.warnings == ()
    assert max(report.limit_share.values()) <= 1.0 + 1e-9
    assert report.command_error_deg.p50 < 6.0
    clip = load_clip(tmp_path / "moth.npz")
    assert clip.frame_count == 201
    assert np.ptp(clip.positions[:, clip.column("turn")]) > 0.5
