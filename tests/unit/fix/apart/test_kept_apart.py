from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato import fix
from animato.character import Capsule
from animato.errors import MissingDependencyError
from animato.fix.apart import KeptApart, nearness_of, watch_of
from animato.fix.apart import watch as watching
from animato.fix.shape import Motion, TreeMechanics, moving_of
from animato.loading import as_character, as_clip
from animato.mechanics.collision import ALLOWED_DEPTH, CollisionModel, deepest, distances
from animato.mechanics.limits import limit_usage
from animato.mechanics.tree import states_of_clip
from animato.motion import Clip
from tests.apart_builders import hand_passes, hands_meet, moved, two_arms

pytest.importorskip("coal")

HANDS = ("left_hand", "right_hand")


def fixed(character: object, clip: Clip, **options: object) -> fix.Solution:
    return fix.solve(fix.build(character, clip, fix.Options(**options)))  # type: ignore[arg-type]


def depth(solution: fix.Solution, finer: int = 37) -> float:
    """The deepest overlap on a grid that shares no moment with those at which anything was held [m]."""
    character, clip = solution.problem.character, solution.clip
    times = np.linspace(clip.times[0], clip.times[-1], finer * clip.frame_count + 1)
    return deepest(character, states_of_clip(character, clip, times)).depth_mm / 1000.0


@pytest.mark.parametrize("clearance", [0.0, 0.02])
def test_hands_that_meet_stop_before_one_another(clearance: float) -> None:
    character = two_arms()
    clip = hands_meet(character)
    assert deepest(character, clip).depth_mm > 45.0
    solution = fixed(character, clip, clearance_m=clearance)
    assert solution.outcome.usable, solution.outcome.reason
    times = np.linspace(0.0, clip.duration, 40 * clip.frame_count)
    apart = distances(CollisionModel.of(character), states_of_clip(character, solution.clip, times)).min()
    assert clearance - 1e-5 < apart < clearance + 2e-4  # no farther than asked for
    far, _, _ = solution.deviation.largest
    assert 0.02 + clearance / 2.0 < far < 0.06 + clearance  # each gives way by about half of the overlap
    assert limit_usage(character, solution.clip).peak("velocity") <= 1.0 + 1e-9


@pytest.mark.parametrize(("velocity", "acceleration"), [(6.0, 80.0), (2.0, 15.0)])
def test_a_hand_passes_beside_the_other(velocity: float, acceleration: float) -> None:
    character = two_arms(velocity, acceleration)
    solution = fixed(character, hand_passes(character))
    assert solution.outcome.usable, solution.outcome.reason
    assert depth(solution) <= 1e-5
    assert solution.deviation.largest[0] < 0.25
    usage = limit_usage(character, solution.clip)
    assert max(usage.peak("velocity"), usage.peak("acceleration")) <= 1.0 + 1e-6


def test_not_asked_for_they_overlap() -> None:
    """The negative control of the two above."""
    character = two_arms()
    clip = hands_meet(character)
    solution = fixed(character, clip, collisions=False)
    assert solution.clip.same_as(clip) and depth(solution, 2) > 0.045


def pico_with_a_hand_in_its_head() -> Clip:
    """The left arm goes up until its forearm is 55 mm inside the head, and back."""
    pico = as_character("pico")
    start = as_clip("pico_hello", pico)
    share = np.sin(np.pi * np.linspace(0.0, 1.0, 151)) ** 2
    inside = {"left_shoulder_pitch": 2.67, "left_shoulder_roll": -0.03, "left_arm_twist": -0.98, "left_elbow": 1.43}
    positions = np.tile(start.positions[0], (151, 1))
    for name, value in inside.items():
        column = start.names.index(name)
        positions[:, column] += share * (value - positions[:, column])
    assert start.base_positions is not None and start.base_quaternions_wxyz is not None
    places, turns = (np.tile(one[0], (151, 1)) for one in (start.base_positions, start.base_quaternions_wxyz))
    return Clip(np.linspace(0.0, 3.0, 151), start.names, positions, places, turns)


def test_picos_hand_comes_out_of_its_head() -> None:
    pico, clip = as_character("pico"), pico_with_a_hand_in_its_head()
    asked = deepest(pico, clip)
    assert asked.depth_mm > 50.0 and asked.pair == ("head", "left_forearm")
    solution = fixed(pico, clip)
    assert solution.outcome.usable, solution.outcome.reason
    assert depth(solution, 11) <= ALLOWED_DEPTH
    assert solution.deviation.largest[0] < 0.1
    assert solution.deviation.metres[:20].max() < 1e-3  # what comes before stays


def test_what_is_far_apart_is_the_clip_itself_and_has_no_rows() -> None:
    character = two_arms()
    clip = moved(character, left_pan=lambda s: 0.3 * np.sin(2.0 * np.pi * s))
    watch, notes = watch_of(character, clip, clip.times, size=0.2)
    assert watch is not None and not len(watch.close) and not notes
    assert watch.moved_by(clip.names) is None
    solution = fixed(character, clip)
    assert solution.clip.same_as(clip) and not solution.changed


def test_rows_are_distances_and_their_slopes() -> None:
    character = two_arms()
    clip = hands_meet(character, 0.52)
    watch, _ = watch_of(character, clip, clip.times, size=0.5)
    assert watch is not None
    times = clip.times[40:110]
    moving = moving_of(character, clip.names)
    mechanics = KeptApart(TreeMechanics(character, states_of_clip(character, clip, times), moving, ()), watch)
    rng = np.random.default_rng(5)
    q = clip.positions[40:110] + 0.05 * rng.normal(size=(70, 6))
    nothing = np.zeros_like(q)

    def loads(at: np.ndarray) -> np.ndarray:
        return mechanics.loads(Motion(slice(0, 70), at, nothing, nothing))[:, -6:]

    rows = mechanics.load_rows(Motion(slice(0, 70), q, nothing, nothing))
    felt = rows.values[:, -6:] > 0.2  # pairs that are this near are looked at on both sides of a step
    assert felt.any() and len(mechanics.row_names) == rows.values.shape[1]
    np.testing.assert_allclose(rows.values[:, -6:], loads(q), atol=1e-12)
    for column in range(6):
        step = np.zeros(6)
        step[column] = 1e-3
        ahead, behind = (loads(q + step) - loads(q)) / 1e-3, (loads(q) - loads(q - step)) / 1e-3
        smooth = felt & (np.abs(ahead - behind) < 0.2)  # elsewhere the nearest points leap, or another pair is nearest
        assert smooth.sum() > 0.9 * felt.sum()
        # distances of round shapes are known to 1e-6 m: 0.02 of such a slope, in units of 25 mm
        np.testing.assert_allclose(rows.by_q[:, -6:, column][smooth], (ahead + behind)[smooth] / 2.0, atol=0.05)
    assert not rows.by_v[:, -6:].any() and not rows.by_a[:, -6:].any()


def test_what_overlaps_in_a_protected_moment_is_said_and_left() -> None:
    character = two_arms()
    clip = hands_meet(character)
    solution = fixed(character, clip, protect=("1.4-1.6",))
    assert solution.outcome.usable and solution.clip.same_as(clip)
    note = next(one for one in solution.notes if "left_hand and right_hand" in one)
    assert "protected" in note and "50" in note


def test_what_nothing_may_move_is_said_and_left() -> None:
    character = two_arms()
    clip = hands_meet(character)
    joints = tuple(f"{side}_{name}" for side in ("left", "right") for name in ("pan", "roll", "elbow"))
    solution = fixed(character, clip, protect=joints)
    assert any("nothing that may change" in one for one in solution.notes)
    assert solution.clip.same_as(clip)


def test_bodies_that_are_built_into_one_another_are_said_and_left() -> None:
    character = two_arms()
    large = replace(character.body("left_hand").shapes[0], geometry=Capsule(0.19, 0.22))
    bodies = tuple(replace(b, shapes=(large,)) if b.name in HANDS else b for b in character.bodies)
    wide = replace(character, bodies=bodies)
    clip = moved(wide, left_roll=lambda s: 0.4 * np.sin(np.pi * s), right_roll=-0.3)
    share = watching._overlapping_share(CollisionModel.of(wide))
    _, notes = watch_of(wide, clip, clip.times, size=0.5)
    built = [pair for pair, often in enumerate(share) if often >= 0.5]
    assert built and any("most of their postures" in note for note in notes)


def test_a_little_overlap_of_the_artist_stays() -> None:
    """Hulls are larger than bodies: what is 2 mm deep at most is not broken, and does not get deeper than allowed."""
    character = two_arms()
    model = CollisionModel.of(character)

    def least(far: float) -> float:
        return float(distances(model, hands_meet(character, far), exact_within_m=0.0).min())

    low, high = 0.3, 0.75
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if least(middle) > -0.002 else (low, middle)
    clip = hands_meet(character, low)
    assert -0.0021 < least(low) < -0.001
    assert fixed(character, clip).clip.same_as(clip)
    assert not fixed(character, clip, clearance_m=0.01).clip.same_as(clip)


def test_without_what_measures_distances_there_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: object, **__: object) -> None:
        raise MissingDependencyError("Measuring self-collision needs coal.")

    monkeypatch.setattr(CollisionModel, "of", absent)
    character = two_arms()
    clip = hands_meet(character)
    solution = fixed(character, clip)
    assert solution.outcome.usable and solution.clip.same_as(clip)
    assert any("not kept apart" in note and "coal" in note for note in solution.notes)


def test_between_frames_nothing_is_taken_on_trust() -> None:
    """At 2 frames a second a hand is through the other from one frame to the next: the proof sees it."""
    character = two_arms()
    whole = hand_passes(character, 0.9)
    every = np.round(np.linspace(0, whole.frame_count - 1, 6)).astype(int)
    clip = Clip(whole.times[every], whole.names, whole.positions[every])
    assert deepest(character, clip).depth_mm == 0.0
    watch, _ = watch_of(character, clip, clip.times, size=0.5)
    assert watch is not None
    found = nearness_of(watch, clip)
    assert not found.proven and found.least < -ALLOWED_DEPTH and set(found.pair) == set(HANDS)
