from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError, UnknownNameError
from animato.express import Options, Problem, Target, build
from animato.express.sharing import SharedAims
from animato.formats import load_character
from tests.unit.express.sharing.two_armed import Alone, branched, sharing

FACED = 1e-6
"""[rad], far below what anyone sees, far above rounding."""


def direction(azimuth: float, elevation: float = 0.0) -> Target:
    """A direction by its angles [rad]."""
    level = np.cos(elevation)
    return Target(direction=(level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)))


def followed(problem: Problem, targets: dict[str, Target], frames: int = 300) -> tuple[SharedAims, np.ndarray]:
    """Set-points of all frames, [frame, n]."""
    aims = SharedAims(problem, Alone)
    return aims, np.array([aims.update(targets).positions for _ in range(frames)])


def test_the_second_uses_a_shared_joint_through_what_the_first_leaves_over() -> None:
    """Arm without a joint about z: only the torso can turn it there, and the neck makes up for that."""
    problem = sharing(branched(torso="z", neck="zy", arm="y"))
    targets = {"eye": direction(0.0, 0.1), "hand": direction(0.4, 0.2)}
    aims, moved = followed(problem, targets)
    errors = aims.errors_of(moved[-1], targets)
    assert max(errors.values()) < FACED
    torso, neck = (moved[-1, problem.names.index(name)] for name in ("torso_0_z", "neck_0_z"))
    np.testing.assert_allclose((torso, neck), (0.4, -0.4), atol=1e-6)  # the known answer


def test_the_second_gives_way_where_there_is_not_enough_for_both() -> None:
    """Nothing but the torso turns about z: the eye has it, and the hand is off by the difference."""
    problem = sharing(branched(torso="z", neck="y", arm="y"))
    targets = {"eye": direction(0.3), "hand": direction(-0.5)}
    aims, moved = followed(problem, targets)
    errors = aims.errors_of(moved[-1], targets)
    assert errors["eye"] < FACED
    assert errors["hand"] == pytest.approx(0.8, abs=1e-6)


def test_the_first_gives_way_as_far_as_it_is_allowed() -> None:
    character = branched(torso="z", neck="zy", arm="y")
    targets = {"eye": direction(0.0), "hand": direction(0.6)}
    for allowed in (0.0, 0.25, 1.0):
        problem = sharing(character, give_way_rad=allowed)
        aims, moved = followed(problem, targets)
        errors = aims.errors_of(moved[-1], targets)
        assert errors["eye"] < FACED
        assert errors["hand"] == pytest.approx(max(0.0, 0.6 - allowed), abs=1e-5)


def test_the_first_faces_as_if_it_were_alone_in_every_frame() -> None:
    """The hand's target jumps about; the eye's error is that of the eye alone, to rounding, all the way."""
    rng = np.random.default_rng(3)
    problem = sharing(branched(torso="zy", neck="zyx", arm="zyx"))
    shared, single = SharedAims(problem, Alone), Alone(problem.alone("eye"))
    single.reset(problem.alone("eye").held)
    columns = problem.columns("eye")
    worst = 0.0
    for frame in range(300):
        if frame % 60 == 0:
            hand = direction(*rng.uniform(-1.2, 1.2, 2))
        eye = {"eye": Target(point=(1.5, np.sin(0.02 * frame), 0.6 + 0.3 * np.cos(0.017 * frame)))}
        aimed = shared.update({**eye, "hand": hand})
        alone = single.update(eye)
        worst = max(worst, single.error_of(aimed.positions[columns], eye) - alone.error_rad)
    assert worst < FACED


def test_points_are_faced_from_where_the_shared_joints_have_carried_the_eye() -> None:
    problem = sharing(branched(torso="zy", neck="zyx", arm="zyx"))
    targets = {"eye": Target(point=(0.9, 0.3, 0.4)), "hand": Target(point=(0.6, 0.6, 0.2))}
    aims, moved = followed(problem, targets)
    assert max(aims.errors_of(moved[-1], targets).values()) < FACED


def test_set_points_never_jump_and_stay_inside_the_limits() -> None:
    """Whoever gets or loses a target, whatever posture is held."""
    rng = np.random.default_rng(5)
    problem = sharing(branched(torso="zy", neck="zyx", arm="zyx", limit=1.2))
    aims, before = SharedAims(problem, Alone), problem.held
    most = 2.0 * problem.options.top_speed_rad_s / problem.options.rate_hz
    targets: dict[str, Target] = {}
    for frame in range(400):
        if frame % 25 == 0:
            targets = {name: direction(*rng.uniform(-1.5, 1.5, 2)) for name in ("eye", "hand") if rng.random() < 0.7}
            aims.hold(rng.uniform(-1.0, 1.0, len(problem.names)))
        positions = aims.update(targets).positions
        assert np.abs(positions - before).max() <= most + 1e-12
        assert np.abs(positions).max() <= 1.2
        before = positions


def test_nothing_moves_while_all_targets_stand() -> None:
    problem = sharing(branched(torso="zy", neck="zyx", arm="zyx"))
    targets = {"eye": direction(0.5, 0.2), "hand": direction(-0.9, 0.4)}
    _, moved = followed(problem, targets, 600)
    assert np.abs(moved[-200:] - moved[-1]).max() < 1e-9


def test_without_targets_the_posture_is_held() -> None:
    problem = sharing(branched())
    aims = SharedAims(problem, Alone)
    aims.hold(np.full(len(problem.names), 0.3))
    for _ in range(200):
        aimed = aims.update({})
    np.testing.assert_allclose(aimed.positions, 0.3, atol=1e-9)
    assert aimed.error_rad == 0.0
    assert aims.error_of(aimed.positions, {}) == 0.0


def test_a_second_alone_faces_as_if_it_were_the_first() -> None:
    problem = sharing(branched(torso="zy", neck="zy", arm="y"), give_way_rad=0.0)
    targets = {"hand": direction(0.7, 0.3)}
    aims, moved = followed(problem, targets)
    assert aims.errors_of(moved[-1], targets)["hand"] < FACED
    assert aims.error_of(moved[-1], targets) < FACED


def test_a_way_that_local_moves_do_not_find_is_found_and_taken() -> None:
    """The arm stands at a limit beyond which it would have to turn the long way round."""
    character = branched(torso="z", neck="z", arm="zyx", limit=0.2, arm_limit=3.0)
    problem = sharing(character, give_way_rad=0.0)
    start = problem.held.copy()
    start[problem.names.index("arm_0_z")] = 2.95
    targets = {"eye": direction(0.0), "hand": direction(-2.6)}
    aims = SharedAims(problem, Alone)
    aims.reset(start)
    moved = np.array([aims.update(targets).positions for _ in range(600)])
    assert aims.errors_of(moved[-1], targets)["hand"] < FACED
    assert np.abs(np.diff(moved, axis=0)).max() <= 2.0 * 4.2 / 100.0 + 1e-12


def test_unknown_end_points_and_postures_that_do_not_fit_are_refused() -> None:
    aims = SharedAims(sharing(branched()), Alone)
    with pytest.raises(UnknownNameError, match="Did you mean 'hand'"):
        aims.update({"hnad": direction(0.0)})
    with pytest.raises(MotionError, match="6 finite positions"):
        aims.hold(np.zeros(3))


def test_a_problem_of_several_end_points_has_the_coordinates_of_all() -> None:
    pico = load_character("pico")
    problem = build(pico, "stand", options=Options(end_point="eyes", also_facing=("left_hand",)))
    assert problem.names[:4] == problem.alone("eyes").names
    assert set(problem.names) == {*problem.alone("eyes").names, *problem.alone("left_hand").names}
    assert len(problem.limits) == len(problem.names) == len(problem.held)
    np.testing.assert_array_equal(problem.held[problem.columns("left_hand")], problem.alone("left_hand").held)
    with pytest.raises(UnknownNameError, match="right_hand"):
        problem.alone("right_hand")
