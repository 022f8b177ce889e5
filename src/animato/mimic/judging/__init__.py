"""How motions are judged: one scorer for all methods."""

from animato.mimic.judging.frame_states import frame_states
from animato.mimic.judging.rules import KEY_POINTS, Rules
from animato.mimic.judging.score import Score, score

__all__ = [
    "KEY_POINTS",
    "Rules",
    "Score",
    "frame_states",
    "score",
]
