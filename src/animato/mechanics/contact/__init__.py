"""What the floor gives to a character that stands on it: forces, the ZMP and balance."""

from animato.mechanics.contact.balance import OUTSIDE_TOLERANCE, Balance, balance_of
from animato.mechanics.contact.corners import CONTACT_HEIGHT, CONTACT_SPEED, Corners, corners_of, sole_points
from animato.mechanics.contact.friction import CONE_SIDES, FRICTION, REGULARIZATION, friction_cone, shared_wrench
from animato.mechanics.contact.guessed_soles import SoleGuess, guessed_soles, soles_of_bodies
from animato.mechanics.contact.polygon import convex_hull, outside_distance, used_reach
from animato.mechanics.contact.support import LEAST_STANDING, Support, corner_forces, floor_support, standing_share
from animato.mechanics.contact.zmp import (
    FLIGHT_SHARE,
    Momentum,
    Wrench,
    centroidal_zmp,
    momentum_of,
    root_wrench,
    weight_of,
    weight_share,
    zero_moment_points,
)

__all__ = [
    "CONE_SIDES",
    "CONTACT_HEIGHT",
    "CONTACT_SPEED",
    "FLIGHT_SHARE",
    "FRICTION",
    "LEAST_STANDING",
    "OUTSIDE_TOLERANCE",
    "REGULARIZATION",
    "Balance",
    "Corners",
    "Momentum",
    "SoleGuess",
    "Support",
    "Wrench",
    "balance_of",
    "centroidal_zmp",
    "convex_hull",
    "corner_forces",
    "corners_of",
    "floor_support",
    "friction_cone",
    "guessed_soles",
    "momentum_of",
    "outside_distance",
    "root_wrench",
    "shared_wrench",
    "sole_points",
    "soles_of_bodies",
    "standing_share",
    "used_reach",
    "weight_of",
    "weight_share",
    "zero_moment_points",
]
