"""Checks that every kind of motion makes of its arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError


def frozen_array(values: ArrayLike, shape: tuple[int | None, ...], what: str, *, gaps: bool = False) -> np.ndarray:
    """An own, read-only float64 array, checked.

    Args:
        values: Anything numpy takes; it is copied, unless it is such an array already: float64, row by row, owner of
            its numbers and read-only. Whoever has made an hour of capture gives it away like that.
        shape: Wanted shape; None allows any length.
        what: Names the array in the error ("The positions of the clip").
        gaps: Whether NaN is allowed, as for markers that were not seen.
    """
    try:
        array = values if _is_frozen(values) else np.array(values, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise MotionError(f"{what} must be numbers in rows of equal length.") from None
    fits = array.ndim == len(shape) and all(
        want is None or have == want for have, want in zip(array.shape, shape, strict=True)
    )
    if not fits:
        wanted = " x ".join("any" if n is None else str(n) for n in shape)
        raise MotionError(f"{what} must have the shape {wanted}, not {' x '.join(map(str, array.shape))}.")
    bad = np.isinf(array) if gaps else ~np.isfinite(array)
    if np.any(bad):
        row = int(np.argwhere(bad)[0][0])
        raise MotionError(f"{what} must be finite; row {row} holds {array[tuple(np.argwhere(bad)[0])]}.")
    array.setflags(write=False)
    return array


def _is_frozen(values: ArrayLike) -> TypeGuard[np.ndarray]:
    """Whether an array can be kept as it is: nobody writes into it, and it is no window on somebody else's numbers."""
    if type(values) is not np.ndarray or values.dtype != np.float64:
        return False
    flags = values.flags
    return bool(flags.owndata and flags.c_contiguous and not flags.writeable)


def rising_times(times: ArrayLike, what: str) -> np.ndarray:
    """Times [s] as a read-only array, checked to be there, finite and strictly rising."""
    array = frozen_array(times, (None,), f"The times of {what}")
    if len(array) == 0:
        raise MotionError(f"{what[:1].upper()}{what[1:]} is empty; it needs at least one frame.")
    with np.errstate(over="ignore"):  # absurd but finite numbers are refused or kept, not warned about
        steps = np.diff(array)
    if np.any(steps <= 0.0):
        row = int(np.argmax(steps <= 0.0))
        raise MotionError(
            f"The times of {what} must rise; frame {row + 1} is at {array[row + 1]:.9g} s, "
            f"not after frame {row} at {array[row]:.9g} s."
        )
    return array


def unique_names(names: Sequence[str], what: str) -> tuple[str, ...]:
    """Names as a tuple of strings, checked to differ."""
    result = tuple(str(name) for name in names)
    twice = [name for name, count in Counter(result).items() if count > 1]
    if twice:
        raise MotionError(f"The names in {what} must differ; '{twice[0]}' stands twice.")
    return result


def unit_quaternions(values: ArrayLike, shape: tuple[int | None, ...], what: str) -> np.ndarray:
    """Quaternions wxyz as a read-only array, checked to be of unit length to 1e-6.

    They are kept as given, not normalized, so that files survive bit for bit.
    """
    array = frozen_array(values, shape, what)
    with np.errstate(over="ignore"):
        off = np.abs(np.sqrt(np.einsum("...i,...i->...", array, array)) - 1.0)  # a norm would copy it all
    if off.size and off.max() > 1e-6:
        row = int(np.unravel_index(np.argmax(off), off.shape)[0])
        raise MotionError(f"{what} must be unit quaternions (w, x, y, z); frame {row} is off by {off.max():.3g}.")
    return array
