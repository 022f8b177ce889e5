"""What pages are told about a motion that wobbles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from animato.character import Character
from animato.findings import pretty_names
from animato.studio.steadying.seeing import Figure, Seen, Wobble
from animato.studio.steadying.wishes import Wishes


def state_for_page(character: Character, wishes: Wishes, *, working: bool, words: str) -> dict[str, Any]:
    """Plain values for the message `steady`.

    Args:
        character: Who is on the stage.
        wishes: What is wanted.
        working: Whether a simulation is under way.
        words: Why there is nothing to be seen, in a sentence; "" where there is.
    """
    bodies = pretty_names([body.name for body in character.bodies if body.shapes or body.mass])
    return {
        "bends": bool(character.flexible_parts),
        "bodies": [{"name": name, "label": label} for name, label in bodies.items()],
        "tracked": list(wishes.tracked_of(character)) if character.flexible_parts else [],
        "stiffness": wishes.stiffness,
        "stiffness_spread": wishes.stiffness_spread,
        "hold_weight": wishes.hold_weight,
        "acceleration_factor": wishes.acceleration_factor,
        "working": working,
        "words": words,
    }


def seen_message(seen: Seen, take: str, verb: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Values and arrays of the message `steady.seen`.

    Args:
        seen: What was simulated.
        take: Whose motion it is.
        verb: What made the other motion out of it; "" where there is none.
    """
    arrays = _figure_arrays("target", seen.target)
    values: dict[str, Any] = {
        "take": take,
        "verb": verb,
        "rough": seen.rough,
        "stiffness": seen.stiffness,
        "tracked": list(pretty_names(list(seen.tracked)).values()),
        "modes_hz": [round(one, 4) for one in seen.modes_hz],
        "before": None,
        "after": None,
    }
    for name, wobble in (("before", seen.before), ("after", seen.after)):
        if wobble is not None:
            values[name] = _numbers(wobble)
            arrays |= _figure_arrays(name, wobble.figure) | {
                f"{name}_moments": wobble.times,
                f"{name}_off": wobble.off,
                f"{name}_hz": wobble.frequencies,
                f"{name}_spectrum": wobble.spectrum,
            }
    return values, arrays


def _numbers(wobble: Wobble) -> dict[str, float | None]:
    """In millimetres, and when it is worst [s]."""
    worst = int(np.argmax(wobble.off.max(axis=1)))
    return {
        "peak_mm": round(1e3 * wobble.peak, 3),
        "ring_mm": None if math.isnan(wobble.ring) else round(1e3 * wobble.ring, 3),
        "worst_s": round(float(wobble.times[worst]), 4),
    }


def _figure_arrays(name: str, figure: Figure) -> dict[str, np.ndarray]:
    return {
        f"{name}_times": figure.times,
        f"{name}_positions": figure.positions,
        f"{name}_quaternions": figure.quaternions_wxyz,
        f"{name}_coordinates": figure.coordinates,
        f"{name}_points": figure.points,
    }
