"""How long pictures and films take to draw."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

import animato as an
from benchmarks.row import Row, best_seconds


def rows(*, quick: bool = False) -> list[Row]:
    """Seconds of a film of 5 s and of a picture, once kernels are compiled."""
    pico = an.load_character("pico")
    hello = an.load_clip("pico_hello", character=pico)
    shown = hello.resampled(np.arange(0.0, 1.0 if quick else 5.0, 1.0 / 50.0))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hello.gif"
        an.view.save_gif(path, pico, shown.resampled(np.arange(3) / 25.0))  # compiles, or reads what was compiled
        began, worked = time.perf_counter(), time.process_time()
        an.view.save_gif(path, pico, shown)
        passed, worked = time.perf_counter() - began, time.process_time() - worked
    scale = 5.0 if quick else 1.0
    picture = best_seconds(lambda: an.view.render_picture(pico, hello, time=1.0), 3)
    return [
        Row("gif_s", scale * passed, "s", "lower"),
        Row("gif_processor_s", scale * worked, "s", "lower"),
        Row("picture_s", picture, "s", "lower"),
    ]
