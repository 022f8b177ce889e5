"""Words that pages of bending characters share."""

from __future__ import annotations

import numpy as np

from animato.findings import rounded


def length(metres: float) -> str:
    """A distance with the unit that suits it: "7.4 cm", "0.83 mm"."""
    if not np.isfinite(metres):
        return "out of all bounds"
    if metres < 1e-4:
        return "less than 0.1 mm"
    if metres >= 0.1:
        return f"{rounded(100.0 * metres, 3)} cm"
    return f"{rounded(100.0 * metres, 2)} cm" if metres >= 0.0095 else f"{rounded(1000.0 * metres, 2)} mm"
