"""Two clips and a way between them become one clip."""

from __future__ import annotations

import numpy as np

from animato.character import Joint, JointType
from animato.fix.joining.pair import Pair
from animato.fix.joining.standing import base_under
from animato.fix.joining.tracks import Kind, Way, resting
from animato.motion import Clip
from animato.spatial import quaternions


def joined_clip(pair: Pair, way: Way) -> Clip:
    """The first clip, the transition, and the second clip with what it does not name held."""
    placing = pair.placing(way.frames)
    before, after = pair.before, pair.after if placing is None else placing.applied(pair.after)
    moved = {
        channel.names or (channel.kind,): channel.values(tracks)
        for channel, tracks in zip(pair.channels(way.frames), way.tracks, strict=True)
    }
    groups = [(joint, names) for joint in pair.character.free_joints for names in _groups(joint) if names in moved]
    columns = [_column_blocks(joint, names, before, after, moved[names]) for joint, names in groups]
    start = float(before.times[-1])
    inner = start + pair.step_s * np.arange(1, way.frames)
    times = np.concatenate([before.times, inner, start + pair.step_s * way.frames + after.times - after.times[0]])
    names = tuple(name for _, group in groups for name in group)
    positions = np.hstack(columns) if columns else np.zeros((len(times), 0))
    place, turn = None, None
    if (Kind.PLACE,) in moved:
        place, turn = moved[(Kind.PLACE,)], moved[(Kind.TURN,)]
        if pair.anchor is not None:
            own = slice(before.frame_count - 1, before.frame_count + way.frames)
            joints = Clip(times[own], names, positions[own])
            place, turn = base_under(pair.character, pair.anchor, joints, place, turn)
        place = _rows(before.base_positions, place, after.base_positions, before, after)
        turn = quaternions.continuous(
            _rows(before.base_quaternions_wxyz, turn, after.base_quaternions_wxyz, before, after)
        )
    return Clip(times, names, positions, place, turn, ", then ".join(filter(None, (before.source, after.source))))


def _groups(joint: Joint) -> list[tuple[str, ...]]:
    """Coordinates that a channel takes together."""
    names = joint.coordinate_names
    return [names] if joint.type is JointType.SPHERICAL else [(name,) for name in names]


def _column_blocks(joint: Joint, names: tuple[str, ...], before: Clip, after: Clip, moved: np.ndarray) -> np.ndarray:
    """Columns of one channel over the whole joined clip, [frame, name]."""
    first = _own(before, names)
    if first is None:
        still = dict(zip(joint.coordinate_names, resting(joint), strict=True))
        first = np.tile([still[name] for name in names], (before.frame_count, 1))
    second = _own(after, names)
    if second is None:
        second = np.tile(moved[-1], (after.frame_count, 1))
    if joint.type is JointType.SPHERICAL:  # opposite quaternions are one turn; the spline needs near ones
        moved = quaternions.continuous(np.vstack([first[-1:], moved]))[1:]
        second = second * (-1.0 if second[0] @ moved[-1] < 0.0 else 1.0)
    return np.vstack([first, moved[1:-1], second])


def _own(clip: Clip, names: tuple[str, ...]) -> np.ndarray | None:
    return clip.positions[:, [clip.column(name) for name in names]] if names[0] in clip.names else None


def _rows(
    first: np.ndarray | None, moved: np.ndarray, second: np.ndarray | None, before: Clip, after: Clip
) -> np.ndarray:
    """Rows of the base; held where a clip does not move it."""
    first = np.tile(moved[0], (before.frame_count, 1)) if first is None else first
    second = np.tile(moved[-1], (after.frame_count, 1)) if second is None else second
    return np.vstack([first, moved[1:-1], second])
