"""Self-collision of tree characters: hulls of their bodies, distances, and rows that keep them apart."""

from animato.mechanics.collision.hull import Hull, hulls_of
from animato.mechanics.collision.levers import pair_levers
from animato.mechanics.collision.measuring import NearPairs, distances, near_pairs
from animato.mechanics.collision.model import CollisionModel
from animato.mechanics.collision.penetration import ALLOWED_DEPTH, PenetrationReport, deepest
from animato.mechanics.collision.probing import solid_of
from animato.mechanics.collision.separation import separation_rows
from animato.mechanics.collision.shape_points import even_directions, shape_points
from animato.mechanics.collision.surroundings import Obstacle, box_behind, obstacles_of

__all__ = [
    "ALLOWED_DEPTH",
    "CollisionModel",
    "Hull",
    "NearPairs",
    "Obstacle",
    "PenetrationReport",
    "box_behind",
    "deepest",
    "distances",
    "even_directions",
    "hulls_of",
    "near_pairs",
    "obstacles_of",
    "pair_levers",
    "separation_rows",
    "shape_points",
    "solid_of",
]
