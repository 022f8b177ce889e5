"""Characters and clips for tests of transitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Body, Character, Joint, JointType, Limits
from animato.fix.joining import Joined
from animato.mechanics.limits import LIMIT_KINDS, limit_usage
from animato.motion import Clip
from animato.spatial import quaternions


def wave(names: tuple[str, ...], size: float, phase: float, frames: int = 80, rate_hz: float = 50.0) -> Clip:
    """All coordinates swing; at both ends they are in motion."""
    times = np.arange(frames) / rate_hz
    return Clip(times, names, size * np.sin(2.5 * times[:, None] + phase + np.arange(len(names))))


def piece(clip: Clip, first: int, last: int) -> Clip:
    """Frames of a clip as a clip."""
    frames = slice(first, last)
    place, turn = clip.base_positions, clip.base_quaternions_wxyz
    return Clip(
        clip.times[frames],
        clip.names,
        clip.positions[frames],
        None if place is None else place[frames],
        None if turn is None else turn[frames],
    )


def _body(name: str) -> Body:
    return Body(name, mass=0.5, centre=(0.0, 0.0, 0.05), inertia=(0.001, 0.001, 0.001, 0.0, 0.0, 0.0))


def ball_head(**limits: float) -> Character:
    """A head on a ball joint."""
    stated = Limits(**{"upper": 1.2, "velocity": 3.0, "acceleration": 15.0, "jerk": 300.0, "torque": 2.0, **limits})
    ground = Joint("ground", JointType.GROUND, "world", "post")
    neck = Joint("neck", JointType.SPHERICAL, "post", "head", stated_limits=(stated,))
    return Character("ball_head", (_body("post"), _body("head")), (ground, neck))


def nod(axis: tuple[float, float, float], size: float, phase: float, sign: float = 1.0, frames: int = 60) -> Clip:
    """The head of `ball_head` swings about an axis."""
    times = np.arange(frames) / 50.0
    turns = quaternions.quaternion_from_rotation_vector(np.array(axis) * size * np.sin(2 * times + phase)[:, None])
    return Clip(times, ball_head().coordinate_names, sign * turns)


def hinge(*, floats: bool = False, **limits: float) -> Character:
    """One joint, on a base that is held or floats."""
    elbow = Joint("elbow", JointType.REVOLUTE, "post", "arm", stated_limits=(Limits(**limits),))
    joints = (elbow,) if floats else (Joint("ground", JointType.GROUND, "world", "post"), elbow)
    return Character("hinge", (_body("post"), _body("arm")), joints)


def walking(speed: float, heading: float, start: tuple[float, float], frames: int = 60) -> Clip:
    """The base of `hinge` goes straight on; its elbow swings."""
    times = np.arange(frames) / 50.0
    along = np.array([np.cos(heading), np.sin(heading), 0.0])
    places = np.array([*start, 0.8]) + speed * times[:, None] * along
    turns = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), np.full(frames, heading))
    return replace(wave(("elbow",), 0.3, 0.0, frames), base_positions=places, base_quaternions_wxyz=turns)


def worst_share(joined: Joined) -> float:
    """The largest share of any limit within the transitions, at every hundredth of a frame."""
    worst = 0.0
    for one in joined.transitions:
        near = piece(joined.clip, max(0, one.first_frame - 30), one.last_frame + 31)  # the spline feels no more
        usage = limit_usage(joined.character, near, oversampling=100)
        inside = (usage.times >= one.start_s - 1e-9) & (usage.times <= one.end_s + 1e-9)
        worst = max(worst, *(float(np.nan_to_num(usage.shares[kind][inside]).max()) for kind in LIMIT_KINDS))
    return worst
