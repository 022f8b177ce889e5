"""Films: as many frames as the time takes, written whole or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from animato.character.character import Character
from animato.errors import AnimatoError, MissingDependencyError, OptionError
from animato.motion.clip import Clip
from animato.outcome import Iteration
from animato.view.film import film_times, save_gif, save_mp4
from animato.view.raster.look import Look
from animato.view.scene.stage import set_stage

QUICK = Look(supersampling=1, labels=False)
SMALL = {"width": 64, "height": 48, "look": QUICK}


def test_gif_runs_in_real_time(post: Character, turning: Clip, tmp_path: Path) -> None:
    from PIL import Image

    told: list[tuple[int, int]] = []

    def note(step: Iteration) -> None:
        told.append((step.number, step.total))

    path = save_gif(
        tmp_path / "post.gif",
        post,
        turning,
        fps=15.0,
        progress=lambda step: told.append((step.number, step.total)),
        **SMALL,
    )
    with Image.open(path) as film:
        assert film.info["loop"] == 0 and film.size == (64, 48)
        frames, total, places = film.n_frames, 0, []
        for number in range(frames):
            film.seek(number)
            total += film.info["duration"]
            picture = np.asarray(film.convert("RGB")).astype(int)
            red = (picture[..., 0] > 90) & (picture[..., 0] > 2 * picture[..., 2])
            places.append(np.argwhere(red)[:, 1].mean() if red.any() else np.nan)
    assert total == round(1000 * 31 / 15 / 10) * 10  # 31 frames at 15 a second, in hundredths
    assert told == [(n, 31) for n in range(1, 32)]
    assert np.nanmax(places) - np.nanmin(places) > 8  # and the ball moves


@pytest.mark.parametrize("speed", [0.5, 1.0, 3.0])
def test_speed_changes_the_length(turning: Clip, speed: float) -> None:
    times = film_times(turning, fps=20.0, speed=speed)
    assert len(times) == int(2.0 * 20.0 / speed + 1e-6) + 1
    assert times[0] == 0.0 and 2.0 - 0.05 * speed < times[-1] <= 2.0
    np.testing.assert_allclose(np.diff(times), speed / 20.0, atol=1e-12)


def test_mp4_can_be_decoded(post: Character, turning: Clip, tmp_path: Path) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg").get_ffmpeg_exe()
    path = save_mp4(tmp_path / "post.mp4", post, turning, fps=10.0, width=65, height=49, look=QUICK)
    command = [ffmpeg, "-loglevel", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(command, check=True, capture_output=True).stdout
    assert len(raw) == 21 * 64 * 48 * 3  # 2 s at 10 a second, odd sizes made even
    first, last = (np.frombuffer(raw, np.uint8).reshape(21, 48, 64, 3)[n].astype(int) for n in (0, 10))
    assert np.abs(first - last).max() > 60


@pytest.mark.parametrize("save", [save_gif, save_mp4])
def test_interrupted_film_leaves_what_was_there(save, post: Character, turning: Clip, tmp_path: Path) -> None:
    if save is save_mp4:
        pytest.importorskip("imageio_ffmpeg")
    path = tmp_path / ("film.gif" if save is save_gif else "film.mp4")
    path.write_bytes(b"before")

    def interrupt(step: Iteration) -> None:
        if step.number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(path, post, turning, progress=interrupt, **SMALL)
    assert path.read_bytes() == b"before" and list(tmp_path.iterdir()) == [path]


def test_encoder_that_fails_is_an_error_of_ours(
    post: Character, turning: Clip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
    monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", lambda: "false")
    with pytest.raises(AnimatoError, match="could not be encoded"):
        save_mp4(tmp_path / "post.mp4", post, turning, **SMALL)
    assert list(tmp_path.iterdir()) == []


def test_missing_ffmpeg_says_what_to_install(
    post: Character, turning: Clip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingDependencyError, match=r"animato\[video\]"):
        save_mp4(tmp_path / "post.mp4", post, turning)


def test_bad_options_are_explained(post: Character, turning: Clip, tmp_path: Path) -> None:
    for save, options, message in (
        (save_gif, {"fps": 60.0}, "0.1 to 50"),
        (save_mp4, {"fps": 0.0}, "1 to 240"),
        (save_gif, {"speed": 0.0}, "0.01 to 100"),
        (save_gif, {"width": 3}, "16 to 8192"),
        (save_mp4, {"speed": 0.01, "fps": 200.0}, "more than 20000"),
    ):
        with pytest.raises(OptionError, match=message):
            save(tmp_path / ("film.gif" if save is save_gif else "film.mp4"), post, turning, **options)
    assert list(tmp_path.iterdir()) == []


def test_clip_of_one_frame_is_a_film_of_one_frame(post: Character, tmp_path: Path) -> None:
    from PIL import Image

    still = Clip(np.zeros(1), ("turn",), np.zeros((1, 1)))
    with Image.open(save_gif(tmp_path / "still.gif", post, still, **SMALL)) as film:
        assert getattr(film, "n_frames", 1) == 1


@pytest.mark.parametrize(("save", "name"), [(save_gif, "film.mp4"), (save_mp4, "film.gif"), (save_gif, "film")])
def test_the_suffix_says_what_the_film_is(save, name: str, post: Character, turning: Clip, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="does not end in"):
        save(tmp_path / name, post, turning, **SMALL)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("time", [0.0, 0.7])
def test_a_floor_that_is_drawn_once_gives_the_same_picture(post: Character, turning: Clip, time: float) -> None:
    stage = set_stage(post, turning, width=96, height=72, look=Look(supersampling=2))
    empty = stage.empty_light()
    assert empty is not None
    np.testing.assert_array_equal(stage.picture(time, empty=empty), stage.picture(time))
    assert set_stage(post, turning, follow=True, width=96, height=72).empty_light() is None
