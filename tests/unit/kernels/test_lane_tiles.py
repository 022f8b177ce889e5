"""Matrices that come back from lanes: every width, and the last moments of a table."""

from __future__ import annotations

import numpy as np
import pytest

from animato.kernels.lane_tiles import give_matrix
from animato.kernels.lanes import LANES


@pytest.mark.parametrize("width", [1, 7, 8, 9, 16, 29])
@pytest.mark.parametrize("moments", [3, 8, 13])
@pytest.mark.parametrize("spare", [0, 2])
def test_rows_go_to_their_places(width: int, moments: int, spare: int) -> None:
    height, size = 3, width + spare
    table = np.full((moments, height, width), np.nan)
    whole = np.random.default_rng(width).normal(size=(2 * LANES, height + spare, size))
    for first in range(0, moments, LANES):
        rows = np.ascontiguousarray(np.moveaxis(whole[first : first + LANES], 0, -1)).reshape(-1, LANES)
        give_matrix(rows, size, first, table)
    np.testing.assert_array_equal(table, whole[:moments, :height, :width])
