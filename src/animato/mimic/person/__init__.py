"""The captured person: landmarks of a human body from skeletons, markers and body models."""

from animato.mimic.person.from_capture import person_of
from animato.mimic.person.person import LANDMARKS, PAIRED, SIDES, Person
from animato.mimic.person.resampling import resampled

__all__ = [
    "LANDMARKS",
    "PAIRED",
    "SIDES",
    "Person",
    "person_of",
    "resampled",
]
