"""A show worked out for a robot: every clip, still and transition known before anything moves."""

from animato.stage.shows.score.composing import build_score
from animato.stage.shows.score.passage import Passage
from animato.stage.shows.score.stretch import End, Mark, Moment, Place, Score, Stretch
from animato.stage.shows.score.taking import STEP_S, still_clip

__all__ = [
    "STEP_S",
    "End",
    "Mark",
    "Moment",
    "Passage",
    "Place",
    "Score",
    "Stretch",
    "build_score",
    "still_clip",
]
