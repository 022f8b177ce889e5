"""What holds for every drag: limits, targets that can be reached, no leaps, pins that stay, loops that stay closed."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

from animato.formats import load_character
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism
from animato.motion import Posture
from animato.spatial import quaternions
from animato.studio.posing import Figure, Hand, Pin, Stance, build_figure, standing_soles

POSTURES = {"pico": "stand", "torso29": "address", "arm6": "write", "lamp": "curious", "biker": "", "four_bar": ""}
REACHED_M = 1e-4
PINNED_M = 1e-3
STUCK_M = 1e-5
seeds = st.integers(0, 2**32 - 1)


@functools.cache
def posed(name: str) -> tuple[Figure, Stance]:
    figure = build_figure(load_character(name))
    rest = np.array([value for joint in figure.character.free_joints for value in joint.neutral])
    values = Posture.named(figure.character, POSTURES[name]).positions if POSTURES[name] else rest
    return figure, figure.stance(values)


def place_of(figure: Figure, stance: Stance, body: int, local: np.ndarray) -> np.ndarray:
    places, turns = figure.bodies(stance)
    return places[body] + quaternions.rotate(turns[body], local)


def far_off(figure: Figure, stance: Stance, body: int, place: np.ndarray) -> float:
    return float(np.linalg.norm(place_of(figure, stance, body, np.zeros(3)) - place))


def assert_inside(figure: Figure, stance: Stance) -> None:
    assert np.all(stance.coordinates >= figure.lower) and np.all(stance.coordinates <= figure.upper)


def some_move(figure: Figure, stance: Stance, random: np.random.Generator, size: float) -> Stance:
    """A pose that the figure can take with its root where it is."""
    step = size * random.normal(size=len(figure.lengths)) * np.where(figure.lengths, figure.size, 1.0)
    step[: figure.root_freedoms] = 0.0
    while (there := figure.moved(stance, np.clip(step, *figure.room(stance)))) is None:
        step = step / 2.0
    return there


def settled(hand: Hand) -> Stance:
    """Where the hand's wish leads, however slow the machine is."""
    for _ in range(20):
        if hand.still:
            break
        hand.let_go()
    return hand.stance


def nearer_by(figure: Figure, stance: Stance, body: int, local: np.ndarray, target: np.ndarray) -> float:
    """How much nearer a small move inside all limits brings a point [m], by differences and SciPy alone."""
    here, unit = place_of(figure, stance, body, local), np.where(figure.lengths, figure.size, 1.0)
    slope = np.zeros((3, len(unit)))
    for freedom in range(figure.root_freedoms, len(unit)):
        for step in 1e-5 * unit[freedom] * np.array([1.0, -1.0]):
            there = figure.moved(stance, step * np.eye(len(unit))[freedom])
            way = np.zeros(3) if there is None else place_of(figure, there, body, local) - here
            if np.any(way):
                slope[:, freedom] = way / step
                break
    back, forth = (np.clip(side / unit, -0.05, 0.05) for side in figure.room(stance))
    best = lsq_linear(slope * unit, target - here, (np.minimum(back, -1e-12), np.maximum(forth, 1e-12))).x * unit
    moves = [figure.moved(stance, best * share) for share in (1.0, 0.1, 0.01)]
    left = [np.linalg.norm(place_of(figure, one, body, local) - target) for one in moves if one is not None]
    return float(np.linalg.norm(here - target) - min(left, default=np.inf))


def led_to_what_can_be_reached(name: str, seed: int, size: float = 0.1) -> tuple[float, float]:
    """How far off it ends, and how much nearer a small move would bring it [m]."""
    random = np.random.default_rng(seed)
    figure, begin = posed(name)
    body, local = int(random.integers(len(figure.character.bodies))), 0.02 * random.normal(size=3)
    target = place_of(figure, some_move(figure, begin, random, size), body, local)
    start = place_of(figure, begin, body, local)
    hand = Hand(figure, begin, body, local)
    for share in np.linspace(0.0, 1.0, 12):
        assert_inside(figure, hand.pull(start + share * (target - start)))
    before = hand.stance
    while not hand.still:  # the hand rests: the figure catches up, without leaps
        after = hand.go_on()
        assert_inside(figure, after)
        moved = np.abs(figure.away(after, before)) / np.where(figure.lengths, figure.size, 1.0)
        assert moved.max(initial=0.0) < 0.401
        before = after
    found = settled(hand)
    assert found is before
    off = float(np.linalg.norm(place_of(figure, found, body, local) - target))
    return off, nearer_by(figure, found, body, local, target)


@pytest.mark.parametrize("name", ["torso29", "arm6", "lamp", "biker", "four_bar"])
@settings(max_examples=12, deadline=None)
@given(seed=seeds)
def test_reaches_what_can_be_reached_and_never_leaves_the_limits(name: str, seed: int) -> None:
    """Or ends where no small move leads nearer: what goes downhill cannot promise more than that."""
    off, nearer = led_to_what_can_be_reached(name, seed)
    assert off < REACHED_M or nearer < STUCK_M


@pytest.mark.parametrize(
    ("name", "seed", "size"),
    [
        ("lamp", 11167340, 0.1),  # led round its own axis until that is at its limit: there by turning the other way
        ("biker", 176, 0.1),  # a place that two motors reach on the other side of where the drag began
        ("lamp", 10180, 0.3),  # farther than one pull may lead
    ],
)
def test_goes_the_other_way_round_where_it_is_stuck(name: str, seed: int, size: float) -> None:
    assert led_to_what_can_be_reached(name, seed, size)[0] < REACHED_M


@pytest.mark.parametrize("name", ["pico", "torso29", "arm6", "biker"])
@settings(max_examples=8, deadline=None)
@given(seed=seeds)
def test_targets_out_of_reach_are_approached_without_leaps_or_trembling(name: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    figure, begin = posed(name)
    body = int(random.integers(len(figure.character.bodies)))
    start = place_of(figure, begin, body, np.zeros(3))
    far = start + 3.0 * figure.size * random.normal(size=3)
    hand, before = Hand(figure, begin, body, np.zeros(3)), begin
    for share in np.linspace(0.0, 1.0, 30):
        after = hand.pull(start + share * (far - start))
        assert_inside(figure, after)
        moved = np.abs(figure.away(after, before)) / np.where(figure.lengths, figure.size, 1.0)
        assert moved.max(initial=0.0) < 0.401  # what a pull may do at most: more is caught up with
        before = after
    left = [far_off(figure, hand.pull(far), body, far) for _ in range(30)]
    if standing_soles(figure, begin):  # feet that were left behind come back first, and the hand gives way for that
        while abs(left[-1] - left[-2]) > 1e-5 * figure.size:
            left.append(far_off(figure, hand.pull(far), body, far))
        left = [left[-1], *(far_off(figure, hand.pull(far), body, far) for _ in range(30))]
    assert np.diff(left).max() < 1e-4 * figure.size  # it may still come nearer, slowly, but never trembles
    assert left[-1] <= np.linalg.norm(start - far) + 1e-9


@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_soles_and_pins_stay(seed: int) -> None:
    random = np.random.default_rng(seed)
    figure, begin = posed("pico")
    names = [body.name for body in figure.character.bodies]
    pinned = Pin(names.index("left_forearm"), np.array([0.0, 0.0, -0.02]))
    soles = standing_soles(figure, begin)
    assert len(soles) == 2
    kept = [pinned, *soles]
    places = [place_of(figure, begin, pin.body, pin.local) for pin in kept]
    hand = Hand(figure, begin, names.index("right_forearm"), np.zeros(3), [pinned])
    start = place_of(figure, begin, names.index("right_forearm"), np.zeros(3))
    for _ in range(10):
        stance = hand.pull(start + 0.3 * figure.size * random.normal(size=3))
        for pin, place in zip(kept, places, strict=True):
            assert np.linalg.norm(place_of(figure, stance, pin.body, pin.local) - place) < PINNED_M


@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_near_targets_give_near_poses_and_the_way_back_leads_back(seed: int) -> None:
    random = np.random.default_rng(seed)
    figure, begin = posed("arm6")
    body = len(figure.character.bodies) - 1
    start = place_of(figure, begin, body, np.zeros(3))
    way = 0.1 * random.normal(size=3)
    hand, before = Hand(figure, begin, body, np.zeros(3)), begin
    for share in [*np.linspace(0.0, 1.0, 40), *np.linspace(1.0, 0.0, 40)]:
        after = hand.pull(start + share * way)
        assert np.abs(figure.away(after, before)).max() < 0.2  # 8 mm at most from one target to the next
        before = after
    assert np.abs(figure.away(settled(hand), begin)).max() < 1e-3


@pytest.mark.parametrize("name", ["biker", "four_bar"])
def test_loops_stay_closed(name: str) -> None:
    """The pose is the one that the mechanism's own kinematics has for the same motors."""
    figure, begin = posed(name)
    random = np.random.default_rng(5)
    body = len(figure.character.bodies) - 1
    hand = Hand(figure, begin, body, np.zeros(3))
    target = place_of(figure, some_move(figure, begin, random, 0.2), body, np.zeros(3))
    hand.pull(target)
    stance = settled(hand)
    mechanism = build_mechanism(figure.character)
    at = dict(zip(figure.character.coordinate_names, stance.coordinates, strict=True))
    controls = [at[control] for control in mechanism.control_names]
    states = loop_kinematics(mechanism, np.array([controls])).states
    assert stance.closed is not None
    np.testing.assert_allclose(stance.closed.state, states[0], atol=1e-7)


def test_turning_a_body_turns_it_and_keeps_its_place() -> None:
    figure, begin = posed("torso29")
    names = [body.name for body in figure.character.bodies]
    body = names.index("left_palm")
    hand = Hand(figure, begin, body, np.zeros(3))
    vector = np.array([0.1, -0.05, 0.2])
    hand.turn(vector)
    stance = settled(hand)
    _, before = figure.bodies(begin)
    _, after = figure.bodies(stance)
    wanted = quaternions.multiply(quaternions.quaternion_from_rotation_vector(vector), before[body])
    assert float(quaternions.angle_between(after[body], wanted)) < 1e-4
    assert (
        np.linalg.norm(place_of(figure, stance, body, np.zeros(3)) - place_of(figure, begin, body, np.zeros(3))) < 1e-3
    )
