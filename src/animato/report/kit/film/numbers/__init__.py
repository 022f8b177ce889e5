"""Motions as few and small numbers."""

from animato.report.kit.film.numbers.packing import FULL, Packer, Place, unpacked
from animato.report.kit.film.numbers.reel import MOST_MOMENTS, Reel, moments_of, short
from animato.report.kit.film.numbers.thinning import thinned

__all__ = [
    "FULL",
    "MOST_MOMENTS",
    "Packer",
    "Place",
    "Reel",
    "moments_of",
    "short",
    "thinned",
    "unpacked",
]
