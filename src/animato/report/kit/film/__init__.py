"""What a player shows: a film of figures and other things, as small numbers for its script."""

from animato.report.kit.film.camera import HEIGHT, WIDTH, Shot
from animato.report.kit.film.figure import BESIDE, OFF, OVER, Figure
from animato.report.kit.film.film import Film, film_data, switches_of
from animato.report.kit.film.floor_polygon import FloorPolygon
from animato.report.kit.film.gaze import DIRECTION, NOTHING, POINT, Gaze
from animato.report.kit.film.marks import Arrow, Ball, Pin, Pins
from animato.report.kit.film.numbers import Packer, unpacked
from animato.report.kit.film.placed_bodies import PlacedBodies
from animato.report.kit.film.readout import Readout
from animato.report.kit.film.stick_figure import StickFigure
from animato.report.kit.film.thing import Thing
from animato.report.kit.film.trail import COOL, WARM, Line, Trail, trail_of
from animato.report.kit.film.use import Use, use_of

__all__ = [
    "BESIDE",
    "COOL",
    "DIRECTION",
    "HEIGHT",
    "NOTHING",
    "OFF",
    "OVER",
    "POINT",
    "WARM",
    "WIDTH",
    "Arrow",
    "Ball",
    "Figure",
    "Film",
    "FloorPolygon",
    "Gaze",
    "Line",
    "Packer",
    "Pin",
    "Pins",
    "PlacedBodies",
    "Readout",
    "Shot",
    "StickFigure",
    "Thing",
    "Trail",
    "Use",
    "film_data",
    "switches_of",
    "trail_of",
    "unpacked",
    "use_of",
]
