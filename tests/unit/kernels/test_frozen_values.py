from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numba
import numpy as np
import pytest

from animato.kernels.compiled import kernel
from animato.kernels.frozen_values import frozen_digest, type_text

SCALE = 2.0
TABLE = np.array([1.0, 2.0])
NESTED = (1.0, (TABLE, 3))


@kernel
def helper(x):
    return SCALE * x + TABLE[0]


@kernel
def outer(x):
    return helper(x) + NESTED[0]


@pytest.mark.parametrize(
    ("name", "value"), [("SCALE", 3.0), ("TABLE", np.array([1.0, 2.5])), ("NESTED", (1.0, (TABLE, 4)))]
)
def test_the_value_of_a_constant_counts_through_all_calls(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = frozen_digest(outer.py_func)
    assert frozen_digest(outer.py_func) == before
    monkeypatch.setitem(globals(), name, value)
    assert frozen_digest(outer.py_func) != before


def test_another_helper_in_its_place_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    before = frozen_digest(outer.py_func)

    @kernel
    def changed(x):
        return SCALE * x - TABLE[0]

    monkeypatch.setitem(globals(), "helper", changed)
    assert frozen_digest(outer.py_func) != before


class Place(NamedTuple):
    width: float
    height: float


def test_who_is_where_in_a_named_tuple_counts() -> None:
    turned = namedtuple("Place", ("height", "width"), module=Place.__module__)
    one, other = numba.typeof(Place(1.0, 2.0)), numba.typeof(turned(1.0, 2.0))
    assert repr(one) == repr(other)  # what numba has to say
    assert type_text(one) != type_text(other)
    assert type_text(numba.typeof((1, Place(1.0, 2.0)))) != type_text(numba.typeof((1, turned(1.0, 2.0))))


@pytest.mark.parametrize("value", [1.0, 3, True, np.zeros((2, 3)), np.zeros((2, 3)).T, (1.0, 2), "word"])
def test_other_types_are_what_numba_calls_them(value: object) -> None:
    kind = numba.typeof(value)
    assert type_text(kind) == (repr(kind) if not isinstance(value, tuple) else "(float64, int64)")
