from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Joint
from animato.character.landmarks import EndPoint
from animato.character.limits import Limits
from animato.errors import MotionError, OptionError
from animato.express.facing.errors import facing_errors
from animato.express.facing.problem import FacingProblem, Roll, build_facing_problem
from animato.express.gaze.gaze_objective import facing_direction, miss_of_point, tip_pose
from animato.express.options import Options
from animato.express.tracking.tracker import Tracked, Tracker
from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics.chains import Chain, build_chain
from animato.spatial import quaternions

RATE = 50.0
Axis = tuple[float, float, float]
OPTIONS = Options(rate_hz=RATE)


def chain_of(letter: str) -> Chain:
    return build_chain(load_character(f"skeleton_{letter}"), "tip")


def problem_of(letter: str, seed: int = 3, roll: Roll = "exact") -> FacingProblem:
    chain = chain_of(letter)
    rng = np.random.default_rng(seed)
    return build_facing_problem(chain, rng.uniform(-0.9, 0.9, len(chain.names)), roll=roll)


def facing_horizontally(chain: Chain, azimuth: float) -> np.ndarray:
    """The orientation that faces along the horizon with its up side up."""
    forward, up = np.array(chain.end_point.forward), np.array(chain.end_point.up)
    own = np.column_stack([forward, up, np.cross(forward, up)])
    ahead = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    world = np.column_stack([ahead, (0, 0, 1), np.cross(ahead, (0, 0, 1))])
    return quaternions.quaternion_from_matrix(world @ own.T)


def circle(problem: FacingProblem, seconds: float, **options: float) -> tuple[np.ndarray, list[Tracked]]:
    tracker = Tracker(problem, replace(OPTIONS, **options))
    azimuths = np.radians(25.0) * np.arange(int(seconds * RATE)) / RATE
    frames = [tracker.update(facing_horizontally(problem.chain, azimuth)) for azimuth in azimuths]
    return np.array([frame.positions for frame in frames]), frames


def check_moves(problem: FacingProblem, positions: np.ndarray, frames: list[Tracked]) -> None:
    """Between leaps every frame is one that the joints can follow; a leap itself is what the motion filter performs."""
    moves, leapt = np.diff(positions, axis=0), np.diff([frame.leaps for frame in frames]) > 0
    assert np.abs(moves[~leapt]).max() <= OPTIONS.top_speed_rad_s / RATE + 1e-12
    steady = ~(leapt[1:] | leapt[:-1])
    assert np.abs(np.diff(moves, axis=0)[steady]).max() <= OPTIONS.top_acceleration_rad_s2 / RATE**2 + 1e-12
    arrays = problem.chain.arrays
    assert np.all(positions >= arrays.lower)
    assert np.all(positions <= arrays.upper)


@pytest.mark.parametrize("letter", ["c", "g"])
def test_nothing_pops_while_a_target_circles(letter: str) -> None:
    problem = problem_of(letter)
    positions, frames = circle(problem, 20.0)
    check_moves(problem, positions, frames)
    assert frames[-1].leaps <= 4  # as often as the target passes where no branch goes on
    orientation = np.array([frame.error.orientation for frame in frames])
    assert orientation.mean() < 0.005
    if letter == "g":  # a chain with freedom to spare goes on facing
        assert np.mean(orientation > 1e-6) < 0.05
        assert orientation.mean() < 0.002


def test_looking_ahead_pays() -> None:
    """Negative control: without it the chain runs into its limits, and has to leap when it does not face any more."""

    def off(horizon_s: float) -> float:
        runs = [circle(problem_of(letter, seed), 24.0, horizon_s=horizon_s)[1] for letter in "cg" for seed in (3, 5)]
        return float(np.mean([frame.error.orientation for frames in runs for frame in frames]))

    assert off(12.0) < 0.8 * off(0.0)


@pytest.mark.parametrize("letter", ["c", "g"])
def test_changes_are_short_and_counted(letter: str) -> None:
    _, frames = circle(problem_of(letter, seed=5), 24.0)
    changing = np.array([frame.changing for frame in frames])
    begun = int(changing[0]) + int(np.sum(changing[1:] & ~changing[:-1]))
    assert frames[-1].changes == begun + frames[-1].leaps > 0
    assert changing.mean() < 0.3


def test_a_detour_faces_all_the_time() -> None:
    """With joints to spare; those that have few recover facing on the way, and may miss it for a moment."""
    _, frames = circle(problem_of("g", seed=5), 24.0)
    off = [frame.error.orientation for frame in frames if frame.changing]
    assert off and np.quantile(off, 0.9) < 1e-9


def test_a_target_that_stands_still_is_faced_exactly() -> None:
    problem = problem_of("g")
    tracker = Tracker(problem, OPTIONS)
    target = facing_horizontally(problem.chain, 0.4)
    for _ in range(50):
        frame = tracker.update(target)
    assert frame.error.orientation < 1e-6
    assert not frame.changing


@pytest.mark.parametrize(("letter", "looks"), [("c", False), ("g", False), ("g", True)])
def test_nothing_moves_while_what_is_faced_stands_after_a_walk(letter: str, looks: bool) -> None:
    problem = problem_of(letter, roll="free" if looks else "exact")
    tracker, rng = Tracker(problem, OPTIONS), np.random.default_rng(2)
    course = np.cumsum(0.4 * rng.standard_normal(500)) / np.sqrt(RATE)

    def face(azimuth: float) -> Tracked:
        if looks:
            return tracker.look([2.0 * np.cos(azimuth), 2.0 * np.sin(azimuth), 0.5])
        return tracker.update(facing_horizontally(problem.chain, azimuth))

    for azimuth in course:
        face(azimuth)
    for _ in range(int(8.0 * RATE)):  # arrives, and comes to rest
        rested = face(course[-1])
    still = [face(course[-1]) for _ in range(int(60.0 * RATE))]
    assert max(np.abs(frame.positions - rested.positions).max() for frame in still) == 0.0
    assert len({(frame.changes, frame.leaps) for frame in still}) == 1
    assert rested.error.orientation < 1e-9
    moved = face(course[-1] + 0.05)  # and goes on at once
    assert np.abs(moved.positions - rested.positions).max() > 0.0


@pytest.mark.parametrize("letter", ["c", "g"])
def test_a_target_that_jumps_and_trembles_is_faced_again(letter: str) -> None:
    problem = problem_of(letter, seed=11)
    tracker = Tracker(problem, OPTIONS)
    rng = np.random.default_rng(0)
    frames, settled = [], []
    for jump in range(8):
        middle = 1.2 * rng.normal(size=3)
        for frame in range(200):
            shaken = middle + (0.01 * rng.normal(size=3) if jump >= 4 else 0.0)
            frames.append(tracker.update(quaternions.quaternion_from_rotation_vector(shaken)))
            if frame >= 150:
                settled.append(frames[-1].error.orientation)
    check_moves(problem, np.array([frame.positions for frame in frames]), frames)
    assert np.median(settled) < 1e-6
    assert np.mean(settled) < 0.03


@pytest.mark.parametrize("letter", ["c", "g"])
@pytest.mark.parametrize("rested", [10, 200])
def test_another_posture_is_held_from_then_on(letter: str, rested: int) -> None:
    """While it moves and after it has come to rest; facing does not suffer."""
    problem, other = problem_of(letter), problem_of(letter, seed=8).posture
    tracker, target = Tracker(problem, OPTIONS), facing_horizontally(problem.chain, 0.4)
    for _ in range(rested):
        first = tracker.update(target)
    tracker.hold(other)
    frames = [first, *(tracker.update(target) for _ in range(250))]
    positions = np.array([frame.positions for frame in frames])
    check_moves(problem, positions, frames)
    found = facing_errors(problem.chain, positions, other, np.tile(target, (len(positions), 1)))
    assert found.combined[-1] < found.combined[0] - 1e-3
    assert found.orientation[-1] < 1e-6
    fresh = Tracker(build_facing_problem(problem.chain, other), OPTIONS)
    fresh.reset(positions[0])
    for _ in range(250):
        expected = fresh.update(target)
    assert found.combined[-1] <= 1.05 * expected.error.combined  # as well as if it had always been held


def test_weights_act_where_not_all_can_be_had() -> None:
    """Where a chain cannot face, it comes less near for a posture that weighs more; at rest, too."""
    chain = build_chain(load_character("lamp"), "light")
    tracker = Tracker(build_facing_problem(chain, np.zeros(5)), OPTIONS)
    tracker.reset(np.zeros(5))
    errors, out_of_reach = [], quaternions.quaternion_from_rotation_vector(np.array([-2.8, -0.3, -1.5]))
    for weight in (None, 1.0):
        tracker.weigh(posture=weight)
        for _ in range(200):
            frame = tracker.update(out_of_reach)
        errors.append(frame.error)
    assert errors[1].orientation > errors[0].orientation + 0.01
    assert errors[1].posture < errors[0].posture - 0.01


@pytest.mark.parametrize("roll", [0.0, 0.5])
def test_a_point_is_looked_at_with_the_roll_that_is_asked_for(roll: float) -> None:
    chain = chain_of("g")
    tracker = Tracker(problem_of("g"), OPTIONS)
    point = np.array([0.7, 0.5, 0.9])
    for _ in range(150):
        frame = tracker.look(point, roll)
    assert miss_of_point(chain, frame.positions, point) < 1e-6
    turn, eye = tip_pose(chain, frame.positions)
    wanted = facing_direction(chain.end_point, point - eye, roll=roll)
    flipped = quaternions.multiply(wanted, quaternions.quaternion_about(chain.end_point.forward, np.pi))
    assert min(quaternions.angle_between(turn, one) for one in (wanted, flipped)) < 1e-6


def rising_eye(rise: float = 1.0) -> Character:
    """An eye that pans and tilts, a little, on a mast that rises by some metres."""

    def joint(name: str, kind: str, link: tuple[str, str], up: float, axis: Axis, limits: Limits) -> Joint:
        return Joint(name, kind, *link, frame_parent=Frame((0.0, 0.0, up)), axis=axis, stated_limits=(limits,))

    bodies = tuple(Body(name) for name in ("foot", "mast", "head", "ball"))
    joints = (
        Joint("stand", "ground", "world", "foot"),
        joint("rise", "prismatic", ("foot", "mast"), 0.4, (0.0, 0.0, 1.0), Limits(0.0, rise, 2.0, 20.0, 200.0)),
        joint("pan", "revolute", ("mast", "head"), 0.3, (0.0, 0.0, 1.0), Limits(-1.0, 1.0, 5.0, 60.0, 900.0)),
        joint("tilt", "revolute", ("head", "ball"), 0.2, (0.0, 1.0, 0.0), Limits(-0.3, 0.3, 5.0, 60.0, 900.0)),
    )
    eye = EndPoint("eye", "ball", Frame((0.1, 0.0, 0.0)), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    return Character("mast", bodies, joints, end_points=(eye,))


def test_slides_take_part_in_looking_at_points() -> None:
    """A mast that rises: its joints turn too little to see a near point from below."""
    point, missed = np.array([0.6, 0.1, 1.5]), []
    for rise in (1.0, 0.0):
        chain = build_chain(rising_eye(rise), "eye")
        tracker = Tracker(build_facing_problem(chain, np.zeros(3), roll="free"), OPTIONS)
        tracker.reset(np.zeros(3))
        for _ in range(200):
            frame = tracker.look(point)
        missed.append(miss_of_point(chain, frame.positions, point))
    assert missed[0] < 1e-6
    assert missed[1] > 0.2  # negative control: the same mast, stuck


def test_it_starts_where_it_is_told_and_goes_there_gently() -> None:
    problem = problem_of("g")
    tracker = Tracker(problem, OPTIONS)
    tracker.reset(np.zeros(8))
    first = tracker.update(facing_horizontally(problem.chain, 1.0))
    assert np.abs(first.positions).max() <= 80.0 / RATE**2 + 1e-12


def test_nonsense_leaves_the_last_target_in_force() -> None:
    problem = problem_of("g")
    tracker = Tracker(problem, OPTIONS)
    assert np.isnan(tracker.update([np.nan] * 4).error.combined)
    good = [tracker.update(facing_horizontally(problem.chain, 0.4)) for _ in range(30)][-1]
    for nonsense in ([np.nan] * 4, [0.0] * 4, [1.0, 2.0], [np.inf, 0, 0, 0]):
        again = tracker.update(nonsense)
        np.testing.assert_allclose(again.positions, good.positions, atol=1e-3)  # it still settles


def test_the_same_targets_give_the_same_motion() -> None:
    first, _ = circle(problem_of("c"), 6.0)
    second, _ = circle(problem_of("c"), 6.0)
    np.testing.assert_array_equal(first, second)


def test_bad_options_are_refused() -> None:
    problem = problem_of("c")
    with pytest.raises(OptionError, match="`rate_hz` must be a number greater than 0"):
        replace(OPTIONS, rate_hz=0.0)
    with pytest.raises(MotionError, match="5 finite positions"):
        Tracker(problem, OPTIONS).reset([0.0, np.nan])
    with pytest.raises(MotionError, match="A target must be numbers, not 'up'"):
        Tracker(problem, OPTIONS).update("up")
