"""Person and robot beside each other as a picture and as a film."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from animato.report.mimic import Shown, gather, render_pair, save_film
from tests.mimic_builders import made_up_solution


@pytest.fixture(scope="module")
def shown() -> Shown:
    return gather(made_up_solution())


def test_the_person_is_on_the_left_and_the_robot_on_the_right(shown: Shown) -> None:
    picture = render_pair(shown, 1.0, size=120)
    assert picture.shape == (120, 240, 3)
    left, right = picture[:, :120].astype(int), picture[:, 120:].astype(int)
    blue = (left[..., 2] - left[..., 0] > 100).sum()
    orange = (left[..., 0] - left[..., 2] > 150).sum()
    assert blue > 20
    assert orange > 20
    assert np.ptp(right.reshape(-1, 3), axis=0).min() > 100


def test_the_film_has_the_length_of_the_motion_and_moves(shown: Shown, tmp_path: Path) -> None:
    path = save_film(tmp_path / "wave.gif", shown, fps=4.0, size=64)
    with Image.open(path) as film:
        count = int(getattr(film, "n_frames", 1))
        assert count / 4.0 == pytest.approx(float(shown.times[-1]), abs=0.3)
        first = np.asarray(film.convert("RGB"))
        film.seek(count // 2)
        assert np.abs(np.asarray(film.convert("RGB")).astype(int) - first).max() > 50
