"""The character's look with parts that bend as they are simulated, link by link."""

from __future__ import annotations

from typing import Any

import numpy as np

from animato.character import Character
from animato.findings import pretty_names
from animato.mechanics.simulation import end_bodies, solve_statics
from animato.mechanics.simulation.posing import perform
from animato.report.kit import Figure, Film, film_data
from animato.studio.steadying.seeing import system_of
from animato.studio.watching import rest_clip


def bent_scene(character: Character) -> dict[str, Any]:
    """What is to be drawn, as `scene_of` has it, seen from the same place; bodies first, then links of rods.

    `link_labels` says of which part each link is.

    Args:
        character: With parts that bend.

    Raises:
        CharacterError: It cannot be simulated.
    """
    system = system_of(character, 1.0, end_bodies(character))
    still = solve_statics(system, system.rest()[system.unknown_count :])
    rest = perform(system, np.zeros(1), still.coordinates, source="rest pose")
    plain = Film((Figure(character, rest_clip(character)),), title=character.name)
    film = film_data(Film((Figure(character, rest),), title=character.name), plain.shot())
    owners = {link.index: name for name, links in rest.rods.items() for link in links}
    labels = pretty_names(rest.rods)
    return {**film, "link_labels": [labels[owners[index]] for index in sorted(owners)]}
