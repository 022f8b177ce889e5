"""The person beside the robot as pictures and as a film: bones on the left, the robot on the right, one camera."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from animato.formats.files import write_whole
from animato.outcome import Progress, announcer
from animato.report.mimic.shown import Shown
from animato.report.mimic.sticks import bones_of
from animato.view.raster import Camera, Look, framing
from animato.view.scene import Stage, outline_points, set_stage

_PAPER, _FINER = (251, 250, 247), 3
_COLOURS = {"left": (0, 114, 178), "right": (213, 94, 0), "": (60, 60, 68)}
_PALETTE = 128


def render_pair(shown: Shown, time: float, size: int = 520) -> np.ndarray:
    """Person and robot at a moment [s], sRGB bytes [size, 2 size, 3]."""
    return next(_pairs(shown, [time], size))


def save_film(
    path: str | Path, shown: Shown, *, fps: float = 12.5, size: int = 320, progress: Progress | None = None
) -> Path:
    """Writes a GIF of person and robot side by side that runs for ever.

    Args:
        path: Ends in .gif.
        shown: A solution, with what is shown of it.
        fps: Frames a second.
        size: Of each half [pixels].
        progress: Told what is being worked on.
    """
    from PIL import Image

    announcer(progress)("drawing the film")
    times = np.arange(float(shown.times[0]), float(shown.times[-1]), 1.0 / fps)
    frames = [Image.fromarray(picture) for picture in _pairs(shown, times, size)]
    palette = frames[len(frames) // 2].quantize(_PALETTE)
    drawn = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    stream = io.BytesIO()
    drawn[0].save(stream, "GIF", save_all=True, append_images=drawn[1:], duration=round(1000.0 / fps), loop=0)
    return write_whole(path, stream.getvalue())


def _pairs(shown: Shown, times: Sequence[float] | np.ndarray, size: int) -> Iterator[np.ndarray]:
    solution = shown.solution
    stage = set_stage(
        solution.problem.character, solution.clip, width=size, height=size, look=Look(labels=False, supersampling=2)
    )
    camera = _camera(shown, stage, times)
    for time in times:
        moment = float(np.clip(time, solution.clip.times[0], solution.clip.times[-1]))
        robot = stage.picture(moment, camera=camera)
        yield np.concatenate([_sticks(shown, moment, camera, size), robot], axis=1)


def _camera(shown: Shown, stage: Stage, times: ArrayLike) -> Camera:
    """One that sees both all the time, from where the stage looks."""
    some = np.unique(np.linspace(0, len(shown.times) - 1, 25).astype(np.int64))
    if np.size(times) == 1:
        some = np.atleast_1d(np.argmin(np.abs(shown.times - np.asarray(times))))
    moments = np.clip(shown.times[some], stage.clip.times[0], stage.clip.times[-1])
    cloud = np.vstack([shown.person[some].reshape(-1, 3), outline_points(stage.scene, stage.poses(moments))])
    return framing(cloud, direction=np.subtract(stage.camera.eye, stage.camera.target), aspect=1.0, margin=0.05)


def _sticks(shown: Shown, time: float, camera: Camera, size: int) -> np.ndarray:
    """The person's bones, sRGB bytes [size, size, 3]."""
    from PIL import Image, ImageDraw

    flat = shown.person.reshape(len(shown.times), -1)
    points = np.array([np.interp(time, shown.times, column) for column in flat.T]).reshape(-1, 3)
    seen, _ = camera.project(points, _FINER * size, _FINER * size)
    sheet = Image.new("RGB", (_FINER * size, _FINER * size), _PAPER)
    ink, wide = ImageDraw.Draw(sheet), max(2, round(0.014 * _FINER * size))
    for a, b, side in bones_of(shown.names):
        ink.line([*seen[a], *seen[b]], fill=_COLOURS[side], width=wide)
    for x, y in seen:
        ink.ellipse([x - 0.8 * wide, y - 0.8 * wide, x + 0.8 * wide, y + 0.8 * wide], fill=(168, 0, 95))
    return np.asarray(sheet.resize((size, size), Image.Resampling.LANCZOS))
