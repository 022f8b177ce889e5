"""While a kernel runs, other threads of Python run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from animato.kernels.compiled import kernel


def spin(count: int) -> float:
    value = 0.5
    for _ in range(count):
        value = np.cos(value)
    return value


def beats_during(work: Callable[[int], float]) -> int:
    """How often another thread comes by while a kernel works for 0.3 s or so."""
    work(1)
    start = time.perf_counter()
    work(100_000)
    count = int(100_000 * 0.3 / (time.perf_counter() - start))
    done = threading.Event()

    def run() -> None:
        work(count)
        done.set()

    thread, beats = threading.Thread(target=run), 0
    thread.start()
    while not done.wait(0.005):
        beats += 1
    thread.join()
    return beats


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_other_threads_run_during_a_kernel() -> None:
    held: Any = numba.njit(spin)
    assert beats_during(kernel(spin)) > 10
    assert beats_during(held) < 5  # what it would be otherwise
