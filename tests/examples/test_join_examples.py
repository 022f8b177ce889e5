"""The example joins what the lamp can do, inside its limits."""

from __future__ import annotations

import runpy
from pathlib import Path

from animato.loading.clips import load_clip

EXAMPLE = Path(__file__).parents[2] / "examples" / "join_clips.py"


def test_the_lamp_changes_its_mood(tmp_path: Path) -> None:
    joined = runpy.run_path(str(EXAMPLE))["main"](tmp_path / "moods.csv")
    assert joined.outcome.usable
    assert len(joined.transitions) == 2  # lamp_look begins at rest, so that it needs no start
    assert all(0.2 < one.duration_s < 2.0 for one in joined.transitions)
    assert load_clip(tmp_path / "moods.csv").frame_count == joined.clip.frame_count
