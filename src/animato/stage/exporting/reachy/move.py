"""A clip as a recorded move of Reachy Mini: poses of the head, antennas, turn of the body, and a sound beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from animato.errors import OptionError, unknown_name
from animato.formats.files import read_bytes_whole, write_whole
from animato.stage.exporting.provenance import provenance_of
from animato.stage.exporting.reachy.head_poses import head_poses, is_reachy
from animato.stage.exporting.take import Exported, Take

_SOUNDS = (".wav", ".mp3", ".ogg", ".oga", ".opus", ".flac", ".m4a", ".aac")
_LARGEST_SOUND = 500_000_000
_ANTENNAS = ("right_antenna", "left_antenna")
_BODY_YAW = "yaw_body"


def write(
    path: Path,
    take: Take,
    *,
    head: str = "head",
    antennas: Sequence[str] | None = None,
    body_yaw: str | None = None,
    head_height_m: float | None = None,
    sound: str | Path | None = None,
    description: str | None = None,
) -> Exported:
    """Writes the move as JSON, and its sound under the same name.

    Args:
        path: The file.
        take: What is exported.
        head: The body or marker whose pose is the head's.
        antennas: The coordinates of the right and the left antenna [rad], positive as Reachy Mini's programs have it.
        body_yaw: The coordinate that turns the body [rad].
        head_height_m: How high the head stands where its pose is zero [m].
        sound: A sound file that is played with the move.
        description: For people.
    """
    names = take.clip.names
    said = []
    # the joints of the robot's own model turn against what its programs call positive
    sign = -1.0 if antennas is None and is_reachy(take.character) else 1.0
    if antennas is None:
        antennas = _ANTENNAS if set(_ANTENNAS) <= set(names) else ()
    if len(antennas) not in (0, 2):
        raise OptionError(f"`antennas` are two coordinates, the right one and the left one; given {len(antennas)}.")
    if body_yaw is None:
        body_yaw = _BODY_YAW if _BODY_YAW in names else ""
    for one in (*antennas, *([body_yaw] if body_yaw else [])):
        if one not in names:
            raise unknown_name("coordinate", one, names, take.character.name)
    if sound is not None and Path(sound).suffix.lower() not in _SOUNDS:
        raise OptionError(f"`sound` ends in {', '.join(_SOUNDS)}; given '{sound}'.")
    if take.clip.frame_count < 2:
        raise OptionError("A move has two frames at least.")
    poses = head_poses(take.character, take.clip, head, height_m=head_height_m)
    count = take.clip.frame_count
    wings = sign * take.clip.selected(antennas).positions if antennas else np.zeros((count, 2))
    turns = take.clip.positions[:, take.clip.column(body_yaw)] if body_yaw else np.zeros(count)
    said += [] if antennas else ["Nothing moves the antennas; they stay at 0. Name two coordinates as `antennas`."]
    said += [] if body_yaw else ["Nothing turns the body; it stays at 0. Name a coordinate as `body_yaw`."]
    if take.clip.has_base:
        said.append("Reachy Mini stands where it stands; where the base goes is left out.")
    about = provenance_of(take, head=head, antennas=list(antennas), body_yaw=body_yaw)
    data = {
        "description": description or take.name,
        "time": take.clip.times.tolist(),
        "set_target_data": [
            {"head": pose, "antennas": wing, "body_yaw": turn, "check_collision": False}
            for pose, wing, turn in zip(poses.tolist(), wings.tolist(), turns.tolist(), strict=True)
        ],
        "animato": about,
    }
    files = []
    if sound is not None:  # before the move, so that a sound that cannot be read leaves nothing behind
        content = read_bytes_whole(Path(sound), largest=_LARGEST_SOUND)
        files.append(write_whole(path.with_suffix(Path(sound).suffix.lower()), content))
    files.insert(0, write_whole(path, json.dumps(data) + "\n"))
    return Exported(tuple(files), tuple(said))
