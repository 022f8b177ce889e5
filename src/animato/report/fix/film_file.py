"""A film of a fix: what was asked for and what the robot does now, side by side, coloured by use of limits."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from animato.errors import OptionError
from animato.formats.files import write_whole
from animato.outcome import Iteration, Progress
from animato.report.fix.evidence import Evidence
from animato.report.kit import Use, use_of
from animato.report.kit.strip import colour_indices, strip_palette
from animato.view.raster import Look, with_label
from animato.view.scene import Stage, set_stage

_GREY, _LIGHT = np.array((0.44, 0.45, 0.47)), 0.40  # what is not used much, as in the player
_SEEN = np.array((0.3, 0.59, 0.11))
_QUALITY = 58


def save_film(
    path: str | Path,
    evidence: Evidence,
    *,
    fps: float = 12.5,
    width: int = 720,
    height: int = 400,
    progress: Progress | None = None,
) -> Path:
    """Writes both motions as an animated WebP that runs for ever.

    Args:
        path: Ends in .webp.
        evidence: Of a fix.
        fps: Frames a second.
        width: Of the whole film [pixels].
        height: Of the film [pixels].
        progress: Told how far it is.
    """
    if Path(path).suffix.lower() != ".webp":
        raise OptionError(f"'{path}' does not end in .webp, which this film is.")
    from PIL import Image

    pictures = [Image.fromarray(one) for one in _pictures(evidence, fps, width // 2, height, progress)]
    stream = io.BytesIO()
    settings = {"duration": round(1000.0 / fps), "loop": 0, "quality": _QUALITY, "method": 6}
    pictures[0].save(stream, format="WEBP", save_all=True, append_images=pictures[1:], **settings)
    return write_whole(path, stream.getvalue())


def _pictures(
    evidence: Evidence, fps: float, width: int, height: int, progress: Progress | None
) -> Iterator[np.ndarray]:
    solution, character = evidence.solution, evidence.solution.problem.character
    look = Look(supersampling=2, labels=False)
    asked = set_stage(character, solution.artist, ghost=solution.clip, width=width, height=height, look=look)
    asked = replace(asked, ghost=None)
    now = replace(asked, clip=solution.clip)
    sides = (
        (asked, use_of(character, evidence.asked_usage), "asked for: too much where it is magenta"),
        (now, use_of(character, evidence.after.usage), "fixed: every limit holds"),
    )
    begin, end = float(solution.clip.times[0]), float(solution.clip.times[-1])
    times = begin + np.arange(int((end - begin) * fps) + 1) / fps
    empty = asked.empty_light()
    for n, time in enumerate(times.tolist()):
        drawn = [
            with_label(coloured(stage, use, time).picture(time, empty=empty), words, corner="upper left")
            for stage, use, words in sides
        ]
        yield np.hstack(drawn)
        if progress is not None:
            progress(Iteration(stage="drawing the film", number=n + 1, total=len(times)))


def coloured(stage: Stage, use: Use, time: float) -> Stage:
    """The stage with bodies in the colours of what their joints use at a time [s]."""
    spans = len(use.edges) - 1
    share = (time - use.edges[0]) / max(float(use.edges[-1] - use.edges[0]), 1e-9)
    column = int(np.clip(np.floor(share * spans), 0, spans - 1))
    indices = colour_indices(use.shares[column])
    palette = strip_palette() / 255.0
    parts = []
    for part in stage.scene.parts:
        grey = _GREY + _LIGHT * float(np.dot(part.colour, _SEEN))
        known = part.body < len(indices) and not np.isnan(use.shares[column, part.body])
        *heat, opacity = palette[indices[part.body]] if known else (0.0, 0.0, 0.0, 0.0)
        red, green, blue = ((1.0 - opacity) * grey + opacity * np.array(heat)).tolist()
        parts.append(replace(part, colour=(red, green, blue)))
    return replace(stage, scene=replace(stage.scene, parts=tuple(parts)))
