"""The geometric stage: joint paths that follow sketches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares

from animato.character.character import Character
from animato.character.limits import Limits
from animato.errors import AnimatoError, CharacterError, MotionError, OptionError, UnknownNameError
from animato.formats.character_files import load_character
from animato.mechanics.tree.points import build_point_kinematics
from animato.motion.posture import Posture
from animato.spatial.basis import basis_matrix, clamped_knots
from animato.trace.options import Options
from animato.trace.path.descent import descend, evaluated
from animato.trace.path.directions import KeptDirection
from animato.trace.path.fit import PathFit, solve_path
from animato.trace.path.joint_path import JointPath
from animato.trace.path.problem import PathProblem, build_path_problem
from animato.trace.path.start import find_starts, peaks
from animato.trace.sketch.sketch import Sketch
from tests.unit.trace.path_sketches import IN_XZ, circle, line, loops

HELLO = {"centre": (0.75, 0.0, 0.75), "length": 3.68}
PLANAR = {"centre": (2.5, 0.0, 2.0), "length": 12.0, "plane": IN_XZ}


@pytest.fixture(scope="module")
def arm6() -> Character:
    return load_character("arm6")


@pytest.fixture(scope="module")
def planar_arm() -> Character:
    return load_character("planar_arm")


def within_limits(problem: PathProblem, fit: PathFit) -> bool:
    q = fit.path.at(np.linspace(0.0, 1.0, 5001))
    kinematics = problem.kinematics
    return bool(np.all(q >= kinematics.lower - 1e-12) and np.all(q <= kinematics.upper + 1e-12))


def with_limits(character: Character, name: str, limits: Limits) -> Character:
    joints = tuple(replace(j, stated_limits=(limits,)) if j.name == name else j for j in character.joints)
    return replace(character, joints=joints)


def golf_like(character: Character) -> Sketch:
    """Both hands, head and pelvis as they move when a few joints swing."""
    points = ("left_hand", "right_hand", "head", "pelvis")
    kinematics = build_point_kinematics(character, points, start=Posture.named(character, "address"))
    times = np.linspace(0.0, 1.6, 201)
    swing = np.sin(2.0 * np.pi * times / 1.6)
    q = np.tile(kinematics.start, (len(times), 1))
    for name, size in (("chest_yaw", 0.5), ("pelvis_yaw", 0.2), ("left_shoulder_pitch", 0.3), ("right_elbow", 0.3)):
        q[:, kinematics.names.index(name)] += size * swing
    q = np.clip(q, kinematics.lower, kinematics.upper)
    return Sketch(points, kinematics.places(q), times)


def test_a_clean_word_is_followed_to_a_fraction_of_a_millimetre(arm6: Character) -> None:
    problem = build_path_problem(arm6, loops(**HELLO))
    fit = solve_path(problem)
    assert fit.outcome.solved
    assert fit.mean_deviation < 3e-4
    assert fit.max_deviation < 2e-3
    assert fit.notes == fit.out_of_reach == ()
    assert within_limits(problem, fit)
    assert all(b <= a for a, b in zip(fit.cost, fit.cost[1:], strict=False))
    assert fit.deviation == pytest.approx(np.mean(fit.deviations**2), rel=0.02)


def test_a_noisy_word_is_smoothed_towards_the_clean_one(arm6: Character) -> None:
    """Half the jitter at most is left: distance of the path from the clean line, which the fit never saw."""
    sigma = 1e-3
    problem = build_path_problem(arm6, loops(**HELLO, noise=sigma))
    fit = solve_path(problem)
    clean = loops(**HELLO, rate_hz=1000.0).positions[:, 0]
    drawn = problem.kinematics.places(fit.path.at(problem.places))[:, 0]
    nearest = np.min(np.linalg.norm(drawn[:, None] - clean[None], axis=2), axis=1)
    assert nearest.mean() < 0.5 * sigma
    assert fit.problem.noise == pytest.approx(sigma, rel=0.1)
    # negative control: with many control points and no smoothing the jitter is copied
    rough = solve_path(
        build_path_problem(arm6, loops(**HELLO, noise=sigma), Options(alpha=0.0, control_point_count=250))
    )
    assert rough.roughness > 3.0 * fit.roughness


def test_more_smoothing_deviates_more_and_bends_less(planar_arm: Character) -> None:
    """The trend of Table I of Luo and Hauser (2012)."""
    sketch = loops(**PLANAR)
    fits = [
        solve_path(build_path_problem(planar_arm, sketch, Options(alpha=alpha)))
        for alpha in (0.0, 1e-10, 1e-8, 1e-6, 1e-4)
    ]
    deviations, bends = [fit.deviation for fit in fits], [fit.roughness for fit in fits]
    assert deviations == sorted(deviations)
    assert bends == sorted(bends, reverse=True)
    assert deviations[-1] > 100.0 * deviations[0]


def test_agreement_with_a_general_solver(planar_arm: Character) -> None:
    """The same residuals in scipy's bounded least squares, with one joint at its limit part of the way."""
    character = with_limits(planar_arm, "elbow", Limits(lower=-1.1, upper=2.6))
    sketch = loops(centre=(2.0, 0.0, 2.0), length=6.0, plane=IN_XZ)
    problem = build_path_problem(
        character, sketch, Options(control_point_count=12, place_count=61, alpha=1e-7, start="ready")
    )
    start, rest = find_starts(problem)[0][0].control_points, problem.seeds[0]
    ours = descend(problem, start, rest, tolerance=1e-10, iterations=400)
    dense = np.zeros((12, 12))
    for r in range(12):
        for d in range(min(4, r + 1)):
            dense[r, r - d] = dense[r - d, r] = problem.gram[r, 3 - d]
    root = np.linalg.cholesky(dense).T
    basis = basis_matrix(problem.knots, problem.places).toarray()

    def residuals(flat: np.ndarray) -> np.ndarray:
        points = flat.reshape(12, 4)
        off = problem.kinematics.places(basis @ points).reshape(len(basis), -1) - problem.targets
        scaled = off * np.sqrt(problem.share[:, None] * problem.weight)
        return np.concatenate([scaled.ravel(), (root @ (points - rest)).ravel()])

    theirs = least_squares(
        residuals,
        np.clip(ours.control_points, problem.lower + 1e-6, problem.upper - 1e-6).ravel(),
        bounds=(problem.lower.ravel(), problem.upper.ravel()),
        xtol=1e-14,
        ftol=1e-14,
        gtol=1e-12,
        max_nfev=200,
    )
    assert np.any(ours.control_points == problem.lower)
    assert ours.cost[-1] == pytest.approx(2.0 * theirs.cost, rel=1e-6)


def test_out_of_reach_the_arm_stretches_towards_the_stroke(planar_arm: Character) -> None:
    """A circle of radius 7 for an arm of 6: everywhere exactly 1 m is missing, and no joint limit is to blame."""
    problem = build_path_problem(planar_arm, circle(7.0, start=0.3, end=2.0))
    fit = solve_path(problem)
    np.testing.assert_allclose(fit.deviations, 1.0, atol=2e-3)
    (lost,) = fit.out_of_reach
    assert lost.point == "pen"
    assert (lost.s_start, lost.s_end) == (0.0, 1.0)
    assert (lost.time_start, lost.time_end) == (0.0, 4.0)
    assert lost.distance == pytest.approx(1.0, abs=1e-4)
    assert lost.limits == ()
    assert "too short" in fit.notes[0]
    assert within_limits(problem, fit)


def test_only_the_part_that_is_out_of_reach_is_lost(planar_arm: Character) -> None:
    fit = solve_path(build_path_problem(planar_arm, line((3.0, 0.0, 1.0), (7.0, 0.0, 1.0))))
    (lost,) = fit.out_of_reach
    edge = (np.sqrt(36.0 - 1.0) - 3.0) / 4.0
    assert lost.s_start == pytest.approx(edge, abs=0.01)
    assert lost.s_end == 1.0
    assert lost.distance == pytest.approx(np.hypot(7.0, 1.0) - 6.0, abs=1e-3)
    inside = fit.s < edge - 0.05
    assert fit.deviations[inside].max() < 0.02


def test_the_limit_that_holds_is_named(planar_arm: Character) -> None:
    """Stretched out, with a shoulder that may not rise: the stroke above is out of its reach."""
    stiff = planar_arm
    for name in ("elbow", "wrist", "knuckle"):
        stiff = with_limits(stiff, name, Limits(lower=-0.01, upper=0.01))
    stiff = with_limits(stiff, "shoulder", Limits(lower=-1.0, upper=0.5))
    fit = solve_path(build_path_problem(stiff, circle(6.0, start=0.0, end=1.2)))
    (lost,) = fit.out_of_reach
    assert (lost.limits[0].coordinate, lost.limits[0].side) == ("shoulder", "upper")
    assert lost.limits[0].value == 0.5
    assert "upper limit of 'shoulder'" in lost.reason
    assert lost.s_start == pytest.approx(0.5 / 1.2, abs=0.05)
    # negative control: the free arm reaches all of it
    assert solve_path(build_path_problem(planar_arm, circle(5.9, start=0.0, end=1.2))).out_of_reach == ()


def test_several_points_at_once() -> None:
    torso = load_character("torso29")
    sketch = golf_like(torso)
    problem = build_path_problem(torso, sketch, Options(start="address"))
    fit = solve_path(problem)
    assert fit.deviations.shape[1] == 4
    assert fit.mean_deviation < 1e-3
    assert fit.max_deviation < 8e-3  # where the swing turns back the path has a cusp
    assert within_limits(problem, fit)
    assert set(fit.path.names) | set(fit.path.held.names) == set(torso.coordinate_names)
    assert fit.path.held.value("left_grip") == Posture.named(torso, "address").value("left_grip")
    # points that cannot be where they are wanted together: the report says that each alone could
    apart = sketch.positions.copy()
    apart[:, 0, 2] += 0.1
    apart[:, 1, 2] -= 0.1
    torn = solve_path(build_path_problem(torso, replace(sketch, positions=apart), Options(start="address")))
    assert torn.max_deviation > fit.max_deviation


def test_weights_say_which_point_matters(planar_arm: Character) -> None:
    """Two points of one arm are wanted where they cannot be at once; the heavier one is nearer."""
    character = replace(planar_arm, markers=())
    pen = line((3.0, 0.0, 1.0), (3.0, 0.0, 2.0)).positions
    positions = np.concatenate([pen, pen + np.array([0.0, 0.0, 2.5])], axis=1)
    distances = []
    for weight in (0.05, 20.0):
        sketch = Sketch(("pen", "link_4"), positions, np.linspace(0.0, 2.0, 101), weights=np.array([weight, 1.0]))
        distances.append(solve_path(build_path_problem(character, sketch)).deviations.mean(axis=0))
    assert distances[0][0] > 5.0 * distances[1][0]
    assert distances[1][1] > 5.0 * distances[0][1]


def test_the_pen_is_held_towards_the_board(arm6: Character) -> None:
    sketch = loops(**HELLO)
    off = []
    for terms in ([], [KeptDirection("pen", (1.0, 0.0, 0.0))]):
        fit = solve_path(build_path_problem(arm6, sketch, Options(start="board"), terms=terms))
        kinematics = build_point_kinematics(arm6, ("pen",), pointing=("pen",))
        way = kinematics.places(fit.path.at(fit.s))[:, 1]
        off.append(np.degrees(np.arccos(np.clip(way[:, 0], -1.0, 1.0))).max())
        assert fit.max_deviation < 2e-3
    assert off[1] < 3.0
    assert off[0] > 10.0


def test_a_start_posture_is_stayed_near_to(planar_arm: Character) -> None:
    """Elbow up or elbow down: both follow, and the start decides."""
    sketch = line((3.0, 0.0, 0.5), (3.5, 0.0, 1.0))
    for sign in (-1.0, 1.0):
        start = Posture(("elbow", "wrist", "knuckle"), sign * np.array([1.2, 0.6, 0.3]))
        fit = solve_path(build_path_problem(planar_arm, sketch, posture=start))
        assert fit.max_deviation < 2e-3
        assert np.all(sign * fit.path.at(fit.s)[:, fit.path.column("elbow")] > 0.3)


def test_the_answer_is_the_same_every_time(arm6: Character) -> None:
    a, b = (solve_path(build_path_problem(arm6, loops(**HELLO, noise=5e-4))) for _ in range(2))
    np.testing.assert_array_equal(a.path.control_points, b.path.control_points)


def test_the_unit_of_length_does_not_matter_for_the_knots_and_little_for_the_fit(arm6: Character) -> None:
    """A stroke drawn backwards is followed as well."""
    sketch = loops(**HELLO)
    backwards = replace(sketch, positions=sketch.positions[::-1])
    a, b = (solve_path(build_path_problem(arm6, one)) for one in (sketch, backwards))
    assert b.mean_deviation == pytest.approx(a.mean_deviation, rel=0.2)


def test_control_points_can_be_pinned(arm6: Character) -> None:
    """A caller that narrows the bounds, as a live update does, gets them back to the bit."""
    problem = build_path_problem(arm6, loops(**HELLO))
    first = solve_path(problem)
    lower, upper = problem.lower.copy(), problem.upper.copy()
    lower[:5] = upper[:5] = first.path.control_points[:5]
    moved = problem.targets.copy()
    moved[len(moved) // 2 :, 2] += 0.01
    again = solve_path(replace(problem, lower=lower, upper=upper, targets=moved), start=first.path)
    np.testing.assert_array_equal(again.path.control_points[:5], first.path.control_points[:5])
    assert np.abs(again.path.control_points[-5:] - first.path.control_points[-5:]).max() > 1e-3
    assert again.mean_deviation < 1e-3


def test_more_control_points_where_joints_need_them(planar_arm: Character) -> None:
    """A straight line that ends almost stretched: simple for the drawing, not for the joints."""
    sketch = line((1.0, 0.0, 1.0), (5.9, 0.0, 1.0))
    problem = build_path_problem(planar_arm, sketch)
    fit = solve_path(problem)
    assert fit.path.control_point_count > problem.control_point_count
    assert fit.out_of_reach == ()
    fixed = solve_path(
        build_path_problem(
            planar_arm, sketch, Options(control_point_count=problem.control_point_count, alpha=problem.alpha)
        )
    )
    assert fixed.path.control_point_count == problem.control_point_count
    assert fit.max_deviation < 0.6 * fixed.max_deviation


def test_the_start_walks_along_the_peaks_of_the_basis() -> None:
    knots = clamped_knots(np.array([0.0, 0.1, 0.15, 0.4, 0.7, 1.0]))
    where = peaks(knots)
    assert where[0] == 0.0
    assert where[-1] == 1.0
    s = np.linspace(0.0, 1.0, 20001)
    basis = basis_matrix(knots, s).toarray()
    np.testing.assert_allclose(where, s[np.argmax(basis, axis=0)], atol=0.02)


def test_a_path_that_could_be_drawn_by_the_robot_is_found_again(arm6: Character) -> None:
    """Strokes made by random joint paths, in all kinds of branches and near limits, are followed again."""
    kinematics = build_point_kinematics(arm6, ("pen",))
    lower, upper = np.maximum(kinematics.lower, -2.5), np.minimum(kinematics.upper, 2.5)
    for seed in range(12):
        rng = np.random.default_rng(seed)
        points = rng.uniform(lower, upper) + 0.3 * np.cumsum(rng.normal(size=(8, 6)), axis=0)
        path = JointPath(kinematics.names, clamped_knots(np.linspace(0.0, 1.0, 6)), np.clip(points, lower, upper))
        times = np.linspace(0.0, 5.0, 626)
        sketch = Sketch(("pen",), kinematics.places(path.at(times / 5.0)), times)
        fit = solve_path(build_path_problem(arm6, sketch))
        assert fit.mean_deviation < 2e-3 * sketch.length, seed
        assert fit.out_of_reach == (), seed


def test_an_industrial_arm(shared_data: Path) -> None:
    file = shared_data / "robots" / "tx90l" / "tx90l.urdf"
    if not file.is_file():
        pytest.skip("the TX90L is not on this machine")
    robot = load_character(str(file))
    fit = solve_path(build_path_problem(robot, loops(centre=(0.8, 0.0, 0.6), length=3.68, noise=5e-4, point="tool0")))
    assert fit.out_of_reach == ()
    assert fit.mean_deviation < 1e-3


def test_the_objective_is_the_papers(planar_arm: Character) -> None:
    """f_g by the trapezoidal rule and f_c by a fine sum, from the path alone."""
    problem = build_path_problem(planar_arm, loops(**PLANAR), Options(alpha=1e-6, pull=0.0))
    fit = solve_path(problem)
    s = np.linspace(0.0, 1.0, 40001)
    bend = np.trapezoid(np.sum(fit.path.at(s, 2) ** 2, axis=1), s)
    assert fit.roughness == pytest.approx(bend, rel=1e-5)
    off = problem.kinematics.places(fit.path.at(problem.places))[:, 0] - problem.sketch.x_of_s(problem.places)[:, 0]
    assert fit.deviation == pytest.approx(np.trapezoid(np.sum(off**2, axis=1), problem.places), rel=1e-10)
    assert fit.cost[-1] == pytest.approx(fit.deviation + 1e-6 * fit.roughness, rel=1e-9)
    assert evaluated(problem, fit.path.control_points, problem.seeds[0]).cost == pytest.approx(fit.cost[-1], rel=1e-12)


def test_a_stroke_of_two_samples(arm6: Character) -> None:
    sketch = Sketch(("pen",), np.array([[[0.7, -0.1, 0.6]], [[0.7, 0.1, 0.7]]]), np.array([0.0, 1.0]))
    fit = solve_path(build_path_problem(arm6, sketch))
    assert fit.max_deviation < 1e-3


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"alpha": -1.0}, OptionError, "alpha"),
        ({"alpha": np.nan}, OptionError, "alpha"),
        ({"pull": -1.0}, OptionError, "pull"),
        ({"epsilon": 2.0}, OptionError, "epsilon"),
        ({"control_point_count": 3}, OptionError, "`control_point_count` is a number 4 or more"),
        ({"place_count": 2}, OptionError, "place_count"),
        ({"start": "sitting"}, UnknownNameError, "sitting"),
    ],
)
def test_options_out_of_range(
    arm6: Character, options: dict[str, object], error: type[AnimatoError], words: str
) -> None:
    with pytest.raises(error, match=words):
        build_path_problem(arm6, loops(**HELLO), Options(**options))  # type: ignore[arg-type]


def test_directions_that_make_no_sense(arm6: Character) -> None:
    with pytest.raises(UnknownNameError, match="nose"):
        build_path_problem(arm6, loops(**HELLO), terms=[KeptDirection("nose", (1.0, 0.0, 0.0))])
    with pytest.raises(MotionError, match="direction"):
        KeptDirection("pen", (0.0, 0.0, 0.0))
    with pytest.raises(OptionError, match="`weight`"):
        KeptDirection("pen", (1.0, 0.0, 0.0), weight=-1.0)


def test_a_point_on_the_axis_of_its_only_joint(planar_arm: Character) -> None:
    """It turns, but it does not move."""
    with pytest.raises(CharacterError, match="on their axes"):
        build_path_problem(planar_arm, loops(**PLANAR, point="link_1"))


def test_points_that_do_not_exist_or_do_not_move(arm6: Character) -> None:
    with pytest.raises(UnknownNameError, match="'pne' is not in 'arm6'"):
        build_path_problem(arm6, loops(**HELLO, point="pne"))
    ground = arm6.joint("ground").child if any(j.name == "ground" for j in arm6.joints) else arm6.bodies[0].name
    with pytest.raises(CharacterError, match="No motor"):
        build_path_problem(arm6, loops(**HELLO, point=ground))
    with pytest.raises(CharacterError, match="loops"):
        four_bar = load_character("four_bar")
        build_path_problem(four_bar, loops(**HELLO, point=four_bar.bodies[-1].name))
