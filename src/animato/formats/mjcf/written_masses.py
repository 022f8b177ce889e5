"""Masses of an MJCF file that is written, such that MuJoCo accepts them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from animato.character import Body, MassProperties, mass_properties_of
from animato.formats.files import XmlElement
from animato.formats.outgoing import PlainTree, element

LEAST_MASS = 1e-6  # [kg] of what moves; MuJoCo's own least is 1e-15
LEAST_INERTIA = 1e-9  # [kg m^2]
_TINY = 1e-12  # [kg m^2] below which MuJoCo may see nothing
_SLACK = 1e-9  # by which the sum of two moments may fall short of the third


@dataclass
class MassWriter:
    """Writes inertials.

    Attributes:
        tree: Whose.
        given_mass: Bodies that had none and move.
        given_inertia: Bodies that had a mass in a point or on a line.
        balanced: Bodies whose moments no rigid body has, which MuJoCo sets right.
    """

    tree: PlainTree
    given_mass: list[str] = field(default_factory=list)
    given_inertia: list[str] = field(default_factory=list)
    balanced: list[str] = field(default_factory=list)

    def inertial(self, body: Body, *, moves: bool) -> list[XmlElement]:
        """The `<inertial>` of a body; none where it needs none.

        Args:
            body: Which.
            moves: Whether a joint moves it against its parent.
        """
        properties = mass_properties_of(body)
        if properties.mass == 0.0:
            if not moves or self._carries_mass(body.name):
                return []
            self.given_mass.append(body.name)
            return [point_mass()]
        return [self._stated(body.name, properties)]

    def _stated(self, name: str, properties: MassProperties) -> XmlElement:
        tensor = properties.inertia
        moments = np.linalg.eigvalsh(tensor)
        if moments[0] < _TINY:
            self.given_inertia.append(name)
            tensor = tensor + (LEAST_INERTIA - min(0.0, float(moments[0]))) * np.eye(3)
            moments = np.linalg.eigvalsh(tensor)
        if moments[0] + moments[1] < moments[2] * (1.0 - _SLACK):
            self.balanced.append(name)
        full = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist()
        return element("inertial", pos=properties.centre.tolist(), mass=properties.mass, fullinertia=full)

    def _carries_mass(self, name: str) -> bool:
        """Whether something that has mass is fixed to a body."""
        for step in self.tree.below(name):
            if not step.axes and (
                mass_properties_of(self.tree.character.body(step.body)).mass > 0.0 or self._carries_mass(step.body)
            ):
                return True
        return False


def point_mass() -> XmlElement:
    """The least that may move."""
    return element("inertial", pos=(0.0, 0.0, 0.0), mass=LEAST_MASS, diaginertia=(LEAST_INERTIA,) * 3)
