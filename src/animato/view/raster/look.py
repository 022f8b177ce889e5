"""How pictures look: quality, light and surroundings."""

from __future__ import annotations

from dataclasses import dataclass

from animato.errors import OptionError
from animato.view.raster.palette import GHOST, Colour

LARGEST = 8192


@dataclass(frozen=True)
class Look:
    """Options of the renderer. The defaults are those of every picture in the documentation.

    Attributes:
        supersampling: Samples of a pixel along each side, 1 to 4; 1 is quick and jagged.
        shadows: Whether the lamp casts shadows.
        occlusion: Whether corners and contacts are darker than open places.
        floor: Whether there is a floor.
        grid: Whether the floor has lines.
        top: Backdrop at the upper edge (sRGB).
        bottom: Backdrop at the lower edge (sRGB).
        floor_colour: Of the floor around the character (sRGB).
        ghost_colour: Of a ghost (sRGB).
        ghost_opacity: Of a ghost, 0 to 1.
        labels: Whether pictures carry a time stamp.
    """

    supersampling: int = 3
    shadows: bool = True
    occlusion: bool = True
    floor: bool = True
    grid: bool = True
    top: Colour = (0.72, 0.77, 0.83)
    bottom: Colour = (0.86, 0.88, 0.90)
    floor_colour: Colour = (0.88, 0.89, 0.90)
    ghost_colour: Colour = GHOST
    ghost_opacity: float = 0.36
    labels: bool = True

    def __post_init__(self) -> None:
        if self.supersampling not in (1, 2, 3, 4):
            raise OptionError(f"Supersampling is 1, 2, 3 or 4, given {self.supersampling}.")
        if not 0.0 <= self.ghost_opacity <= 1.0:
            raise OptionError(f"The opacity of a ghost goes from 0 to 1, given {self.ghost_opacity}.")
        for name in ("top", "bottom", "floor_colour", "ghost_colour"):
            colour = getattr(self, name)
            if len(colour) != 3 or not all(0.0 <= part <= 1.0 for part in colour):
                raise OptionError(f"The colour '{name}' is red, green, blue from 0 to 1, given {colour}.")


def check_size(width: int, height: int) -> None:
    """Raises unless a picture can have that size [pixels]."""
    if not (16 <= width <= LARGEST and 16 <= height <= LARGEST):
        raise OptionError(f"A picture is 16 to {LARGEST} pixels wide and high, given {width} x {height}.")
