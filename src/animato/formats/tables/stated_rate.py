"""Frames a second, as files of others state them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.errors import FileFormatError
from animato.formats.tables.npy_archive import Members

RATE_ARRAYS = ("fps", "mocap_framerate", "mocap_frame_rate", "framerate", "frame_rate", "rate_hz")


def stated_rate(members: Members, path: str | Path) -> float | None:
    """Frames a second that the arrays state; None where they do not.

    Raises:
        FileFormatError: It is no rate.
    """
    for array in RATE_ARRAYS:
        stated = members.get(array)
        if stated is not None and stated.size == 1 and stated.dtype.kind in "fi":
            rate = float(stated.ravel()[0])
            if np.isfinite(rate) and rate > 0.0:
                return rate
            raise FileFormatError(path, f"'{array}' must be greater than 0, not {rate:g}.")
    return None
