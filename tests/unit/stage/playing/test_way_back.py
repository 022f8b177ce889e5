from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from animato.formats import load_character
from animato.loading import as_clip
from animato.stage.playing import Move, Options, Plan, Source, build_plan, rig_for, way_back
from animato.stage.playing.way_back import Backwards, ways_to_rest


@pytest.fixture(scope="module")
def plan() -> Plan:
    lamp = load_character("lamp")
    rig = rig_for(lamp, "dry")
    return build_plan(lamp, rig, as_clip("lamp_look", lamp), np.zeros(len(rig.names)), Options())


def _at(source: Source, time_s: float) -> np.ndarray:
    values = source(time_s)
    assert values is not None
    return values


def test_back_along_the_path_from_rest_to_rest(plan: Plan) -> None:
    path = plan.source()
    way = Backwards(path, 3.0, 1.0)
    times = np.arange(0.0, way.duration_s, 0.01)
    poses = np.array([_at(way, float(one)) for one in times])
    np.testing.assert_allclose(poses[0], _at(path, 3.0), atol=1e-12)
    np.testing.assert_allclose(_at(way, way.duration_s), _at(path, 1.0), atol=1e-12)
    assert way(way.duration_s + 0.1) is None
    there = np.array([_at(path, float(one)) for one in np.arange(1.0, 3.0, 0.01)])
    assert np.abs(np.diff(poses, axis=0)).max() < 0.55 * np.abs(np.diff(there, axis=0)).max()
    assert np.abs(poses[1] - poses[0]).max() < 1e-3


def test_straight_where_bodies_keep_clear(plan: Plan) -> None:
    ways = ways_to_rest(plan, _at(plan.source(), 2.0), 5.0)
    assert ways is not None and len(ways) == 1
    assert isinstance(ways[0], Move)
    np.testing.assert_allclose(_at(ways[0], ways[0].duration_s), plan.rest, atol=1e-9)


def test_back_to_where_straight_is_free_and_nowhere_where_nothing_is(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = plan.source()
    stands, earlier = _at(path, 3.0), _at(path, 2.0)

    def touching(_: Plan, poses: Sequence[np.ndarray]) -> float:
        free = len(poses) == 1 or np.allclose(poses[0], earlier, atol=0.03)
        return 0.0 if free else 0.05

    monkeypatch.setattr(way_back, "_depth", touching)
    ways = ways_to_rest(plan, stands, 5.0)
    assert ways is not None and len(ways) == 2
    np.testing.assert_allclose(_at(ways[1], 0.0), earlier, atol=0.03)
    monkeypatch.setattr(way_back, "_depth", lambda _, poses: 0.0 if len(poses) == 1 else 0.05)
    assert ways_to_rest(plan, stands, 5.0) is None
    assert ways_to_rest(plan, stands + 0.3, 5.0) is None
