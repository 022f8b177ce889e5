"""Clips from arrays without names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.character_files import load_character
from animato.formats.motion_files import load_motion
from animato.formats.tables.npy_clip import clip_from_array
from animato.loading.clips import load_clip


def test_columns_are_motors_or_all_coordinates(tmp_path: Path, rng: np.random.Generator):
    four_bar = load_character("four_bar")
    array = rng.normal(size=(5, 1))
    np.save(tmp_path / "crank.npy", array)
    clip = load_clip(tmp_path / "crank.npy", four_bar, rate_hz=100.0)
    assert clip.names == ("crank_axle",)
    np.testing.assert_array_equal(clip.positions, array)
    np.testing.assert_array_equal(clip.times, np.arange(5) / 100)
    assert clip_from_array(four_bar, np.zeros((2, 4)), 50).names == four_bar.coordinate_names


def test_what_does_not_fit_is_explained(tmp_path: Path):
    four_bar = load_character("four_bar")
    path = tmp_path / "clip.npy"
    np.save(path, np.zeros((3, 2)))
    with pytest.raises(FileFormatError, match=r"2 columns; 'four_bar' has 1 motor coordinates \(crank_axle\) and 4"):
        load_clip(path, four_bar, rate_hz=100)
    with pytest.raises(MotionError, match="without times; say its frames a second"):
        load_clip(path, four_bar)
    with pytest.raises(MotionError, match="without names; say for which character"):
        load_clip(path, rate_hz=100)
    with pytest.raises(FileFormatError, match="without names"):
        load_motion(path)
    with pytest.raises(OptionError, match=r"`up_axis` does not exist for \.npy files; options: `rate_hz`"):
        load_clip(path, four_bar, up_axis="y")
    with pytest.raises(OptionError, match="greater than 0 Hz, not -1"):
        load_clip(path, four_bar, rate_hz=-1)
    with pytest.raises(MotionError, match=r"not of shape \(3,\)"):
        clip_from_array(four_bar, np.zeros(3), 1.0)
    np.save(path, np.array([{}]), allow_pickle=True)
    with pytest.raises(FileFormatError, match="damaged or not a plain array"):
        load_clip(path, four_bar, rate_hz=100)


def test_the_walk_of_dr_legs(shared_data: Path):
    pytest.importorskip("pxr")
    folder = shared_data / "mechanisms" / "dr_legs"
    legs = load_character(folder / "dr_legs.usda")
    clip = load_clip(folder / "dr_legs_animation_100fps.npy", legs, rate_hz=100)
    assert clip.names == legs.actuated_coordinate_names
    assert (clip.frame_count, len(clip.names)) == (2239, 12)
    assert clip.duration == pytest.approx(22.38, abs=1e-12)
    # Left and right legs do much the same; hips turn least: the columns are where they should be.
    size = dict(zip(clip.names, np.abs(clip.positions).max(axis=0), strict=True))
    for name in ("j1_l_i", "j2_l_i", "j6_l_i", "j7_l_i", "j2_l_o", "j7_l_o"):
        assert size[name] == pytest.approx(size[name.replace("_l_", "_r_")], rel=0.05)
    assert sorted(size, key=lambda name: size[name])[:2] == ["j1_l_i", "j1_r_i"]
