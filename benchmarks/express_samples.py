"""Samples of the evaluation sweep of Ribeiro and Paiva (2019): some postures, each with some targets, by a seed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from animato.express.facing.problem import FacingProblem, build_facing_problem
from animato.express.sweep.samples import build_sweep
from animato.formats.character_files import load_character
from animato.mechanics.tree.chains import Chain, build_chain

SKELETONS = "ABCDEFG"
SEED = 20190913


@dataclass(frozen=True, eq=False)
class Case:
    """One posture with its targets.

    Attributes:
        problem: Made ready.
        targets_wxyz: [t, 4].
    """

    problem: FacingProblem
    targets_wxyz: np.ndarray


@lru_cache
def chain_of(letter: str) -> Chain:
    """One of the test skeletons."""
    return build_chain(load_character(f"skeleton_{letter.lower()}"), "tip")


@lru_cache
def cases(letter: str, *, quick: bool) -> tuple[Case, ...]:
    """Postures and targets drawn evenly from the sweep."""
    rng = np.random.default_rng(SEED)
    chain = chain_of(letter)
    sweep = build_sweep(chain)
    count, each = (40, 1) if quick else (200, 2)
    postures = sweep.postures[rng.integers(0, len(sweep.postures), count)]
    targets = sweep.targets_wxyz[rng.integers(0, len(sweep.targets_wxyz), (count, each))]
    return tuple(
        Case(build_facing_problem(chain, posture), some) for posture, some in zip(postures, targets, strict=True)
    )
