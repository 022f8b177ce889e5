"""Memory that the kernels of dynamics work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.mechanics.simulation.system import PackedSystem


class Work(NamedTuple):
    """Memory of one moment; build it once a thread. Not to be read by others but through `put_outputs`."""

    memory: np.ndarray


def build_work(system: PackedSystem) -> Work:
    """Memory for a system."""
    return Work(np.zeros(1))
