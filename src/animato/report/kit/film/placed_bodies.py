"""Bodies in a film that are where they are told to be, whatever joints would say."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.errors import OptionError
from animato.mechanics.tree import BodyPoses
from animato.report.kit.film.figure import Figure
from animato.spatial import quaternions
from animato.view.scene import Scene


@dataclass(frozen=True, eq=False)
class PlacedBodies(Figure):
    """All bodies of a character by their poses, or some of them without the others, such as where they should be.

    Attributes:
        placed: Which, and where over time; straight between its times.
    """

    placed: BodyPoses | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.placed is None or not self.placed.names:
            raise OptionError("`placed` names no body; give the poses of at least one.")

    @property
    def look(self) -> tuple[object, ...]:
        """What its shapes depend on."""
        return (*super().look, *self._placed.names)

    def scene(self) -> Scene:
        """What is drawn of it."""
        scene = super().scene()
        chosen = {scene.body_names.index(name) for name in self._placed.names}
        if len(chosen) == len(scene.body_names):
            return scene
        parts = tuple(part for part in scene.parts if part.body in chosen and part.bend is None)
        return replace(scene, parts=parts)

    def poses(self, times: np.ndarray) -> BodyPoses:
        """Poses of all bodies at times [s]; those that are not placed stand somewhere and are not drawn."""
        placed, names = self._placed, tuple(body.name for body in self.character.bodies)
        positions = np.tile(placed.positions[0, 0], (len(times), len(names), 1))
        turns = np.tile([1.0, 0.0, 0.0, 0.0], (len(times), len(names), 1))
        for n, name in enumerate(placed.names):
            body = names.index(name)
            positions[:, body] = _between(times, placed.times, placed.positions[:, n])
            turned = quaternions.continuous(placed.quaternions_wxyz[:, n])
            turns[:, body] = quaternions.normalized(_between(times, placed.times, turned))
        return BodyPoses(times, names, positions, turns)

    @property
    def _placed(self) -> BodyPoses:
        assert self.placed is not None
        return self.placed


def _between(times: np.ndarray, known: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.column_stack([np.interp(times, known, column) for column in values.T])
