"""Clips of floating robots for programs that train controllers: a bare CSV, and an .npz with poses and contacts.

The CSV is what retargeted motion is passed around as: one line a frame, no header, base x, y, z [m], base quaternion
x, y, z, w, then all joints [rad or m] in MuJoCo's order (depth first). It says neither its rate nor the names of its
joints; 30 frames a second is what its readers take where nobody says otherwise.

The .npz holds, so that it can be read without animato and without pickle:

| array | holds |
|---|---|
| `qpos` | base x, y, z [m], base quaternion w, x, y, z, joints [rad or m], shape [frame, 7 + joint] |
| `joints` | names of the joints, shape [joint] |
| `fps` | frames a second |
| `bodies` | names of the bodies, shape [body] |
| `body_positions` | in the world [m], shape [frame, body, 3] |
| `body_quaternions_wxyz` | in the world, shape [frame, body, 4] |
| `contact_names` | what may touch, shape [contact] |
| `contacts` | whether it does, shape [frame, contact] |
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from animato.character import Character
from animato.errors import MotionError, OptionError
from animato.formats.files import write_whole
from animato.formats.training.base_rows import base_rows
from animato.formats.training.robot_csv import TRAINING_HZ, robot_csv_text
from animato.formats.training.robot_order import joint_columns, robot_order
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip
from animato.spatial import quaternions

_MOST_FRAMES = 1e7


def save_training_csv(path: str | Path, clip: Clip, character: Character, *, rate_hz: float = TRAINING_HZ) -> Path:
    """Writes base x, y, z, quaternion x, y, z, w and joints, one line a frame, without a header.

    Args:
        path: Where to.
        clip: With a base.
        character: Whose motion it is; tells the order of the joints.
        rate_hz: Frames a second; the clip is resampled.
    """
    return write_whole(path, robot_csv_text(training_qpos(clip, character, rate_hz), "xyzw"))


def save_training_npz(
    path: str | Path,
    clip: Clip,
    character: Character,
    *,
    rate_hz: float = TRAINING_HZ,
    contact_names: Sequence[str] = (),
    contact_times: np.ndarray | None = None,
    contacts: np.ndarray | None = None,
) -> Path:
    """Writes an .npz with `qpos`, names, poses of bodies and contacts, as the top of this module says.

    Args:
        path: Where to.
        clip: With a base.
        character: Whose motion it is.
        rate_hz: Frames a second; the clip is resampled.
        contact_names: What may touch the world.
        contact_times: When `contacts` are told [s], shape [moment]; a frame has those of the moment nearest to it.
        contacts: Whether each touches, shape [moment, contact].
    """
    qpos, times = training_qpos(clip, character, rate_hz), training_times(clip, rate_hz)
    poses = forward_kinematics(character, clip, times)
    buffer = io.BytesIO()
    np.savez(
        buffer,
        allow_pickle=False,
        qpos=qpos,
        joints=np.array(robot_order(character).joint_names, dtype=np.str_),
        fps=np.array(float(rate_hz)),
        bodies=np.array(poses.names, dtype=np.str_),
        body_positions=poses.positions,
        body_quaternions_wxyz=quaternions.continuous(poses.quaternions_wxyz),
        contact_names=np.array(list(contact_names), dtype=np.str_),
        contacts=_contacts_at(times, contact_times, contacts, len(contact_names)),
    )
    return write_whole(path, buffer.getvalue())


def training_times(clip: Clip, rate_hz: float) -> np.ndarray:
    """When the frames are [s], shape [frame]: evenly from the first on, the last at or before the clip's end."""
    if not (np.isfinite(rate_hz) and rate_hz > 0.0 and clip.duration * rate_hz < _MOST_FRAMES):
        raise OptionError(
            f"`rate_hz` must be greater than 0 and make less than {_MOST_FRAMES} frames; given {rate_hz}."
        )
    return clip.times[0] + np.arange(int(clip.duration * rate_hz + 1e-6) + 1) / rate_hz


def training_qpos(clip: Clip, character: Character, rate_hz: float) -> np.ndarray:
    """Base x, y, z [m], quaternion wxyz without jumps, joints depth first [rad or m], shape [frame, 7 + joint]."""
    if not clip.has_base:
        raise MotionError(
            f"The clip '{clip.source or 'unnamed'}' does not say where the base is, which training tools need. "
            "A clip of a floating character has base.x to base.qz."
        )
    even = clip.selected(character.coordinate_names).resampled(training_times(clip, rate_hz))
    names = robot_order(character).joint_names
    return np.hstack([base_rows(character, even), joint_columns(character, even, names)])


def _contacts_at(times: np.ndarray, told: np.ndarray | None, contacts: np.ndarray | None, count: int) -> np.ndarray:
    if told is None or contacts is None:
        if count:
            raise OptionError("`contact_names` need `contact_times` and `contacts`.")
        return np.zeros((len(times), 0), dtype=bool)
    given = np.asarray(contacts, dtype=bool)
    if given.shape != (len(told), count):
        raise OptionError(
            f"`contacts` must have the shape ({len(told)}, {count}), moments by names; given {given.shape}."
        )
    nearest = np.searchsorted(0.5 * (told[1:] + told[:-1]), times)
    return given[nearest]
