from __future__ import annotations

import numpy as np
import pytest

from animato.errors import UnknownNameError
from animato.express import Target
from animato.express.sharing import find_shared_facing
from tests.unit.express.sharing.two_armed import branched, sharing


def test_one_answer_faces_all_and_keeps_the_first_as_it_would_be_alone() -> None:
    problem = sharing(branched(torso="zy", neck="zyx", arm="y"))
    eye = Target(point=(1.2, 0.3, 0.8))
    targets = {"eye": eye, "hand": Target(direction=(1.0, 0.35, 0.1))}
    answer = find_shared_facing(problem, targets)
    assert answer.posture.names == problem.names
    assert max(answer.errors_rad.values()) < 1e-6
    alone = find_shared_facing(problem, {"eye": eye})
    columns = problem.columns("eye")
    away = np.abs(answer.posture.positions[columns] - alone.posture.positions[columns])
    assert 0.05 < away.max() <= problem.options.give_way_rad + 1e-9


def test_it_says_by_how_much_the_second_gives_way() -> None:
    problem = sharing(branched(torso="zx", neck="y", arm="y"), give_way_rad=0.0)
    answer = find_shared_facing(problem, {"eye": Target(direction=(1, 0, 0)), "hand": Target(direction=(0, 1, 0))})
    assert answer.errors_rad["eye"] < 1e-6
    assert answer.errors_rad["hand"] == pytest.approx(np.pi / 2, abs=1e-6)
    with pytest.raises(UnknownNameError, match="eye, hand"):
        find_shared_facing(problem, {"foot": Target(direction=(1, 0, 0))})
