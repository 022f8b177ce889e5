"""Models that a robust profile must please: the nominal one, and those that it might be instead."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from animato.character import Body, Character, mass_properties_of
from animato.mechanics.simulation import System
from animato.steady.options import Options


@dataclass(frozen=True)
class Variation:
    """How a model differs from the nominal one.

    Attributes:
        name: For people.
        stiffness: Factor on every Young's modulus.
        damping: Factor on all damping of materials.
        payload: Factor on the masses of tracked bodies.
        motor_stiffness: Of motors that give way [N m/rad]; 0 where they do not.
    """

    name: str = "nominal"
    stiffness: float = 1.0
    damping: float = 1.0
    payload: float = 1.0
    motor_stiffness: float = 0.0

    def applied(self, character: Character, tracked: Collection[str]) -> Character:
        """The character that this is."""
        parts = tuple(
            replace(
                part,
                material=replace(
                    part.material,
                    youngs_modulus=self.stiffness * part.material.youngs_modulus,
                    mass_damping=self.damping * part.material.mass_damping,
                    stiffness_damping=self.damping * part.material.stiffness_damping,
                ),
            )
            for part in character.flexible_parts
        )
        if self.payload == 1.0:
            return replace(character, flexible_parts=parts)
        bodies = (self._loaded(body) if body.name in tracked else body for body in character.bodies)
        return replace(character, bodies=tuple(bodies), flexible_parts=parts)

    def _loaded(self, body: Body) -> Body:
        heavy = mass_properties_of(body)
        inertia = self.payload * heavy.inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        return replace(
            body,
            mass=self.payload * heavy.mass,
            centre=(float(heavy.centre[0]), float(heavy.centre[1]), float(heavy.centre[2])),
            inertia=tuple(float(i) for i in inertia),
            density=None,
        )


@dataclass(frozen=True, eq=False)
class Scenario:
    """A model that is simulated, and what it would do if it were slow.

    Attributes:
        variation: How it differs from the nominal one.
        system: Its mechanics.
        share: Of the objective.
        start: Its unknown coordinates at rest in the first pose, [unknown].
        start_forces: Its multipliers there, [closure].
        target_points: Quasi-static places of tracked bodies [m], [time, body, 3].
        target_rotations: And their rotations, [time, body, 3, 3].
    """

    variation: Variation
    system: System
    share: float
    start: np.ndarray
    start_forces: np.ndarray
    target_points: np.ndarray
    target_rotations: np.ndarray


def variations(options: Options) -> tuple[Variation, ...]:
    """The nominal model, and one to each side for each spread."""
    found = [Variation()]
    for sign in (-1.0, 1.0):
        stiffness, damping, payload = (
            1.0 + sign * spread for spread in (options.stiffness_spread, options.damping_spread, options.payload_spread)
        )
        found += [
            replace(one, name=f"{one.name} {100.0 * (factor - 1.0):+.3g} %")
            for one, factor in (
                (Variation("stiffness", stiffness=stiffness), stiffness),
                (Variation("damping", damping=damping), damping),
                (Variation("payload", payload=payload), payload),
            )
            if factor != 1.0
        ]
    if options.motor_stiffness > 0.0:
        found.append(Variation("motors give way", motor_stiffness=options.motor_stiffness))
    return tuple(found)
