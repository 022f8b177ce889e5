from __future__ import annotations

import numpy as np
import pytest

from animato.express import Target
from animato.express.sharing import goals_of, write_rows
from animato.express.sharing.rows import write_left
from animato.express.sharing.shared_chains import pack_chains, write_poses
from tests.unit.express.sharing.two_armed import branched, sharing

STEP = 1e-6

TARGETS = {
    "orientation": Target(quaternion_wxyz=(0.95, 0.1, 0.2, 0.1)),
    "direction": Target(direction=(1.0, 0.4, 0.3)),
    "direction with a roll": Target(direction=(1.0, 0.4, 0.3), roll_rad=0.2),
    "point": Target(point=(0.9, 0.5, 0.7)),
    "point with a roll": Target(point=(0.9, 0.5, 0.7), roll_rad=-0.3),
}


@pytest.mark.parametrize("kind", TARGETS)
def test_slopes_are_those_of_what_is_left_to_turn(kind: str) -> None:
    """At a pose that faces, where the slope of a rotation vector is that of the turn itself."""
    problem = sharing(branched(torso="zy", neck="zyx", arm="zyx"))
    chains, count = pack_chains(problem), len(problem.names)
    goals = goals_of(problem.end_points, {"hand": TARGETS[kind]}, None)
    poses, motions = np.empty((2, 7)), np.empty((2, count, 6))
    left, slopes = np.zeros((2, 3)), np.zeros((2, 3, count))
    q = np.zeros(count)

    def lacking(positions: np.ndarray) -> np.ndarray:
        write_poses(chains, positions, poses, motions)
        write_left(chains.ends, goals.kinds[1], goals.numbers, goals.tolerances[1], poses, 1, left)
        return left[1].copy()

    for _ in range(60):  # there by plain Newton steps
        write_poses(chains, q, poses, motions)
        write_rows(chains.ends, goals.kinds[1], goals.numbers, goals.tolerances[1], poses, 1, motions[1], left, slopes)
        q += np.linalg.lstsq(slopes[1], left[1], rcond=1e-6)[0]
    assert np.linalg.norm(lacking(q)) < 1e-10
    write_poses(chains, q, poses, motions)
    write_rows(chains.ends, goals.kinds[1], goals.numbers, goals.tolerances[1], poses, 1, motions[1], left, slopes)
    for i in range(count):
        step = STEP * np.eye(count)[i]
        found = (lacking(q + step) - lacking(q - step)) / (2.0 * STEP)
        np.testing.assert_allclose(-slopes[1, :, i], found, atol=1e-6)
