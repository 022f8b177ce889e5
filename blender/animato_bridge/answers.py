# SPDX-License-Identifier: GPL-3.0-or-later
"""What animato answers becomes actions, heat and markers; the artist's own action is never changed."""

import numpy as np

from .armature import channel_path
from .curves import ActionWriter, new_action
from .heat import play_heat

MARKS = "animato_marks"
"""Custom property of the scene: names and frames of the markers that are ours, to be taken away again."""
_SIGN = "! "


def apply_answer(rig, told, scene, sampled, answer, name):
    """Puts an answer into the scene; a generator for a job, one step a bone.

    A fix becomes a new action. A check leaves the artist's action where it is; where closed loops move bones that
    nobody can key, it goes on in a copy that has their keys. Heat is an action of the armature's data.

    Args:
        rig: The armature.
        told: What animato says of the character.
        scene: Gets the markers.
        sampled: The motion that was asked about.
        answer: animato's.
        name: Of the artist's action.
    """
    put_marks(scene, answer["marks"], sampled.first_frame, sampled.rate_hz)
    if not len(answer["values"]):
        return
    if answer["verb"] == "fix":
        yield from _play(
            rig, told, answer, sampled.first_frame, new_action(f"{name}.fixed"), ("driven", "free", "computed")
        )
    elif any(bone["role"] == "computed" for bone in told["bones"]):
        own = rig.animation_data.action if rig.animation_data else None
        copy = own.copy() if own is not None else new_action(name)
        copy.name, copy.use_fake_user = f"{name}.closed", True
        yield from _play(rig, told, answer, sampled.first_frame, copy, ("computed",))
    yield from play_heat(rig, told, answer, sampled.first_frame, f"{name}.{answer['verb']} heat")


def _play(rig, told, answer, first_frame, action, roles):
    """Writes the values of bones of some roles into an action and plays it."""
    writer = ActionWriter(action, rig)
    columns = {coordinate: n for n, coordinate in enumerate(answer["coordinates"])}
    frames = first_frame + np.arange(len(answer["values"]), dtype=float)
    for bone in told["bones"]:
        if bone["role"] not in roles:
            continue
        for channel in bone["channels"]:
            if channel["coordinate"] in columns:
                values = channel["sign"] * answer["values"][:, columns[channel["coordinate"]]]
                writer.write(channel_path(bone, channel), channel["index"], frames, values, group=bone["bone"])
        yield "writing the action"
    writer.assign()


def put_marks(scene, marks, first_frame, rate_hz) -> None:
    """Sets a marker at each moment that is too much; those of the last answer go.

    Args:
        scene: Whose timeline.
        marks: With `name` and `time_s`.
        first_frame: Of the motion.
        rate_hz: Frames a second.
    """
    clear_marks(scene)
    ours = []
    for mark in marks:
        frame = first_frame + round(mark["time_s"] * rate_hz)
        made = scene.timeline_markers.new(_SIGN + mark["name"], frame=frame)
        ours.append(f"{made.frame} {made.name}")
    if ours:
        scene[MARKS] = ours


def clear_marks(scene) -> None:
    """Takes the markers of the last answer away, and no others."""
    ours = set(scene.get(MARKS, ()))
    for marker in list(scene.timeline_markers):
        if f"{marker.frame} {marker.name}" in ours:
            scene.timeline_markers.remove(marker)
    if MARKS in scene:
        del scene[MARKS]


def protected(scene, first_frame, rate_hz):
    """Stretches of time that markers protect, as `fix` wants them.

    A marker `keep` protects from its frame to the next marker `end`; without one, its own frame alone.

    Args:
        scene: Whose markers.
        first_frame: Of the motion, which is 0 s.
        rate_hz: Frames a second.
    """
    words = []
    marks = sorted(scene.timeline_markers, key=lambda marker: marker.frame)
    for n, marker in enumerate(marks):
        if not marker.name.lower().startswith("keep"):
            continue
        after = next((one for one in marks[n + 1 :] if one.name.lower() == "end"), None)
        again = next((one for one in marks[n + 1 :] if one.name.lower().startswith("keep")), None)
        alone = after is None or (again is not None and again.frame < after.frame)
        start, end = (marker.frame - 0.5, marker.frame + 0.5) if alone else (marker.frame, after.frame)
        seconds = [max(0.0, (frame - first_frame) / rate_hz) for frame in (start, end)]
        if seconds[1] > seconds[0]:
            words.append(f"{seconds[0]:.6f}-{seconds[1]:.6f}")
    return words
