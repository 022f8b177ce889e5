"""Kernels that are called through their address."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numba.core.errors import TypingError

from animato.kernels.compiled import kernel
from animato.kernels.separate import address_of, call_at


class Bundle(NamedTuple):
    numbers: np.ndarray
    calls: np.ndarray


@kernel
def add_multiple(bundle: Bundle, other: np.ndarray, twice: bool) -> None:
    for i in range(len(other)):
        bundle.numbers[i] += (2.0 if twice else 1.0) * other[i]


@kernel
def caller(bundle: Bundle, other: np.ndarray) -> None:
    call_at(bundle.calls[0], (bundle, other, True))


def built() -> Bundle:
    bundle = Bundle(np.zeros(3), np.zeros(1, dtype=np.int64))
    bundle.calls[0] = address_of(add_multiple, bundle, np.zeros(3), True)
    return bundle


def test_the_kernel_at_the_address_is_called() -> None:
    bundle = built()
    caller(bundle, np.arange(3.0))
    caller(bundle, np.arange(3.0))
    np.testing.assert_array_equal(bundle.numbers, [0.0, 4.0, 8.0])
    assert address_of(add_multiple, bundle, np.zeros(3), True) == bundle.calls[0]


def test_arrays_that_the_kernel_does_not_know_are_refused() -> None:
    with pytest.raises(TypingError, match="contiguous, writable"):
        caller(built(), np.arange(6.0)[::2])
