"""The captured person: landmarks of a human body from skeletons, markers and body models."""

from animato.mimic.person.person import LANDMARKS, PAIRED, SIDES, Person

__all__ = [
    "LANDMARKS",
    "PAIRED",
    "SIDES",
    "Person",
]
