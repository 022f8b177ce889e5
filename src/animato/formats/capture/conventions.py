"""Units and axes of capture files, which many formats leave unsaid. animato is in metres with z up.

Where a format does not say, the likeliest is guessed and told in the motion's `source`, and an
option of the reader overrides the guess.
"""

from __future__ import annotations

import numpy as np

from animato.errors import OptionError

UP_AXES = ("auto", "y", "z")
_SAMPLED_FRAMES = 50
_HUMAN_HEIGHT = 1.7  # m; what the height of a skeleton is held against
_CMU_UNIT = 0.0254 / 0.45  # m; the skeletons of the CMU database are in inches divided by 0.45
_CMU_BONES = {"lhipjoint", "rhipjoint", "lowerback"}


def check_up_axis(up_axis: str) -> None:
    """Refuses an option that is none of "auto", "y" and "z"."""
    if up_axis not in UP_AXES:
        raise OptionError(f"up_axis must be one of {', '.join(UP_AXES)}, given {up_axis!r}.")


def check_metres_per_unit(metres_per_unit: float | None) -> None:
    """Refuses a scale that is no positive number."""
    if metres_per_unit is not None and not (np.isfinite(metres_per_unit) and metres_per_unit > 0.0):
        raise OptionError(f"metres_per_unit must be greater than 0, given {metres_per_unit}.")


def sampled_frames(frame_count: int) -> np.ndarray:
    """Indices of at most 50 frames spread over a motion; guesses look at these."""
    return np.unique(np.linspace(0, frame_count - 1, min(frame_count, _SAMPLED_FRAMES)).astype(np.int64))


def guessed_up_axis(positions: np.ndarray) -> str:
    """The axis along which a figure is taller, as people stand: "y" or "z".

    Heights are taken frame by frame, so that the way a figure travels does not count.

    Args:
        positions: Points of the figure, shape [frame, point, 3], NaN where not seen.
    """
    tall = _mean_extent(positions)
    return "z" if tall[2] > tall[1] else "y"


def guessed_metres_per_unit(positions: np.ndarray, up_axis: str, names: tuple[str, ...]) -> tuple[float, str]:
    """The unit that brings a figure nearest to the height of a person, and why.

    Args:
        positions: Points of the figure in the unknown unit, shape [frame, point, 3].
        up_axis: "y" or "z".
        names: Of its bones; those of the CMU database give its odd unit away.

    Returns:
        Metres per unit, and its name for people.
    """
    height = float(_mean_extent(positions)[" yz".index(up_axis)])
    if {name.lower() for name in names} >= _CMU_BONES and 0.5 < height * _CMU_UNIT / _HUMAN_HEIGHT < 1.5:
        return _CMU_UNIT, "0.0564 m, as in the CMU database"
    if not height > 0.0:
        return 1.0, "metres"
    scales = {"metres": 1.0, "centimetres": 0.01, "millimetres": 0.001}
    name = min(scales, key=lambda one: abs(np.log(height * scales[one] / _HUMAN_HEIGHT)))
    return scales[name], name


def vectors_z_up(vectors: np.ndarray, up_axis: str) -> np.ndarray:
    """Vectors [..., 3] with y up, turned by +90 degrees about x: (x, y, z) becomes (x, -z, y). z up stays."""
    if up_axis == "z":
        return vectors
    return np.stack([vectors[..., 0], -vectors[..., 2], vectors[..., 1]], axis=-1)


def vectors_y_up(vectors: np.ndarray, up_axis: str) -> np.ndarray:
    """The way back: vectors [..., 3] with z up into a file whose up axis is "y"."""
    if up_axis == "z":
        return vectors
    return np.stack([vectors[..., 0], vectors[..., 2], -vectors[..., 1]], axis=-1)


def turns_z_up(turns_wxyz: np.ndarray, up_axis: str) -> np.ndarray:
    """Quaternions [..., 4] between frames whose axes are all turned with the world: C q C^-1."""
    return np.concatenate([turns_wxyz[..., :1], vectors_z_up(turns_wxyz[..., 1:], up_axis)], axis=-1)


def _mean_extent(positions: np.ndarray) -> np.ndarray:
    """Mean over the frames of the size of the figure along x, y, z, shape [3]."""
    seen = np.isfinite(positions).all(axis=-1, keepdims=True)
    low = np.where(seen, positions, np.inf).min(axis=1)
    high = np.where(seen, positions, -np.inf).max(axis=1)
    size = (high - low)[np.isfinite(high).all(axis=-1)]
    return size.mean(axis=0) if len(size) else np.zeros(3)
