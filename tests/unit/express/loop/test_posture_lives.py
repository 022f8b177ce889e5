"""Postures that change and clips that run underneath while the loop faces."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from animato.character.character import Character
from animato.express.facing.errors import facing_errors
from animato.express.gaze.gaze_objective import tip_pose
from animato.express.loop.live_loop import Loop
from animato.express.options import Options
from animato.express.problem import Target, build
from animato.express.solving import solve
from animato.formats.character_files import load_character
from animato.formats.motion_files import load_motion
from animato.mechanics.limits import limit_usage
from animato.motion.clip import Clip
from animato.motion.posture import Posture
from animato.spatial import quaternions

MOODS = ("curious", "sad", "proud", "work")


@functools.cache
def cast(name: str) -> Character:
    return load_character(name)


def animation(name: str) -> Clip:
    clip = load_motion(name)
    assert isinstance(clip, Clip)
    return clip


def lamp_loop(posture: str = "proud", **options: float) -> Loop:
    return Loop(build(cast("lamp"), posture, options=Options(rate_hz=50.0, **options)), record=True)  # type: ignore[arg-type]


def test_a_posture_switched_each_second_while_a_target_circles() -> None:
    loop = lamp_loop(smoothness=0.0)
    for n in range(400):
        if n % 50 == 0:
            assert loop.hold(MOODS[n // 50 % 4])
        angle = 0.8 * np.sin(0.02 * n)
        loop.submit([1.5 * np.cos(angle), 1.5 * np.sin(angle), 0.3])
        loop.step()
    report = loop.report()
    assert not report.warnings
    assert max(report.limit_share.values()) <= 1.0 + 1e-9
    held = loop.held().positions
    assert np.abs(np.diff(held, axis=0)).max() * 50.0 < 12.0  # a jump would be a radian in a frame, 50 rad/s
    assert np.ptp(held, axis=0).max() > 0.5
    commands = loop.commands

    def away(frame: int, mood: str) -> float:
        """Posture error of a command, whatever it faces."""
        posture, there = Posture.named(cast("lamp"), mood), commands[frame].positions
        values = np.array([posture.value(name) for name in loop.problem.names])
        return float(facing_errors(loop.chain, there[None], values, tip_pose(loop.chain, there)[0][None]).posture[0])

    for n in range(1, 8):  # within its second each posture is taken up, as far as that faces
        assert away(50 * n + 49, MOODS[n % 4]) < 0.7 * away(50 * n, MOODS[n % 4])
    assert np.degrees(np.median([one.error_rad for one in commands[50:]])) < 1.0


def test_without_a_target_the_posture_is_reached_and_kept() -> None:
    loop = lamp_loop()
    assert loop.hold("sad", blend_s=0.5)
    for _ in range(200):
        command = loop.step()
    sad = Posture.named(cast("lamp"), "sad")
    assert np.abs(command.positions - [sad.value(name) for name in command.names]).max() < 1e-6
    assert np.abs(command.velocities).max() < 1e-6
    assert loop.arrived


def test_a_target_can_be_released() -> None:
    loop = lamp_loop()
    loop.submit([1.0, 0.6, 0.3])
    for _ in range(150):
        loop.step()
    assert loop.target is not None and loop.targets
    assert loop.release() and loop.target is None
    for _ in range(250):
        command = loop.step()
    assert command.error_rad == 0.0
    assert np.abs(command.positions - loop.problem.held).max() < 1e-3
    assert not loop.release("lihgt")
    assert "Did you mean 'light'" in loop.report().warnings[0].first


def test_lines_say_posture_weights_and_manner() -> None:
    loop = lamp_loop()
    assert loop.submit_line('{"posture": "curious", "blend_s": 0.1, "smoothness": 0.7, "posture_weight": 0.1}')
    assert loop.submit_line('{"point": [1, 0.5, 0.3], "end_point": "light", "time_s": 4}')
    for _ in range(8):
        loop.step()
    assert loop._pipeline.filter.manner.smoothness == 0.7
    assert loop.targets == {"light": Target(point=(1.0, 0.5, 0.3), end_point="light", time_s=4.0)}
    curious = Posture.named(cast("lamp"), "curious").positions
    assert np.abs(loop.held().positions[-1] - curious).max() < 1e-12
    assert not loop.report().warnings


@pytest.mark.parametrize(
    "line",
    [
        '{"posture": "prowd"}',
        '{"posture": "lamp_look.csv"}',
        '{"posture": [9, 9, 9, 9, 9]}',
        '{"posture": {"nood": 1}, "point": [1, 1, 1]}',
        '{"smoothness": [0.1, 0.2]}',
        '{"point": [1, 1, 1], "end_point": "lihgt"}',
    ],
)
def test_a_bad_line_changes_nothing(line: str) -> None:
    loop, other = lamp_loop(), lamp_loop()
    for _ in range(10):
        assert not loop.submit_line(line)
        assert loop.step().positions.tobytes() == other.step().positions.tobytes()
    assert {one.kind for one in loop.report().warnings} == {"bad line"}
    assert not loop.targets


def test_points_of_a_line_are_fitted_where_the_solver_works() -> None:
    from animato.express.postures.joint_points import joint_points

    loop = lamp_loop()
    wanted = Posture.named(cast("lamp"), "curious")
    points = joint_points(loop.chain, [wanted.value(name) for name in loop.chain.names])
    assert loop.submit_line(f'{{"posture": {points.tolist()}, "blend_s": 0.05}}')
    for _ in range(10):
        loop.step()
    held = loop.held().selected(loop.chain.names).positions[-1]
    assert np.abs(joint_points(loop.chain, held) - points).max() < 1e-3


def test_a_hold_that_is_none_is_refused() -> None:
    loop = lamp_loop()
    for bad in (None, 3, "", object(), [1.0], {"nod": "far"}, [[1.0] * 3] * 6, np.full(5, np.nan)):
        assert not loop.hold(bad)  # type: ignore[arg-type]
    assert not loop.hold("sad", blend_s=-1.0) and not loop.hold("sad", blend_s=np.nan)
    assert {one.kind for one in loop.report().warnings} == {"bad posture"}
    assert np.abs(loop.step().positions - loop.problem.held).max() == 0.0


def test_a_clip_underneath_comes_out_as_it_was() -> None:
    """No target, and all of it within limits: nothing is changed but by what the filter eases."""
    lamp, clip = cast("lamp"), animation("lamp_look")
    assert limit_usage(lamp, clip).peak("jerk") < 1.0
    loop = Loop(build(lamp, clip, options=Options(rate_hz=50.0, smoothness=0.0)), record=True)
    loop.play(seconds=clip.duration)
    times = clip.times[:-5]
    held, performed = (one.selected(clip.names).spline(times + 2.0 / 50.0) for one in (loop.held(), loop.clip()))
    assert np.abs(held - clip.spline(times)).max() < 1e-9
    frame = np.abs(clip.velocity()).max() / 50.0  # the way of one frame: the filter hears of a motion when it is there
    assert np.abs(performed - clip.spline(times)).max() < frame


def test_a_clip_underneath_moves_the_whole_body() -> None:
    pico, clip = cast("pico"), animation("pico_hello")
    problem = build(pico, clip, options=Options(end_point="eyes", rate_hz=50.0))
    loop = Loop(problem, record=True)
    report = loop.play(seconds=1.0)
    assert not report.warnings and max(report.limit_share.values()) <= 1.0 + 1e-9
    assert set(loop.names) == set(pico.coordinate_names)
    performed = loop.clip()
    assert performed.has_base
    others = [name for name in clip.names if name not in problem.names]
    assert np.ptp(performed.selected(others).positions, axis=0).max() > 0.1
    alone = Loop(problem, whole_body=False)
    assert alone.names == problem.names


def test_targets_are_in_the_world_where_a_clip_moves_the_base() -> None:
    pico, z = cast("pico"), np.array([0.0, 0.0, 1.0])
    times = np.linspace(0.0, 2.0, 41)
    turned = quaternions.quaternion_about(z, 0.3 * np.minimum(times, 1.0))
    clip = Clip(times, ("waist_yaw",), np.zeros((41, 1)), np.tile([0.3, 0.0, 0.2], (41, 1)), turned)
    loop = Loop(build(pico, "stand", options=Options(end_point="eyes", rate_hz=50.0), clip=clip), record=True)
    loop.submit(Target(direction=(1.0, 0.0, 0.0)))
    for _ in range(200):
        command = loop.step()
    assert command.error_rad < 0.01
    own = dict(zip(command.names, command.positions, strict=True))
    assert own["waist_yaw"] + own["neck_pan"] == pytest.approx(-0.3, abs=0.05)


def test_a_clip_is_warped_towards_a_gaze_and_judged() -> None:
    lamp, clip = cast("lamp"), animation("lamp_look")
    points = [[1.0, 0.4 * np.sin(0.02 * n), 0.3] for n in range(200)]
    solution = solve(build(lamp, clip, points, Options(smoothness=0.5)))  # torques are judged, not planned
    assert solution.outcome.usable and solution.usage.holds
    assert solution.clip.duration >= clip.duration
    middle = clip.duration / 2.0
    held = solution.held.spline(np.array([middle + 0.02]))[0]
    assert np.abs(held - clip.spline(np.array([middle]))[0]).max() < 1e-3
