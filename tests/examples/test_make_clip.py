"""The example makes a clip that the lamp can do."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from animato.formats.character_files import load_character
from animato.formats.tables.clip_csv import load_clip_csv
from animato.motion.posture import Posture

EXAMPLE = Path(__file__).parents[2] / "examples" / "make_clip.py"


def test_the_clip_fits_and_passes_through_its_keyframes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(EXAMPLE))
    most = example["main"](tmp_path / "nod.csv")
    assert 0.3 < most < 1.0
    assert f"{most:.0%}" in capsys.readouterr().out
    clip, lamp = load_clip_csv(tmp_path / "nod.csv"), load_character("lamp")
    assert clip.names == lamp.coordinate_names
    for time, name, changes in example["KEYFRAMES"]:
        frame = int(np.argmin(np.abs(clip.times - time)))
        posture = Posture.named(lamp, name)
        wanted = [np.radians(changes.get(joint, np.degrees(posture.value(joint)))) for joint in lamp.coordinate_names]
        np.testing.assert_allclose(clip.positions[frame], wanted, atol=1e-12)


def test_the_fastest_move_has_the_peak_of_a_quintic(tmp_path: Path) -> None:
    example = runpy.run_path(str(EXAMPLE))
    lamp = load_character("lamp")
    clip = example["make_clip"](lamp, ((0.0, "rest", {}), (1.0, "rest", {"turn": 40.0})), 50.0)
    peak = np.abs(clip.velocity()[:, clip.column("turn")]).max()
    # 15/8 of the mean speed; the spline through 51 frames adds less than 1e-4 of it
    np.testing.assert_allclose(peak, 15.0 / 8.0 * np.radians(40.0), rtol=1e-4)
