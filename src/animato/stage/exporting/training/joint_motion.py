"""Joints of a take in the order of a file: where they are and how fast they go."""

from __future__ import annotations

import numpy as np

from animato.errors import OptionError
from animato.formats.files import units_of
from animato.formats.training import base_rows, joint_columns
from animato.mechanics.tree import states_of_clip
from animato.motion import Clip
from animato.spatial import quaternions
from animato.stage.exporting.take import Take
from animato.stage.exporting.training.body_motion import times_in_original

BASE_AT_REST = (
    "The clip does not say where the base is; it is written at rest, where the ground holds it or at the origin."
)


def base_note(take: Take) -> tuple[str, ...]:
    """What has to be said of the base."""
    return () if take.clip.has_base else (BASE_AT_REST,)


def base_word(take: Take) -> str:
    """What a file says of its base, for the reader."""
    return "moves" if take.clip.has_base else "at rest"


def qpos_rows(take: Take, names: tuple[str, ...]) -> np.ndarray:
    """Base x, y, z [m], quaternion w, x, y, z, joints [rad or m], shape [frame, 7 + name]."""
    return np.hstack([base_rows(take.character, take.clip), joint_columns(take.character, take.clip, names)])


def joint_rates(take: Take, names: tuple[str, ...]) -> np.ndarray:
    """Velocities of the joints [rad/s or m/s], shape [frame, name], of the original clip's spline."""
    clip, times = take.original, times_in_original(take)
    found = clip.velocity(times)
    rates = {name: found[:, n] for n, name in enumerate(clip.names)}
    still = np.zeros(len(times))
    columns = []
    for name in names:
        gear = None if name in take.character.coordinate_names else take.character.joint(name).coupling
        columns.append(rates.get(name, still) if gear is None else gear.ratio * rates.get(gear.leader, still))
    return np.column_stack(columns) if columns else np.zeros((len(times), 0))


def base_rates(take: Take) -> np.ndarray:
    """As in MuJoCo's `qvel`: linear [m/s] along the world's axes, angular [rad/s] about the base's, [frame, 6]."""
    clip = take.original
    if not clip.has_base:
        return np.zeros((take.clip.frame_count, 6))
    still = Clip(clip.times, (), np.zeros((clip.frame_count, 0)), clip.base_positions, clip.base_quaternions_wxyz)
    states = states_of_clip(take.character, still, times_in_original(take))
    rates = np.array(states.velocities[:, :6])
    rates[:, :3] = quaternions.rotate(states.root[:, 3:], rates[:, :3])
    return rates


def refuse_balls(take: Take, names: tuple[str, ...], format_name: str) -> None:
    """Refuses characters with joints that a file of one number a joint cannot hold.

    Raises:
        OptionError: There is a ball joint.
    """
    balls = [name for name, unit in zip(names, units_of(names, take.character), strict=True) if unit == "1"]
    if balls:
        raise OptionError(
            f"{format_name} holds joints of one axis; '{balls[0].removesuffix('.qw')}' of '{take.character.name}' is a "
            "ball. Write it as three hinges in the character file, or export it as holosoma or kimodo."
        )
