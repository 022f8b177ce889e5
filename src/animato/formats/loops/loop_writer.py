"""Writes the file that closes the loops of a URDF robot, as `load_loop_closures` reads it."""

from __future__ import annotations

from collections.abc import Sequence

from animato.formats.files import Value, yaml_text


def loop_text(ties: Sequence[tuple[str, str, str]], motors: Sequence[str]) -> str:
    """The text of the file.

    Args:
        ties: Two names of links and how they are tied, "6d" (frames coincide) or "3d" (origins do).
        motors: Names of the joints that have one.
    """
    pairs: list[Value] = [[first, second] for first, second, _ in ties]
    data: dict[str, Value] = {
        "closed_loop": pairs,
        "type": [kind for _, _, kind in ties],
        "name_mot": list(motors),
    }
    return yaml_text(data)
