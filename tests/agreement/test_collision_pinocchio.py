"""Distances between the links of a real robot with meshes: ours and Pinocchio's, one answer."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from animato.formats.urdf.reader import load_urdf
from animato.mechanics.collision import CollisionModel, deepest, distances
from animato.mechanics.tree import States, packed_tree

pinocchio = pytest.importorskip("pinocchio")
coal = pytest.importorskip("coal")

PEERS = {  # share of frames [%] with an overlap deeper than 5 mm in motions that two public tools made
    "gmr_63_01": 9,
    "holo_63_01": 3,
    "gmr_07_01": 0,
    "holo_07_01": 27,
    "gmr_05_03": 7,
    "holo_05_03": 9,
}


@pytest.fixture(scope="module")
def g1() -> Path:
    spec = importlib.util.find_spec("cmeel")
    if spec is None or spec.origin is None:
        pytest.skip("the package example-robot-data is not installed")
    robots = Path(spec.origin).parent.parent / "cmeel.prefix/share/example-robot-data/robots"
    path = robots / "g1_description/urdf/g1_29dof_rev_1_0.urdf"
    if not path.is_file():
        pytest.skip("the package example-robot-data has no G1 here")
    return path


def states_at(positions: np.ndarray) -> States:
    count = len(positions)
    root = np.tile((0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0), (count, 1))
    still = np.zeros((count, positions.shape[1] + 6))
    return States(np.arange(count) / 30.0, positions, still, still, root)


def test_distances_of_g1(g1: Path, rng: np.random.Generator) -> None:
    character = load_urdf(g1)
    model, tree = CollisionModel.of(character), packed_tree(character)
    assert model.unread == () and model.touching == ()
    positions = rng.normal(scale=0.6, size=(8, len(tree.coordinate_names)))
    ours = distances(model, states_at(positions), exact_within_m=np.inf)
    theirs, watched = _pinocchio_distances(g1, tree.coordinate_names, positions)
    pairs = [frozenset(model.pair_names(pair)) for pair in range(len(model.pairs))]
    assert set(pairs) == {pair for pair, apart in watched.items() if apart > 3}
    expected = np.array([[frame[pair] for pair in pairs] for frame in theirs])
    assert expected.min() < -0.01
    np.testing.assert_allclose(ours, expected, atol=3e-6)  # cylinders are met to 1e-6 m
    # what is far may be a bound, and only from below
    quick = distances(model, states_at(positions), exact_within_m=0.05)
    near = expected < 0.05
    np.testing.assert_allclose(quick[near], expected[near], atol=3e-6)
    assert np.all(quick[~near] >= 0.05 - 3e-6) and np.all(quick <= expected + 3e-6)


def _pinocchio_distances(
    path: Path, names: tuple[str, ...], positions: np.ndarray
) -> tuple[list[dict[frozenset[str], float]], dict[frozenset[str], int]]:
    """Distances by pairs of links at each frame, and joints between the links."""
    model = pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer())
    kind = pinocchio.GeometryType.COLLISION
    geometry = pinocchio.buildGeomFromUrdf(model, str(path), kind, package_dirs=[str(path.parents[4])])
    solids = list(geometry.geometryObjects)
    for solid in solids:
        if isinstance(solid.geometry, coal.BVHModelBase):
            solid.geometry.buildConvexHull(True, "Qt")
            solid.geometry = solid.geometry.convex
    geometry.addAllCollisionPairs()
    pairs = [(solids[pair.first], solids[pair.second]) for pair in geometry.collisionPairs]
    links = [frozenset(solid.name.rpartition("_")[0] for solid in pair) for pair in pairs]
    apart = [_joints_between(model, first.parentJoint, second.parentJoint) for first, second in pairs]
    columns = [model.joints[model.getJointId(name)].idx_q for name in names]
    data, found = model.createData(), []
    measured = geometry.createData()
    for row in positions:
        q = pinocchio.neutral(model)
        q[columns] = row
        pinocchio.computeDistances(model, data, geometry, measured, q)
        frame: dict[frozenset[str], float] = {}
        for link, result in zip(links, measured.distanceResults, strict=True):
            frame[link] = min(frame.get(link, np.inf), result.min_distance)
        found.append(frame)
    return found, dict(zip(links, apart, strict=True))


def _joints_between(model: object, first: int, second: int) -> int:
    ways = []
    for joint in (first, second):
        ways.append([joint])
        while ways[-1][-1] > 0:
            ways[-1].append(model.parents[ways[-1][-1]])  # type: ignore[attr-defined]
    common = next(joint for joint in ways[0] if joint in ways[1])
    return ways[0].index(common) + ways[1].index(common)


@pytest.mark.parametrize("name", PEERS)
def test_self_collision_of_motions_of_other_tools(name: str, g1: Path, shared_data: Path) -> None:
    """Shares of frames that Pinocchio's distances of the same hulls give too."""
    file = np.load(shared_data / "retarget_peers" / f"{name}.npz")
    character = load_urdf(g1)
    tree = packed_tree(character)
    positions = np.empty((len(file["qpos"]), len(tree.coordinate_names)))
    for column, joint in enumerate(file["joints"]):
        positions[:, tree.coordinate_names.index(str(joint))] = file["qpos"][:, 7 + column]
    report = deepest(character, states_at(positions))
    assert round(report.frames_percent) == PEERS[name]
    if name == "holo_07_01":
        assert report.pair == ("left_hip_roll_link", "left_wrist_yaw_link")
        assert report.depth_mm == pytest.approx(31.1, abs=0.1)
