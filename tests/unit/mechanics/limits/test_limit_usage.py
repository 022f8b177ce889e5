from __future__ import annotations

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Coupling, Joint
from animato.character.landmarks import Sole
from animato.character.limits import Limits, TorqueSpeedCurve
from animato.character.servo import Actuator
from animato.mechanics.limits import limit_usage
from animato.mechanics.limits.fitting_speed import fitting_speed
from animato.mechanics.limits.naive_playback import naive_playback
from animato.motion.clip import Clip
from animato.spatial import quaternions

TIMES = np.linspace(0, 2 * np.pi, 401)
GROUND = Joint("stand", "ground", "world", "base")


def turntable(limits: Limits, **joint: object) -> Character:
    """Turns about the vertical, so gravity asks for nothing; 0.5 kg m^2."""
    disc = Body("disc", mass=1.0, centre=(0, 0, 0), inertia=(0.3, 0.3, 0.5, 0, 0, 0))
    turn = Joint("turn", "revolute", "base", "disc", axis=(0, 0, 1), stated_limits=(limits,), **joint)  # type: ignore[arg-type]
    return Character("turntable", (Body("base"), disc), (GROUND, turn))


def sine(amplitude: float = 1.0, rate: float = 1.0) -> Clip:
    return Clip(TIMES / rate, ("turn",), amplitude * np.sin(TIMES)[:, None])


def peak(character: Character, clip: Clip, kind: str) -> float:
    return float(np.nanmax(limit_usage(character, clip).shares[kind]))


def test_shares_of_a_sine_are_known() -> None:
    character = turntable(Limits(-2, 2, velocity=4, acceleration=8, jerk=16, torque=5))
    clip = sine(rate=2)
    shares = [peak(character, clip, kind) for kind in ("position", "velocity", "acceleration", "jerk", "torque")]
    # amplitude 1 at 2 rad/s: 1, 2, 4, 8 and 0.5 * 4; the spline's own error at 400 frames is below 1e-3
    np.testing.assert_allclose(shares, [0.5, 0.5, 0.5, 0.5, 0.4], rtol=1e-3)
    usage = limit_usage(character, clip)
    assert usage.holds
    assert fitting_speed(character, clip, usage) == 1.0


def test_the_position_share_is_about_the_middle_of_the_range() -> None:
    character = turntable(Limits(0.0, 4.0))
    np.testing.assert_allclose(peak(character, Clip([0.0, 1.0], ("turn",), [[1.0], [5.0]]), "position"), 1.5)
    one_sided = turntable(Limits(upper=1.0))
    np.testing.assert_allclose(peak(one_sided, Clip([0.0], ("turn",), [[1.25]]), "position"), 1.25)


def test_no_limit_gives_no_share() -> None:
    usage = limit_usage(turntable(Limits()), sine())
    assert all(np.isnan(share).all() for share in usage.shares.values())
    assert usage.holds


def test_peaks_between_frames_are_seen() -> None:
    coarse = Clip([0.0, 1.0, 2.0, 3.0], ("turn",), [[0.0], [1.0], [1.0], [0.0]])
    assert peak(turntable(Limits(-1, 1)), coarse, "position") > 1.1
    assert np.nanmax(limit_usage(turntable(Limits(-1, 1)), coarse, oversampling=1).shares["position"]) == pytest.approx(
        1.0
    )


def test_a_curve_holds_while_driving_and_not_while_braking() -> None:
    curve = TorqueSpeedCurve((0.0, 2.0), (1.0, 0.0))
    usage = limit_usage(turntable(Limits(curve=curve)), sine())
    torque, speed = usage.values["torque"][:, 0], usage.values["velocity"][:, 0]
    share = usage.shares["torque"][:, 0]
    driving = torque * speed > 1e-6
    braking = torque * speed < -1e-6
    np.testing.assert_allclose(share[driving], np.abs(torque / (1 - np.abs(speed) / 2))[driving], rtol=1e-9)
    np.testing.assert_allclose(share[braking], np.abs(torque)[braking], rtol=1e-9)
    assert np.any(driving)
    assert np.any(braking)


def test_slowing_down_by_the_fitting_speed_just_fits() -> None:
    character = turntable(Limits(velocity=0.8, acceleration=0.5, jerk=0.4, torque=1.0))
    clip = sine()
    usage = limit_usage(character, clip)
    speed = fitting_speed(character, clip, usage)
    assert speed is not None
    np.testing.assert_allclose(speed, min(0.8, 0.5**0.5, 0.4 ** (1 / 3)), rtol=1e-3)
    slowed = Clip(clip.times / (speed * 0.9999), clip.names, clip.positions)
    assert limit_usage(character, slowed).holds


def test_gravity_alone_cannot_be_slowed_down() -> None:
    bob = Body("bob", mass=10.0, centre=(1.0, 0, 0), inertia=(0, 0, 0, 0, 0, 0))
    pivot = Joint("turn", "revolute", "base", "bob", axis=(0, 1, 0), actuator=Actuator("SG90"))
    character = Character("heavy", (Body("base"), bob), (GROUND, pivot))
    clip = sine(0.1)
    assert fitting_speed(character, clip, limit_usage(character, clip)) is None


def test_spherical_joints_are_limited_by_magnitude() -> None:
    ball = Joint("ball", "spherical", "base", "disc", stated_limits=(Limits(upper=1.0, velocity=2.0),))
    character = Character("ball", (Body("base"), Body("disc", mass=1.0)), (GROUND, ball))
    axis = np.array((1, 2, 2)) / 3
    turns = quaternions.quaternion_about(axis, 0.8 * np.sin(TIMES))
    usage = limit_usage(character, Clip(TIMES, character.coordinate_names, turns))
    np.testing.assert_allclose(np.nanmax(usage.shares["position"]), 0.8, rtol=1e-4)
    np.testing.assert_allclose(np.nanmax(usage.shares["velocity"]), 0.4, rtol=1e-3)
    assert [axis.name for axis in usage.axes] == ["ball"]


def test_followers_have_limits_of_their_own() -> None:
    character = turntable(Limits())
    follower = Joint(
        "gear", "revolute", "base", "wheel", coupling=Coupling("turn", 3.0), stated_limits=(Limits(-1, 1),)
    )
    geared = Character("g", (*character.bodies, Body("wheel")), (*character.joints, follower))
    np.testing.assert_allclose(peak(geared, sine(0.5), "position"), 1.5, rtol=1e-3)


def test_what_was_assumed_is_said() -> None:
    foot = Body("foot", mass=1.0, centre=(0, 0, 0.1))
    corners = ((0.1, 0.1, 0), (-0.1, 0.1, 0), (-0.1, -0.1, 0), (0.1, -0.1, 0))
    leg = Joint(
        "knee",
        "revolute",
        "foot",
        "leg",
        frame_parent=Frame((0, 0, 0.2)),
        axis=(0, 1, 0),
        stated_limits=(Limits(torque=5),),
    )
    body = Body("leg", mass=1.0, centre=(0, 0, 0.5))
    stands = Character("stork", (foot, body), (leg,), soles=(Sole("sole", "foot", corners),))
    usage = limit_usage(stands, Clip([0.0, 1.0], (), np.zeros((2, 0))))
    text = " ".join(usage.notes)
    assert "does not name 1 coordinates; they are held at rest: knee" in text
    assert "held still at the origin" in text
    assert "floor" in text
    tipping = limit_usage(stands, Clip([0.0], ("knee",), [[1.5]]))
    assert any("It would tip" in note for note in tipping.notes)


def test_naive_playback_saturates() -> None:
    character = turntable(Limits(-0.5, 0.5, velocity=0.4))
    clip = sine()
    done = naive_playback(character, clip)
    assert np.abs(done.positions).max() <= 0.5
    assert np.abs(np.diff(done.positions[:, 0]) / np.diff(done.times)).max() <= 0.4 + 1e-12
    easy = sine(0.1)
    assert naive_playback(turntable(Limits(-2, 2, velocity=4)), easy).same_as(easy)
