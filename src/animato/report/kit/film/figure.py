"""A character that moves in a film."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import OptionError
from animato.mechanics.simulation.posing import Performance
from animato.mechanics.tree import BodyPoses
from animato.motion import Clip
from animato.report.kit.film.numbers import Reel, short
from animato.report.kit.film.use import Use
from animato.spatial import quaternions
from animato.view.raster import Colour
from animato.view.scene import Scene, build_scene, pose_bodies

OVER, BESIDE, OFF = "over", "beside", "off"
"""Where a figure stands at first: where it is, beside the first one, or nowhere."""


@dataclass(frozen=True, eq=False)
class Figure:
    """Who moves, how, and how it is drawn.

    Attributes:
        character: Who moves; figures of one film may be of different characters.
        clip: How; a `Performance` shows how it bends. Before its first and after its last frame it holds still.
        name: For people; a figure after the first one has a switch of this name.
        ghost: Whether it is translucent.
        colour: Of a ghost (sRGB); that of the ghosts of pictures where not given.
        opacity: Of a ghost, 0 to 1; that of the ghosts of pictures where not given.
        placing: OVER, BESIDE or OFF.
        shift: Where it stands beside its own place [m]: all of it is moved there.
        use: What it is coloured by on demand.
    """

    character: Character
    clip: Clip
    name: str = ""
    ghost: bool = False
    colour: Colour | None = None
    opacity: float | None = None
    placing: str = OVER
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    use: Use | None = None

    def __post_init__(self) -> None:
        if self.placing not in (OVER, BESIDE, OFF):
            raise OptionError(f"`placing` is '{OVER}', '{BESIDE}' or '{OFF}', given '{self.placing}'.")

    @property
    def look(self) -> tuple[object, ...]:
        """What its shapes depend on: figures that have it in common share what is drawn."""
        return (self.character, *sorted(getattr(self.clip, "rods", ())))

    def scene(self) -> Scene:
        """What is drawn of it."""
        return build_scene(self.character, self.clip.rods if isinstance(self.clip, Performance) else None)

    def poses(self, times: np.ndarray) -> BodyPoses:
        """Poses of all bodies, and of links of rods where they are known, at times [s]."""
        clip = self.clip
        if clip.frame_count == 1:
            one = pose_bodies(self.character, clip)
            count = (len(times), 1, 1)
            return BodyPoses(
                times, one.names, np.tile(one.positions[:1], count), np.tile(one.quaternions_wxyz[:1], count)
            )
        return pose_bodies(self.character, clip, np.clip(times, clip.times[0], clip.times[-1]))

    def data(self, reel: Reel, look: int) -> dict[str, Any]:
        """For the script.

        Args:
            reel: The moments.
            look: Which of the film's looks it has.
        """
        poses = self.poses(reel.times)
        positions = poses.positions + np.array(self.shift)
        return {
            "look": look,
            "name": self.name,
            "ghost": self.ghost,
            "colour": None if self.colour is None else short(self.colour),
            "opacity": self.opacity,
            "placing": self.placing,
            "poses": reel.poses(positions, quaternions.continuous(poses.quaternions_wxyz)),
            "use": None if self.use is None else self.use.data(reel),
        }
