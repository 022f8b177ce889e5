"""What carries, made of plans that are known."""

from __future__ import annotations

import numpy as np

from animato.mimic.contacts import ContactPlan
from animato.mimic.contacts.plan import ContactPart
from animato.mimic.optimization.bearing import load_bearing, standing

HEEL, TOE = ((0.0, 0.1, 0.0), (0.0, -0.1, 0.0)), ((0.2, 0.1, 0.0), (0.2, -0.1, 0.0))
PARTS = tuple(
    ContactPart(f"{side} {name}", tuple((f"{side}_foot", point) for point in points))
    for side in ("left", "right")
    for name, points in (("heel", HEEL), ("toe", TOE))
)
LEFT, RIGHT = [0, 1], [2, 3]


def plan(planted: np.ndarray, support: np.ndarray | None = None, parts: tuple[ContactPart, ...] = PARTS) -> ContactPlan:
    planted = planted.astype(bool)
    if support is None:
        support = np.stack([planted[:, LEFT].any(axis=1), planted[:, RIGHT].any(axis=1)], axis=1)
    flight = ~planted.any(axis=1)
    times = np.arange(len(planted)) / 30.0
    return ContactPlan(times, parts, planted, np.zeros_like(planted), support, flight)


def test_both_feet_all_the_time() -> None:
    planted, pushing = load_bearing(plan(np.ones((6, 4))))
    assert planted.all() and pushing.all()


def test_a_part_pushes_only_where_it_stands_before_and_after() -> None:
    stands = np.ones((12, 4))
    stands[4:8, LEFT] = 0
    planted, pushing = load_bearing(plan(stands))
    assert pushing[:, RIGHT].all()
    assert not pushing[3:9, LEFT].any() and pushing[:3, LEFT].all() and pushing[9:, LEFT].all()
    # it lands a knot before the plan says so, and leaves a knot later
    assert planted[[4, 7]][:, LEFT].all() and not planted[5:7, LEFT].any()
    padded = np.pad(planted, ((1, 1), (0, 0)), mode="edge")
    assert not np.any(pushing & ~(padded[:-2] & padded[1:-1] & padded[2:]))


def test_a_foot_alone_stands_on_its_whole_sole() -> None:
    stands = np.zeros((10, 4))
    stands[:, 3] = 1  # on the right toe alone
    planted, pushing = load_bearing(plan(stands))
    assert planted[:, RIGHT].all() and pushing[:, RIGHT].all()
    assert not pushing[:, LEFT].any()
    assert not stands[:, 2].any()  # the plan itself is as it was


def test_tips_of_both_feet_have_an_area() -> None:
    stands = np.zeros((10, 4))
    stands[:, [1, 3]] = 1
    planted, pushing = load_bearing(plan(stands))
    np.testing.assert_array_equal(planted, stands)
    np.testing.assert_array_equal(pushing, stands)


def test_a_broad_part_has_an_area_of_its_own() -> None:
    seat = ContactPart("seat", tuple(("pelvis", point) for point in (*HEEL, *TOE)), 0.4)
    stands = np.zeros((6, 5))
    stands[:, 4] = 1
    support = np.zeros((6, 2), dtype=bool)
    planted, pushing = load_bearing(plan(stands, support, (*PARTS, seat)))
    assert pushing[:, 4].all() and not planted[:, :4].any()


def test_nothing_pushes_in_flight_and_nothing_grows_into_it() -> None:
    stands = np.ones((14, 4))
    stands[5:9] = 0
    planted, pushing = load_bearing(plan(stands))
    assert not pushing[5:9].any() and not planted[5:9].any()


def test_both_feet_push_off_and_land() -> None:
    stands = np.ones((14, 4))
    stands[5:9] = 0
    _, pushing = load_bearing(plan(stands))
    assert pushing[:5].all() and pushing[9:].all()
    stands[4, [0, 2]] = 0  # the last moment is on the tips of both feet
    _, pushing = load_bearing(plan(stands))
    np.testing.assert_array_equal(pushing[4], [False, True, False, True])
    stands[4, [0, 1, 2]] = 0  # on the tips of one: its whole sole carries
    _, pushing = load_bearing(plan(stands))
    np.testing.assert_array_equal(pushing[4], [False, False, True, True])


def test_a_hand_over_goes_through_a_whole_sole() -> None:
    """From the left toe to the right heel within a knot: one sole or the other is whole at every moment."""
    stands = np.zeros((12, 4))
    stands[:6, 1] = stands[6:, 2] = 1
    planted, pushing = load_bearing(plan(stands))
    whole = pushing[:, LEFT].all(axis=1) | pushing[:, RIGHT].all(axis=1)
    assert whole.all()
    assert np.all(planted | ~pushing)


def test_what_is_seen_standing_belongs_to_a_foot_that_supports() -> None:
    stands = np.ones((8, 4))
    support = np.ones((8, 2), dtype=bool)
    support[:, 0] = False
    still = standing(stands.astype(bool), plan(stands, support))
    assert not still[:, LEFT].any() and still[:, RIGHT].all()
    support[:] = False  # nobody counts: then all do
    assert standing(stands.astype(bool), plan(stands, support)).all()
