"""What pages are told about a design."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from animato.character import Character, JointRole
from animato.design import TargetMotion
from animato.findings import pretty_names
from animato.spatial import quaternions
from animato.studio.designing.found import Found, Off
from animato.studio.designing.freedoms import freed_for_page
from animato.studio.designing.targets import shipped_for
from animato.studio.designing.wish import Wish
from animato.studio.document import Document


def state_for_page(document: Document, wish: Wish, found: Found | None, *, working: bool, words: str) -> dict[str, Any]:
    """Plain values for the message `design`.

    Args:
        document: What there is.
        wish: What is asked for.
        found: What was found.
        working: Whether something better is being worked out.
        words: What went wrong, in a sentence.
    """
    character = document.character
    return {
        "kind": wish.kind,
        "name": wish.name,
        "points": list(wish.handles) or list(wish.points),
        "shipped": shipped_for(character),
        "followed": followed(character),
        "freed": freed_for_page(character, wish.freed),
        "own": sum(one.role is JointRole.CONFIGURABLE and bool(one.coordinate_names) for one in character.joints),
        "keep_motors": wish.keep_motors,
        "weights": dict(wish.weights),
        "working": working,
        "words": words,
        "found": None if found is None else _found(found),
    }


def followed(character: Character) -> list[dict[str, str]]:
    """Points whose paths can be followed: end-points and markers, then bodies that have a shape."""
    names = [*(one.name for one in character.end_points), *(one.name for one in character.markers)]
    names += [body.name for body in character.bodies if body.shapes]
    labels = pretty_names(list(dict.fromkeys(names)))
    return [{"name": name, "label": label} for name, label in labels.items()]


def paths_message(
    motion: TargetMotion, handles: Mapping[str, np.ndarray], lift: np.ndarray
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Values and arrays of the message `design.paths`: target paths that ask for places, and their handles.

    Args:
        motion: Bent.
        handles: Where they stand [m], shape [handle, 3], by the name of the target.
        lift: How much higher all of it is on the stage [m], shape [3].
    """
    paths = {one.name: one.positions for one in motion.targets if one.positions is not None}
    places = [handles.get(name, np.zeros((0, 3))) for name in paths]
    arrays = {
        "paths": np.array(list(paths.values())).reshape(len(paths), motion.step_count, 3) + lift,
        "handles": np.concatenate(places) + lift if places else np.zeros((0, 3)),
    }
    return {"names": list(paths), "handle_counts": [len(one) for one in places]}, arrays


def found_message(
    found: Found, take: str, begin: float, lift: np.ndarray
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Values and arrays of the message `design.found`: what both mechanisms do.

    Args:
        found: What was found.
        take: Whose targets they are.
        begin: When they begin on the take's clock [s].
        lift: How much higher all of it is on the stage [m], shape [3].
    """
    arrays = {"times": found.times + begin}
    for name, side in (("before", found.before), ("after", found.after)):
        arrays[f"{name}_paths"] = side.paths + lift
        arrays[f"{name}_positions"] = side.poses[..., :3] + lift
        arrays[f"{name}_quaternions"] = quaternions.continuous(side.poses[..., 3:])
        arrays[f"{name}_coordinates"] = side.coordinates
    return {"take": take, "rough": found.rough}, arrays


def _found(found: Found) -> dict[str, Any]:
    before, after = found.before.off, found.after.off
    return {
        "rough": found.rough,
        "usable": found.usable,
        "words": found.words if not found.usable else "",
        "verdict": found.verdict,
        "before": before.for_page(),
        "after": after.for_page(),
        "less_percent": _less(before, after),
        "changes": [one.for_page() for one in found.changes],
        "seconds": round(found.seconds, 4),
    }


def _less(before: Off, after: Off) -> float | None:
    """How much nearer, in places where they are asked for, else in turns [%]; None where both are nothing."""
    old, new = (before.places, after.places) if before.places is not None else (before.turns, after.turns)
    if old is None or new is None or old[0] <= 1e-9:
        return None
    return round(100.0 * (1.0 - new[0] / old[0]), 1)
