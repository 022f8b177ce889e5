"""How well the loops of a run are closed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.mechanics.simulation.dynamics import build_work, put_forces
from animato.mechanics.simulation.integration.trajectory import Trajectory


def loop_gaps(run: Trajectory, moments: ArrayLike | None = None) -> np.ndarray:
    """Gaps of all rows of the loops [m, or a cosine], evaluated at moments of a run, [moment, m].

    Args:
        run: Any.
        moments: Their numbers; all where not given.
    """
    system = run.system
    z = run.coordinates if moments is None else run.coordinates[np.asarray(moments)]
    gaps = np.zeros((len(z), system.row_count))
    if system.row_count == 0:
        return gaps
    work, still, tau = build_work(system.packed), np.zeros(system.coordinate_count), np.zeros(system.coordinate_count)
    none = np.zeros(system.row_count)
    for one, gap in zip(z, gaps, strict=True):
        put_forces(system.packed, work, one, still, still, none, tau, gap)
    return gaps
