"""A motion put right on the frames of an editor, so that what is keyed there holds the limits itself.

A fix may put its frames anywhere in time. An editor has whole frames and single precision, and the curve through its
frames is another one, whose jerk may be several times as large. So the motion is put on the frames first, and what is
then too much is put right there, with a little room for rounding.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from animato.character import Character, Limits, TorqueSpeedCurve
from animato.findings import CheckResult, check
from animato.fix import Options, build, solve
from animato.motion import Clip
from animato.outcome import Progress

ROOM = 0.002
"""Of each limit of speed, acceleration, jerk and torque, left for rounding: jerk of 1e-7 rad at 120 frames a second is
0.0014 of 1000 rad/s^3."""
_SAME_S = 1e-9


def held_on_frames(
    character: Character, clip: Clip, rate_hz: float, options: Options, progress: Progress | None = None
) -> tuple[Clip, CheckResult]:
    """The motion on even frames, and the check of what an editor will keep of it.

    Args:
        character: Who performs.
        clip: Performable, its frames anywhere.
        rate_hz: Frames a second of the editor.
        options: Of the fix that it comes from; its timing is kept now.
        progress: Told what is being worked on.
    """
    framed = on_frames(clip, rate_hz)
    result = _checked(character, framed)
    closest = max((one.share for one in result.worst if one.kind != "position"), default=0.0)
    if result.outcome.usable and closest < 1.0 - 0.5 * ROOM:
        return framed, result
    # Stretches of time lie elsewhere once time gave way; joints are protected in any case.
    kept = options.protect if options.time == 0.0 and options.duration_s is None else ()
    joints = {joint.name for joint in character.joints}
    kept = kept or tuple(word for word in options.protect if word in joints)
    wanted = replace(options, time=0.0, duration_s=None, protect=kept, accents=(), start="clip", end="clip")
    again = solve(build(tightened(character, ROOM), framed, wanted), progress=progress)
    if not again.outcome.usable:
        return framed, result
    better = on_frames(again.clip, rate_hz)
    after = _checked(character, better)
    worse = result.outcome.usable and not after.outcome.usable
    return (framed, result) if worse else (better, after)


def on_frames(clip: Clip, rate_hz: float) -> Clip:
    """The same motion with even frames from 0 s on; it lasts up to one frame longer, so that it ends on a frame.

    Args:
        clip: Any.
        rate_hz: Frames a second.
    """
    count = math.ceil(clip.duration * rate_hz - 1e-6) + 1
    times = np.arange(count) / rate_hz
    if count == clip.frame_count and np.abs(clip.times - clip.times[0] - times).max() < _SAME_S:
        return replace(clip, times=times)
    return replace(clip.resampled(np.linspace(clip.times[0], clip.times[-1], count)), times=times)


def tightened(character: Character, share: float) -> Character:
    """The character with smaller limits of speed, acceleration, jerk and torque; ranges stay.

    Args:
        character: Which one.
        share: By which each limit is smaller.
    """
    joints = tuple(
        replace(joint, stated_limits=tuple(_tightened(one, 1.0 - share) for one in joint.limits))
        for joint in character.joints
    )
    return replace(character, joints=joints)


def _tightened(limits: Limits, part: float) -> Limits:
    names = ("velocity", "acceleration", "jerk", "torque")
    smaller = {name: getattr(limits, name) * part for name in names if getattr(limits, name) is not None}
    curve = limits.curve
    if curve is not None:
        curve = TorqueSpeedCurve(curve.speeds, tuple(one * part for one in curve.torques))
    return replace(limits, **smaller, curve=curve)


def _checked(character: Character, clip: Clip) -> CheckResult:
    """The check of the numbers that an editor keeps."""
    single = clip.positions.astype(np.float32).astype(np.float64)
    return check(character, replace(clip, positions=single), keep_reference_pose=True)
