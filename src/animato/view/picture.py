"""Still pictures: a pose, key poses side by side in time, a strobe of a whole motion."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from animato.character import Character
from animato.errors import OptionError
from animato.formats.files import write_whole
from animato.motion import Clip, Posture
from animato.view.raster import Camera, Look, with_label
from animato.view.scene import key_frames, set_stage


def render_picture(
    character: Character,
    clip: Clip | None = None,
    *,
    frame: int | None = None,
    time: float | None = None,
    posture: Posture | None = None,
    ghost: Clip | None = None,
    width: int = 640,
    height: int = 480,
    camera: Camera | None = None,
    look: Look | None = None,
    trails: str | Sequence[str] = (),
    label: str | None = None,
) -> np.ndarray:
    """Draws one moment of a character.

    Args:
        character: Who is drawn.
        clip: How it moves; without one the posture is drawn, without a posture the rest pose.
        frame: Which frame of the clip; the first where neither frame nor time is given.
        time: Or which moment [s].
        posture: Instead of a clip.
        ghost: A second motion of the same character, drawn translucent at the same time.
        width: [pixels].
        height: [pixels].
        camera: Who looks; where not given, one that frames the whole motion.
        look: Quality and surroundings.
        trails: Names of end-points, markers or bodies whose path is drawn.
        label: Text in the corner; None writes the time for a clip, "" writes nothing.

    Returns:
        sRGB bytes, shape [height, width, 3].
    """
    stage = set_stage(
        character,
        clip,
        posture=posture,
        ghost=ghost,
        camera=camera,
        width=width,
        height=height,
        look=look,
        trails=trails,
    )
    moment = _moment(stage.clip, frame, time)
    if label is None:
        label = time_label(moment) if clip is not None and stage.look.labels else ""
    return with_label(stage.picture(moment), label)


def render_key_pictures(
    character: Character,
    clip: Clip,
    *,
    count: int = 6,
    frames: Sequence[int] | None = None,
    ghost: Clip | None = None,
    width: int = 320,
    height: int = 320,
    camera: Camera | None = None,
    look: Look | None = None,
) -> list[np.ndarray]:
    """Draws the poses that tell a motion, all seen by one camera, each with its time.

    Args:
        character: Who moves.
        clip: How.
        count: How many pictures; the frames are chosen by `key_frames`.
        frames: Or which frames.
        ghost: A second motion, drawn translucent.
        width: Of each picture [pixels].
        height: Of each picture [pixels].
        camera: Who looks; where not given, one that frames the whole motion.
        look: Quality and surroundings.

    Returns:
        Pictures in the order of time, each sRGB bytes of shape [height, width, 3].
    """
    stage = set_stage(character, clip, ghost=ghost, camera=camera, width=width, height=height, look=look)
    chosen = key_frames(clip, count) if frames is None else list(frames)
    moments = [_moment(clip, frame, None) for frame in chosen]
    return [with_label(stage.picture(moment), time_label(moment) if stage.look.labels else "") for moment in moments]


def render_strobe(
    character: Character,
    clip: Clip,
    *,
    count: int = 6,
    times: Sequence[float] | None = None,
    width: int = 960,
    height: int = 540,
    camera: Camera | None = None,
    look: Look | None = None,
    trails: str | Sequence[str] = (),
) -> np.ndarray:
    """Several poses of a motion in one picture: the last one solid, the earlier ones the fainter the older.

    Args:
        character: Who moves.
        clip: How.
        count: How many poses, chosen by `key_frames`; a motion that ends where it began is shown up to the
            last pose before it returns.
        times: Or at which moments [s].
        width: [pixels].
        height: [pixels].
        camera: Who looks; where not given, one that frames the whole motion.
        look: Quality and surroundings.
        trails: Names of end-points, markers or bodies whose path is drawn.

    Returns:
        sRGB bytes, shape [height, width, 3].
    """
    stage = set_stage(character, clip, camera=camera, width=width, height=height, look=look, trails=trails)
    moments = (
        [float(clip.times[n]) for n in _strobe_frames(clip, count)] if times is None else [float(t) for t in times]
    )
    if not moments:
        raise OptionError("A strobe needs at least one moment.")
    opacities = np.linspace(0.16, 0.55, max(len(moments) - 1, 1))
    return stage.picture(moments[-1], before=list(zip(moments[:-1], opacities.tolist(), strict=False)))


def _strobe_frames(clip: Clip, count: int) -> list[int]:
    """Key frames; without the last one where it would only repeat the first."""
    frames = key_frames(clip, count + 1)
    pose = clip.positions if clip.base_positions is None else np.hstack([clip.positions, clip.base_positions])
    away = np.linalg.norm(pose - pose[0], axis=1)
    returns = len(frames) > 2 and away[-1] < 0.2 * away.max()
    return frames[:-1] if returns else key_frames(clip, count)


def save_png(path: str | Path, picture: np.ndarray) -> Path:
    """Writes a picture, whole or not at all.

    Args:
        path: Ends in .png.
        picture: sRGB bytes, shape [height, width, 3].
    """
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture)).save(stream, format="PNG", optimize=True)
    return write_whole(path, stream.getvalue())


def time_label(time: float) -> str:
    """A moment as it is printed in pictures."""
    return f"{time:.2f} s"


def _moment(clip: Clip, frame: int | None, time: float | None) -> float:
    """The time [s] that is meant by a frame or a time."""
    if frame is not None and time is not None:
        raise OptionError("Give a frame or a time to draw, not both.")
    if time is not None:
        if not np.isfinite(time) or not clip.times[0] - 1e-9 <= time <= clip.times[-1] + 1e-9:
            raise OptionError(
                f"The time {time} s lies outside the clip, which goes from {clip.times[0]:g} to {clip.times[-1]:g} s."
            )
        return float(time)
    number = 0 if frame is None else frame
    if not 0 <= number < clip.frame_count:
        raise OptionError(f"Frame {number} does not exist; the clip has frames 0 to {clip.frame_count - 1}.")
    return float(clip.times[number])
