from __future__ import annotations

import numpy as np

from animato.formats.character_files import load_character
from animato.motion.posture import Posture
from animato.view.picture import render_picture
from animato.view.scene.annotated import _spread, render_annotated


def test_names_and_axes_are_written_over_the_same_picture() -> None:
    lamp = load_character("lamp")
    posture = Posture.named(lamp, "rest")
    named = render_annotated(lamp, posture=posture, width=320, height=240).astype(int)
    plain = render_picture(lamp, posture=posture, width=320, height=240, label="").astype(int)
    changed = np.abs(named - plain).max(axis=2) > 30
    assert 0.005 < changed.mean() < 0.3
    assert changed[:, :40].any()
    assert changed[:, -40:].any()


def test_words_keep_their_distance() -> None:
    rows = _spread([5.0, 6.0, 7.0, 99.0, 99.5], 10.0, 10.0, 100.0)
    assert rows == [10.0, 20.0, 30.0, 90.0, 100.0]
