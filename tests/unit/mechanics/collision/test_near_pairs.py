from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Body, Box, Capsule, Character, Cylinder, Frame, Geometry, Joint, Shape, Sphere
from animato.errors import OptionError
from animato.mechanics.collision import CollisionModel, deepest, distances, near_pairs
from animato.mechanics.tree import BodyPoses, forward_kinematics
from animato.motion import Clip
from animato.spatial import quaternions

pytest.importorskip("coal")

FAR = 5.0  # [m] between bodies at rest, so that none touch


def loose_bodies(*shapes: tuple[Shape, ...]) -> Character:
    """Bodies that slide freely over one another, first of all far apart along x."""
    bodies = tuple(Body(f"b{n}", shapes=own) for n, own in enumerate(shapes))
    joints = tuple(
        Joint(f"j{n}", "cartesian", "b0", f"b{n}", frame_parent=Frame((n * FAR, 0.0, 0.0)))  # type: ignore[arg-type]
        for n in range(1, len(shapes))
    )
    return Character("loose", bodies, joints)


def placed(character: Character, *places: list[tuple[float, float, float]]) -> Clip:
    """A clip in which body 1, 2, ... are at places [frame] relative to body 0."""
    frames = len(places[0])
    base = [np.array([[n * FAR, 0.0, 0.0]]) for n in range(1, len(places) + 1)]
    positions = np.hstack([np.array(place) - start for place, start in zip(places, base, strict=True)])
    # `cartesian` slides along its axes x, y, z
    return Clip(np.arange(frames) / 10.0, character.coordinate_names, positions)


def one(geometry: Geometry, **options: object) -> tuple[Shape, ...]:
    return (Shape(geometry, **options),)  # type: ignore[arg-type]


def test_distances_of_balls() -> None:
    character = loose_bodies(one(Sphere(0.1)), one(Sphere(0.2)), one(Sphere(0.3)))
    model = CollisionModel.of(character, apart=0)
    clip = placed(character, [(0.5, 0, 0), (0.2, 0, 0)], [(0, 0, 2), (0, 1.2, 0)])
    exact = distances(model, clip, exact_within_m=np.inf)
    expected = [[0.2, 1.6, np.hypot(0.5, 2) - 0.5], [-0.1, 0.8, np.hypot(0.2, 1.2) - 0.5]]
    np.testing.assert_allclose(exact, expected, atol=1e-9)
    quick = distances(model, clip, exact_within_m=0.3)
    near = exact < 0.3
    np.testing.assert_allclose(quick[near], exact[near], atol=1e-9)
    assert np.all(quick <= exact + 1e-9) and np.all(quick[~near] >= 0.3)


def test_depth_of_boxes_and_what_parts_them() -> None:
    character = loose_bodies(one(Box((1.0, 1.0, 1.0))), one(Box((0.2, 0.2, 0.2)), frame=Frame((0.0, 0.0, 0.5))))
    model = CollisionModel.of(character, apart=0)
    near = near_pairs(model, placed(character, [(0.1, 0.0, -0.05)]), 0.0)
    assert len(near) == 1
    assert near.distances[0] == pytest.approx(-0.15)
    np.testing.assert_allclose(near.normals[0], (0, 0, -1), atol=1e-9)  # the first must go down, away from the second
    np.testing.assert_allclose(near.points_a[0, 2], 0.5, atol=1e-9)
    np.testing.assert_allclose(near.points_b[0, 2], 0.4, atol=1e-9)  # the lower face in its own body's frame


def test_points_are_on_the_bodies_and_as_far_apart_as_said(rng: np.random.Generator) -> None:
    shapes: list[Geometry] = [Box((0.3, 0.4, 0.5)), Cylinder(0.2, 0.6), Capsule(0.1, 0.5), Sphere(0.3)]
    character = loose_bodies(*(one(shape, frame=Frame(tuple(0.1 * rng.normal(size=3)))) for shape in shapes))
    model = CollisionModel.of(character, apart=0)
    clip = placed(character, *(0.5 * rng.normal(size=(3, 20, 3))).tolist())
    poses = forward_kinematics(character, clip)
    near = near_pairs(model, poses, 0.2)
    ends = [
        poses.positions[near.frames, body] + quaternions.rotate(poses.quaternions_wxyz[near.frames, body], points)
        for body, points in ((near.body_a, near.points_a), (near.body_b, near.points_b))
    ]
    assert np.any(near.distances < -0.01) and np.any(near.distances > 0.01)
    np.testing.assert_allclose(ends[0] - ends[1], near.distances[:, None] * near.normals, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(near.normals, axis=1), 1.0, atol=1e-9)
    # what is found near is what is near
    every = distances(model, poses, exact_within_m=np.inf)
    assert len(near) == np.sum(every < 0.2)
    np.testing.assert_allclose(near.distances, every[near.frames, near.pairs], atol=2e-6)


def test_the_nearest_pairs_of_each_frame_are_kept() -> None:
    character = loose_bodies(*(one(Sphere(0.1)) for _ in range(4)))
    model = CollisionModel.of(character, apart=0)
    clip = placed(character, [(0.3, 0, 0), (9, 0, 0)], [(0, 0.4, 0), (0, 0.5, 0)], [(0, 0, 0.5), (0, 0.8, 0)])
    near = near_pairs(model, clip, 0.45)
    assert near.frames.tolist() == sorted(near.frames.tolist())
    for frame in (0, 1):
        own = near.distances[near.frames == frame]
        assert own.tolist() == sorted(own.tolist())
    most = near_pairs(model, clip, 0.45, most=2)
    assert most.frames.tolist() == [0, 0, 1, 1]
    np.testing.assert_allclose(most.distances, [0.1, 0.2, 0.1, 0.3], atol=1e-9)
    assert len(near_pairs(model, clip, -1.0)) == 0
    with pytest.raises(OptionError, match="`most` counts pairs"):
        near_pairs(model, clip, 0.1, most=0)


def test_bodies_of_many_shapes_are_one_pair() -> None:
    legs = tuple(Shape(Sphere(0.05), Frame((0.4 * n, 0.0, 0.0))) for n in range(3))
    character = loose_bodies(legs, one(Sphere(0.05)))
    clip = placed(character, [(0.6, 0.0, 0.12), (0.8, 0.0, 0.12)])
    model = CollisionModel.of(character, apart=0)
    near = near_pairs(model, clip, 1.0)
    assert near.frames.tolist() == [0, 1]
    np.testing.assert_allclose(near.distances, [np.hypot(0.2, 0.12) - 0.1, 0.02], atol=1e-9)
    np.testing.assert_allclose(distances(model, clip, exact_within_m=1.0)[:, 0], near.distances, atol=1e-9)
    whole = near_pairs(CollisionModel.of(character, apart=0, one_hull=True), clip, 1.0)
    np.testing.assert_allclose(whole.distances, [0.02, 0.02], atol=1e-3)  # a hull of samples of the balls


@pytest.mark.parametrize(
    ("first", "second", "depth"),
    [
        (Capsule(0.1, 0.6), Capsule(0.2, 0.4), 0.3),
        (Sphere(0.1), Sphere(0.2), 0.3),
        (Cylinder(0.1, 2.0), Sphere(0.2), 0.3),
        (Box((0.2, 0.4, 0.6)), Box((0.2, 0.4, 0.6)), 0.2),
        (Cylinder(0.1, 2.0), Cylinder(0.2, 2.0), 0.3),
    ],
)
def test_bodies_in_one_place_still_have_a_way_out(first: Geometry, second: Geometry, depth: float) -> None:
    character = loose_bodies(one(first), one(second))
    model = CollisionModel.of(character, apart=0)
    near = near_pairs(model, placed(character, [(0.0, 0.0, 0.0)]), 0.0)
    assert near.distances[0] == pytest.approx(-depth, abs=2e-4)  # GJK and EPA are a little short on cylinders
    normal = near.normals[0]
    assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-9)
    apart = placed(character, [tuple(-1.01 * depth * normal)])
    assert distances(model, apart)[0, 0] > 0.0


def test_the_deepest_overlap_of_a_motion() -> None:
    character = loose_bodies(one(Sphere(0.1)), one(Sphere(0.1)), one(Sphere(0.1)))
    way = [(x, 0.0, 0.0) for x in (0.3, 0.197, 0.19, 0.15, 0.3)]
    clip = placed(character, way, [(0.0, 0.18, 0.0), *[(0.0, 3.0, 0.0)] * 4])
    report = deepest(character, clip, apart=0)
    assert report.depth_mm == pytest.approx(50.0)
    assert report.frame == 3 and report.pair == ("b0", "b1")
    assert report.frames.tolist() == [0, 2, 3] and report.frames_percent == pytest.approx(60.0)
    np.testing.assert_allclose(report.depths, [0.02, 0.003, 0.01, 0.05, 0.0], atol=1e-9)
    assert report.pairs[0] == ("b0", "b2") and report.pairs[4] is None
    assert "50.0 mm" in repr(report) and "0.300 s" in repr(report)


def test_nothing_overlaps_and_nothing_to_measure() -> None:
    character = loose_bodies(one(Sphere(0.1)), one(Sphere(0.1)))
    clear = deepest(character, placed(character, [(1.0, 0.0, 0.0)]), apart=0)
    assert clear.depth_mm == 0.0 and clear.frame is None and clear.pair is None and clear.frames_percent == 0.0
    assert "none" in repr(clear)
    bare = replace(character, bodies=tuple(Body(body.name) for body in character.bodies))
    unknown = deepest(bare, placed(bare, [(0.0, 0.0, 0.0)]))
    assert np.isnan(unknown.depth_mm) and np.isnan(unknown.frames_percent)
    assert "not measured" in repr(unknown)
    poses = forward_kinematics(bare, placed(bare, [(0.0, 0.0, 0.0)]))
    assert distances(CollisionModel.of(bare), poses).shape == (1, 0)
    assert len(near_pairs(CollisionModel.of(bare), poses, 1.0)) == 0


def test_no_frames_no_rows() -> None:
    character = loose_bodies(one(Sphere(0.1)), one(Sphere(0.1)))
    model = CollisionModel.of(character, apart=0)
    empty = BodyPoses(np.zeros(0), ("b0", "b1"), np.zeros((0, 2, 3)), np.zeros((0, 2, 4)))
    assert len(near_pairs(model, empty, 1.0)) == 0
    assert distances(model, empty).shape == (0, 1)
