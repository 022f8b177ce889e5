"""Folders of small clips for batches."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.formats import load_character, save_motion
from animato.motion import Clip


def make_clips(folder: Path, count: int, *, seed: int = 5, wild: bool = False) -> Path:
    """Writes clips of the lamp, 50 frames each: gentle ones, which fit, or wild ones, which do not."""
    lamp = load_character("lamp")
    rng = np.random.default_rng(seed)
    times = np.arange(50) / 50.0
    soft = np.sin(np.pi * times / times[-1])[:, None] ** 4  # from rest to rest
    low, high = (1.0, 2.0) if wild else (0.02, 0.08)
    middle = np.array([0.0, -0.523599, 1.48353, -0.698132, 0.0])
    for number in range(count):
        swing = rng.uniform(low, high, 5) * np.sin(2.0 * np.pi * rng.uniform(0.2, 0.6, 5) * times[:, None])
        clip = Clip(times, ("turn", "shoulder", "elbow", "nod", "tilt"), middle + soft * swing)
        save_motion(folder / f"{number // 100:03d}" / f"clip_{number:05d}.npz", clip, lamp)
    return folder
