"""Other dances on legs that were set for one: the hips of the twist, and only the controls found anew.

After Maloisel et al. (2023), Sec. 8, where reconfigured legs are animated further. The peer is the same dance on the
legs as they were before.
"""

from __future__ import annotations

from dataclasses import replace

import animato as an
from animato.gallery.design.legs import DANCES, RATE_HZ, legs_targets
from benchmarks.row import Row


def danced(character: an.Character, dance: str) -> an.design.Solution:
    """The best that the legs can do in a dance with their design as it is."""
    options = replace(an.gallery.design.demonstrators()["legs"].options, optimize="control")
    motion = an.design.TargetMotion(legs_targets(character, dance), RATE_HZ, name=dance)
    return an.design.solve(an.design.build(character, motion, options))


def dance_rows() -> list[Row]:
    """Largest turn that is missing in each of the other dances, before and after the hips are set for the twist."""
    legs = an.load_character("legs")
    made = an.gallery.design.demonstrators()["legs"]
    reset = an.design.required(an.design.solve(made.problem(legs))).optimized.character
    found: list[Row] = []
    for dance in DANCES:
        if dance == "twist":
            continue
        before, after = (danced(one, dance) for one in (legs, reset))
        was, now = (one.optimized.errors for one in (before, after))
        found.append(
            Row(
                f"legs.{dance}_orientation_max_deg",
                now.orientation_max_deg,
                "deg",
                "lower",
                "legs as they were",
                was.orientation_max_deg,
            )
        )
        found.append(Row(f"legs.{dance}_met", float(after.met), "1", "higher", "legs as they were", float(before.met)))
    return found
