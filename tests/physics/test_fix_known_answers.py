"""Answers of `fix` that are known on paper."""

from __future__ import annotations

import numpy as np
import pytest

import animato as an
from animato.character import Body, Character, EndPoint, Frame, Joint, Limits
from animato.fix import Options, Solution, build, solve
from animato.mechanics.limits import limit_usage
from animato.motion import Clip

SPEED = 2.0


def hinge(*, mass: float = 1.0, centre: float = 0.0, **limits: float) -> Character:
    """One joint about y, whose arm lies along x at 0; its weight pulls at `centre` [m]."""
    turn = Joint("hinge", "revolute", "base", "arm", axis=(0.0, -1.0, 0.0), stated_limits=(Limits(**limits),))
    inertia = (1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0)
    bodies = (Body("base", mass=1.0), Body("arm", mass=mass, centre=(centre, 0.0, 0.0), inertia=inertia))
    tip = EndPoint("tip", "arm", Frame((0.3, 0.0, 0.0)))
    return Character("one", bodies, (Joint("hold", "ground", "world", "base"), turn), end_points=(tip,))


def slide(**limits: float) -> Character:
    """One sliding axis: its point moves as it does, so that linear limits make a convex program."""
    move = Joint("slide", "prismatic", "base", "cart", axis=(1.0, 0.0, 0.0), stated_limits=(Limits(**limits),))
    bodies = (Body("base", mass=1.0), Body("cart", mass=1.0))
    ground = Joint("hold", "ground", "world", "base")
    return Character("cart", bodies, (ground, move), end_points=(EndPoint("tip", "cart"),))


def step(rate: float, height: float = 1.0, half: float = 1.0) -> Clip:
    """Odd about the middle: -height / 2, then height / 2, at a rate [1/s]; no frame is in the middle."""
    count = round(2.0 * half * rate)
    times = (np.arange(count) + 0.5) / rate
    return Clip(times, ("slide",), 0.5 * height * np.sign(times - half)[:, None])


def fixed(character: Character, clip: Clip, **options: object) -> Solution:
    found = solve(build(character, clip, Options(**options)))  # type: ignore[arg-type]
    assert found.outcome.usable, found.outcome.reason
    return found


def test_a_step_under_a_speed_limit_is_the_ramp_through_its_middle() -> None:
    """Of all curves with |x'| <= V the one with least squares goes at full speed from one side to the other.

    A spline through frames turns a corner within a few frames, so that this is reached with the first power of them.
    """
    far = []
    for rate in (50.0, 100.0, 200.0):
        found = fixed(slide(velocity=SPEED), step(rate)).clip
        ramp = np.clip(SPEED * (found.times - 1.0), -0.5, 0.5)
        far.append(float(np.abs(found.positions[:, 0] - ramp).max()))
        assert limit_usage(slide(velocity=SPEED), found, oversampling=100).peak("velocity") <= 1.0 + 1e-6
    assert far[0] < 0.02
    assert far[2] < 0.6 * far[1] < 0.6**2 * far[0]


def test_the_answer_to_an_odd_step_is_odd() -> None:
    found = fixed(slide(velocity=SPEED, acceleration=15.0, jerk=300.0), step(60.0)).clip
    np.testing.assert_allclose(found.positions, -found.positions[::-1], atol=1e-5)


def least_cost_under(bound: float, clip: Clip) -> float:
    """The least sum of squares of any curve with |x''| <= bound: its frames, under differences, by another solver.

    Where x'' of a curve is at most A everywhere, so are its second differences, divided by the step squared: the least
    of these is below that of every curve.
    """
    clarabel, sparse = pytest.importorskip("clarabel"), pytest.importorskip("scipy.sparse")
    count, wanted = clip.frame_count, clip.positions[:, 0]
    bend = sparse.diags([1.0, -2.0, 1.0], [0, 1, 2], shape=(count - 2, count)) / (clip.times[1] - clip.times[0]) ** 2
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    solver = clarabel.DefaultSolver(
        sparse.identity(count, format="csc"),
        -wanted,
        sparse.vstack([bend, -bend], format="csc"),
        np.full(2 * (count - 2), bound),
        [clarabel.NonnegativeConeT(2 * (count - 2))],
        settings,
    )
    return float(np.sum((np.array(solver.solve().x) - wanted) ** 2))


def test_a_step_under_an_acceleration_limit_costs_as_little_as_any_curve_can() -> None:
    """Fuller's problem from both sides: no closed form is needed to know how little it may cost."""
    bound, over = 15.0, []
    for rate in (40.0, 80.0, 160.0):
        clip = step(rate)
        found = fixed(slide(acceleration=bound), clip).clip
        cost = float(np.sum((found.positions - clip.positions) ** 2))
        over.append(cost / least_cost_under(bound, clip) - 1.0)
    assert min(over) > -1e-6
    assert over[0] < 0.03 and over[2] < 0.3 * over[0]


def test_time_alone_takes_as_long_as_a_trapezoid() -> None:
    """Where only time gives way, a step from rest to rest takes way / V + V / A; the tempo itself may change slowly."""
    way, bound = 1.7, 8.0
    t = np.linspace(0.0, 1.0, 401)
    clip = Clip(t, ("hinge",), way * (10.0 * t**3 - 15.0 * t**4 + 6.0 * t**5)[:, None])
    robot = hinge(velocity=SPEED, acceleration=bound)
    found = fixed(robot, clip, time=1.0)
    least = way / SPEED + SPEED / bound
    assert least - 1e-3 <= found.clip.duration <= 1.25 * least  # tempo eases in and out
    assert found.deviation.mean_m < 1e-3
    assert limit_usage(robot, found.clip, oversampling=50).peak("velocity") <= 1.0 + 1e-6


@pytest.mark.parametrize("stall", [0.95, 0.9, 0.8])
def test_an_arm_that_cannot_be_held_out_hangs_where_its_motor_can(stall: float) -> None:
    """m g l cos q = stall is the nearest posture that can be held: 1 kg at 0.1 m asks for 0.98 N m at q = 0.

    Motions around it are all but as near, as the mean of cos q counts, so that what is known is how near the answer is.
    """
    robot = hinge(centre=0.1, torque=stall)
    times, angle = np.linspace(0.0, 6.0, 301), float(np.arccos(stall / (9.81 * 0.1)))
    wanted = -angle + 0.15
    found = fixed(robot, Clip(times, ("hinge",), np.full((301, 1), wanted)))
    off = float(np.sqrt(np.mean((found.clip.positions - wanted) ** 2)))
    assert off == pytest.approx(0.15, rel=0.01)
    assert float(found.clip.positions.mean()) == pytest.approx(-angle, abs=0.005)
    assert limit_usage(robot, found.clip, oversampling=100).peak("torque") <= 1.0 + 1e-6


def test_what_is_inside_its_limits_comes_back_bit_for_bit() -> None:
    for character, clip in (("lamp", "lamp_look"), ("drummer", "drummer_beat")):
        wanted = an.load_clip(clip)
        assert limit_usage(an.load_character(character), wanted).holds
        found = fixed(an.load_character(character), wanted)
        assert not found.changed
        np.testing.assert_array_equal(found.clip.positions, wanted.positions)
        np.testing.assert_array_equal(found.clip.times, wanted.times)


def jerky(rate: float = 50.0) -> Clip:
    """Swings that are too quick at two places."""
    times = np.arange(round(4.0 * rate) + 1) / rate
    bumps = np.exp(-(((times - 1.0) / 0.15) ** 2)) - np.exp(-(((times - 3.0) / 0.15) ** 2))
    return Clip(times, ("hinge",), (0.3 * np.sin(2.0 * times) + 0.8 * bumps)[:, None])


LIMITED = {"velocity": 3.0, "acceleration": 40.0, "jerk": 1500.0}


def test_what_is_protected_comes_back_bit_for_bit() -> None:
    clip = jerky()
    found = fixed(hinge(**LIMITED), clip, protect=("1.9-2.4",))
    inside = (clip.times >= 1.9) & (clip.times <= 2.4)
    np.testing.assert_array_equal(found.clip.positions[inside], clip.positions[inside])
    fine = np.linspace(1.9, 2.4, 301)
    np.testing.assert_allclose(found.clip.spline(fine), clip.spline(fine), atol=1e-12)  # between frames, too
    assert np.abs(found.clip.positions - clip.positions).max() > 0.01


def test_an_accent_is_missed_by_less() -> None:
    """What counts more gives way less, ever less with its weight."""
    clip, near = jerky(), slice(45, 56)
    off = []
    for accents in ((), ("0.9-1.1x3",), ("0.9-1.1x30",)):
        found = fixed(hinge(**LIMITED), clip, accents=accents)
        off.append(float(np.sum((found.clip.positions - clip.positions)[near] ** 2)))
    assert off[2] < 0.9 * off[1] < 0.9**2 * off[0]


@pytest.mark.parametrize("duration", [3.52, 4.0, 5.28, 7.1])
def test_a_duration_that_is_asked_for_is_met(duration: float) -> None:
    clip = jerky()
    found = fixed(hinge(**LIMITED), clip, duration_s=duration, time=0.5)
    assert found.clip.duration == pytest.approx(duration, abs=1e-9)
    usage = limit_usage(hinge(**LIMITED), found.clip, oversampling=50)
    assert max(usage.peak(kind) for kind in ("velocity", "acceleration", "jerk")) <= 1.0 + 1e-6


def test_soft_ends_are_at_rest() -> None:
    clip = jerky()
    robot = hinge(**LIMITED)
    assert abs(clip.velocity(clip.times[:1])[0, 0]) > 0.5
    found = fixed(robot, clip, start="rest", end="rest")
    for when in (found.clip.times[:1], found.clip.times[-1:]):
        assert abs(found.clip.velocity(when)[0, 0]) < 1e-9
        assert abs(found.clip.acceleration(when)[0, 0]) < 1e-9
    assert found.clip.duration > clip.duration
    usage = limit_usage(robot, found.clip, oversampling=50)
    assert max(usage.peak(kind) for kind in ("velocity", "acceleration", "jerk")) <= 1.0 + 1e-6
