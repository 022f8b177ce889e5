from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from animato.loading import as_character, as_clip
from animato.mechanics.collision import CollisionModel, distances, following, near_pairs, pair_levers
from animato.mechanics.collision.probing import probe_placed
from animato.mechanics.tree import packed_tree, states_of_clip
from tests.apart_builders import hand_passes, two_arms

pytest.importorskip("coal")


@pytest.mark.parametrize("within", [0.0, 0.01, 0.04])
def test_few_measurements_say_the_same_as_all(within: float, monkeypatch: pytest.MonkeyPatch) -> None:
    pico = as_character("pico")
    clip = as_clip("pico_hello", pico)
    model = CollisionModel.of(pico)
    states = states_of_clip(pico, clip, np.linspace(2.0, 3.0, 120))
    calls: list[int] = []

    def counted_probe(solids: Any, chosen: np.ndarray, *rest: Any) -> Any:
        calls.append(len(chosen))
        return probe_placed(solids, chosen, *rest)

    monkeypatch.setattr(following, "probe_placed", counted_probe)
    few = distances(model, states, exact_within_m=within)
    counted = sum(calls)
    monkeypatch.setattr(following, "_STRIDES", (1,))
    every = distances(model, states, exact_within_m=within)
    near = every < within
    np.testing.assert_allclose(few[near], every[near], atol=4e-6)  # either is known to 2e-6 m
    assert np.all(few[~near] >= within - 4e-6)
    assert counted <= sum(calls) - counted


def test_a_part_of_the_pairs_is_measured_the_same() -> None:
    character = two_arms()
    clip = hand_passes(character)
    model = CollisionModel.of(character)
    part = model.only(np.array([1, 4, 5]))
    assert [part.pair_names(n) for n in range(3)] == [model.pair_names(n) for n in (1, 4, 5)]
    whole = distances(model, clip, exact_within_m=0.2)
    np.testing.assert_allclose(distances(part, clip, exact_within_m=0.2), whole[:, [1, 4, 5]], atol=4e-6)
    assert set(near_pairs(part, clip, 0.0).pairs.tolist()) == {2}


def test_levers_are_never_less_than_what_bodies_move() -> None:
    character = two_arms()
    model, tree = CollisionModel.of(character), packed_tree(character)
    columns = range(len(tree.coordinate_names))
    ends = np.full(len(tree.coordinate_names), 2.5)
    levers = pair_levers(model, model.pairs, columns, -ends, ends)
    rng = np.random.default_rng(7)
    clip = hand_passes(character)
    base = distances(model, clip, exact_within_m=np.inf)
    for _ in range(20):
        step = rng.normal(size=len(columns)) * 0.1
        moved = type(clip)(clip.times, clip.names, clip.positions + step)
        change = np.abs(distances(model, moved, exact_within_m=np.inf) - base).max(axis=0)
        assert np.all(change <= np.abs(step) @ levers + 1e-5)
    assert np.all(levers[0, :] >= 0.0) and levers.max() < 1.0
