"""A basis of one motion used on another: the boxer's legs on the drummer (Fig. 6 of the paper).

Both have the same legs. Snapshots come from simulations with a rich basis from static loads, which stands for the full
elements; the bases compared are the first eleven principal components of the snapshots of each motion. The error is the
largest distance of a tracked body from where the rich basis has it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import animato as an
from animato.character import Character, MaterialModel
from animato.gallery.steady import DEMONSTRATORS
from animato.mechanics.flexible.elements import Elements, build_elements
from animato.mechanics.flexible.mesh import MeshOptions, build_part_mesh
from animato.mechanics.flexible.reduction import ReducedPart, ReductionOptions, reduce_part
from animato.mechanics.simulation import IntegrationOptions, Trajectory, build_system, integrate, motor_profile
from benchmarks.row import Row

MODES = 11
LEGS = ("left_leg", "right_leg")
STEP = 2e-3


@dataclass(frozen=True, eq=False)
class OnLegs:
    """A character with meshes for legs.

    Attributes:
        name: Of the demonstrator.
        character: Its legs of a material with polynomial forces.
        legs: Elements of each, by name.
    """

    name: str
    character: Character
    legs: dict[str, Elements]

    def run(self, parts: dict[str, ReducedPart], seconds: float) -> Trajectory:
        """The first part of its clip."""
        one = DEMONSTRATORS[self.name]
        system = build_system(self.character, tracked=tuple(body.body for body in one.tracked), parts=parts)
        _, motors = motor_profile(system, one.animate(), STEP)
        return integrate(system, motors[: round(seconds / STEP) + 1], STEP, IntegrationOptions(tolerance_m=1e-8))


def on_legs(name: str) -> OnLegs:
    """One of the two."""
    character = an.load_character(name)
    parts = tuple(
        replace(part, material=replace(part.material, model=MaterialModel.ST_VENANT_KIRCHHOFF))
        for part in character.flexible_parts
    )
    character = replace(character, flexible_parts=parts)
    options = MeshOptions(slenderness=10.0, sectors=6)
    legs = {part.name: build_elements(build_part_mesh(part, options)) for part in parts if part.name in LEGS}
    return OnLegs(name, character, legs)


def snapshots_of(run: Trajectory, leg: str, part: ReducedPart, every: int = 10) -> np.ndarray:
    """Displacements of a leg's nodes in a run [m], [snapshot, node, 3]."""
    columns = [n for n, name in enumerate(run.system.unknown_names) if name.startswith(f"{leg}.mode")]
    return np.einsum("npr,sr->snp", part.basis, run.u[::every, columns])


def transfer_rows(*, quick: bool) -> list[Row]:
    """The boxer's basis on the drummer beside the drummer's own."""
    seconds = 3.0 if quick else 10.0
    drummer, boxer = on_legs("drummer"), on_legs("boxer")
    rich = {leg: reduce_part(elements, ReductionOptions(), keep=False) for leg, elements in drummer.legs.items()}
    reference = drummer.run(rich, seconds)
    other = boxer.run(rich, min(seconds, 9.7))
    errors = []
    for source in (other, reference):
        bases = {
            leg: reduce_part(
                drummer.legs[leg],
                ReductionOptions(modes=MODES),
                snapshots=snapshots_of(source, leg, rich[leg]),
                keep=False,
            )
            for leg in LEGS
        }
        apart = np.linalg.norm(drummer.run(bases, seconds).points - reference.points, axis=2)
        errors.append(1e3 * float(apart.max()))
    return [Row("basis.boxer_on_drummer_mm", errors[0], "mm", "lower", "drummer's own", errors[1])]
