"""The unit of a capture, told by the size of the body in it."""

from __future__ import annotations

import numpy as np

from animato.errors import MotionError
from animato.mimic.person.found import Found
from animato.mimic.person.person import SIDES

LEG_SHARE = 0.491
"""Hip to knee to ankle as a share of a person's height (Drillis, Contini: Body Segment Parameters, 1966)."""

ADULT_M = (1.5, 1.95)
"""Heights among which the unit of a capture is looked for [m]."""

PLAUSIBLE_M = (0.9, 2.4)
"""Heights at which a capture is believed to be in metres [m]."""

UNITS_M = {"metres": 1.0, "centimetres": 0.01, "millimetres": 0.001, "inches": 0.0254, "CMU's 5.64 cm": 0.0254 / 0.45}
_USUAL_M = 1.7
_SMALLEST = 0.02  # share of the height below which a limb's half has no length
_HALVES = (("hip", "knee"), ("knee", "ankle"), ("shoulder", "elbow"), ("elbow", "wrist"))


def leg_length(found: Found) -> float:
    """Mean length of both legs, hip to knee to ankle, median over the frames, in the capture's unit."""
    lengths = [_length(found, side, *half) for side in SIDES for half in _HALVES[:2]]
    return 0.5 * sum(lengths)


def metres_per_unit(found: Found) -> tuple[float, str]:
    """What the positions must be multiplied by to be metres, and what to tell about it (nothing where it is 1).

    Readers of files may have guessed a unit already, so all quotients of two units are tried as well.

    Raises:
        MotionError: Both legs have no length, or half a limb has none.
    """
    height = leg_length(found) / LEG_SHARE
    _check_lengths(found, height)
    if PLAUSIBLE_M[0] <= height <= PLAUSIBLE_M[1]:
        return 1.0, ""
    factors = {
        unit / read: f"{name} read as {other}" if read != 1.0 else name
        for other, read in UNITS_M.items()
        for name, unit in UNITS_M.items()
    }
    factor = min(factors, key=lambda one: (abs(float(np.log(height * one / _USUAL_M))), one))
    told = f"The person would be {height:.4g} m tall"
    if ADULT_M[0] <= height * factor <= ADULT_M[1]:
        return factor, f"{told}; the unit is taken as {factors[factor]}, which makes it {height * factor:.2f} m."
    factor = _USUAL_M / height
    return factor, f"{told}, and no known unit makes that an adult's; it is scaled to {_USUAL_M} m."


def _length(found: Found, side: str, upper: str, lower: str) -> float:
    apart = found.positions[f"{side}_{upper}"] - found.positions[f"{side}_{lower}"]
    return float(np.median(np.linalg.norm(apart, axis=-1)))


def _check_lengths(found: Found, height: float) -> None:
    for side in SIDES:
        for upper, lower in _HALVES:
            names = f"{side}_{upper}", f"{side}_{lower}"
            if not set(names) <= set(found.positions):
                continue
            if not _length(found, side, upper, lower) > _SMALLEST * height:
                told = " and ".join(
                    f"'{name}' ({', '.join(found.sources.get(name, ())) or 'made up'})" for name in names
                )
                raise MotionError(
                    f"The landmarks {told} are at one place; a bone between them has no length. "
                    f"Say with `sources` which bones or markers they are."
                )
