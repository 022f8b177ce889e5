"""Numbers of films: what is packed comes back, and what is left out is not missed."""

from __future__ import annotations

import numpy as np
import pytest

from animato.report.kit.film import Packer, unpacked
from animato.report.kit.film.numbers.packing import FULL
from animato.report.kit.film.numbers.reel import Reel, moments_of
from animato.report.kit.film.numbers.thinning import thinned


@pytest.mark.parametrize("kind", ["u1", "i1", "<u2", "<i2"])
def test_whole_numbers_come_back(kind: str) -> None:
    random = np.random.default_rng(3)
    info = np.iinfo(kind)
    packer = Packer()
    tables = [random.integers(info.min, info.max, (rows, columns), endpoint=True) for rows, columns in ((7, 3), (1, 1))]
    tables.append(np.zeros((0, 3), dtype=int))
    places = [packer.whole(table.astype(kind)) for table in tables]
    for table, place in zip(tables, places, strict=True):
        np.testing.assert_array_equal(unpacked(packer.text(), place, signed=info.min < 0), table)


def test_shares_keep_sixteen_bits() -> None:
    values = np.linspace(-1.0, 1.0, 999).reshape(-1, 3)
    packer = Packer()
    place = packer.shares(values)
    np.testing.assert_allclose(unpacked(packer.text(), place, signed=True) / FULL, values, atol=0.51 / FULL)


def test_what_is_left_out_is_on_the_line() -> None:
    times = np.linspace(0.0, 6.0, 601)
    values = np.column_stack([np.sin(3.0 * times), times, np.where(times > 2.0, 1.0, 0.0)])
    kept = thinned(values, 0.01)
    assert kept[0] == 0 and kept[-1] == 600 and np.all(np.diff(kept) > 0)
    told = np.column_stack([np.interp(times, times[kept], column) for column in values[kept].T])
    assert np.abs(told - values).max() <= 0.01
    # a chord of the sine is off by 9 h^2 / 8 where it bends most: 64 of them and the step would do
    assert len(kept) < 80
    assert len(thinned(values, 0.001)) > len(kept)  # a finer look needs more


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_moments(count: int) -> None:
    assert thinned(np.ones((count, 2))).tolist() == [0, count - 1][-count:] if count < 3 else [0, 2]


def test_a_long_film_is_bounded() -> None:
    times = moments_of(0.0, 3600.0)
    assert len(times) == 60_000
    random = np.random.default_rng(5)
    angle = np.cumsum(random.normal(0.0, 0.05, (len(times), 4)), axis=0)  # nothing of it is on a line
    turns = np.stack([np.cos(angle), np.sin(angle), 0 * angle, 0 * angle], axis=2)
    packer = Packer()
    sent = Reel(times, 0.5, packer, 3).poses(0.1 * turns[..., :3], turns)
    # the share of one of three figures, guessed from a few windows
    assert sum(sent["counts"]) < 1.2 * (120_000 + 110 * 3600) / 3
    assert len(packer.text()) < 2_500_000


def test_what_was_sent_before_is_not_sent_again() -> None:
    values = np.linspace(-1.0, 1.0, 300).reshape(-1, 3)
    packer = Packer()
    first, size = packer.shares(values), packer.size
    assert packer.shares(values.copy()) == first and packer.size == size
    assert packer.shares(values[::-1]) != first
    assert packer.shares(values.reshape(-1, 6)) != first  # the same numbers in another order
