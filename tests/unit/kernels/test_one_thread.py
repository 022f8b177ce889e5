from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_limits

from animato.kernels.one_thread import HOLD, one_blas_thread

BLAS = ThreadpoolController().select(user_api="blas")


def threads() -> set[int]:
    """Threads of every BLAS of this process."""
    return {library.get_num_threads() for library in BLAS.lib_controllers}


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    """However the tests were started, BLAS has two threads here."""
    if not BLAS.lib_controllers:
        pytest.skip("no BLAS whose threads can be set")
    with threadpool_limits(2, user_api="blas"):
        for library in BLAS.lib_controllers:
            getattr(library, "clear_controlling_thread", lambda: None)()  # else no other thread may set it
        assert threads() == {2}
        yield


@one_blas_thread
def seen(x: float, *, again: int = 0) -> tuple[float, set[int]]:
    """What it is given, and the threads it sees, with itself inside itself."""
    return (x, threads()) if again == 0 else seen(x, again=again - 1)


def test_a_function_has_one_thread_and_what_was_is_put_back() -> None:
    assert seen(2.0) == (2.0, {1})
    assert threads() == {2}


def test_it_may_be_nested() -> None:
    assert seen(2.0, again=3) == (2.0, {1})
    assert threads() == {2}


def test_an_error_puts_it_back_too() -> None:
    @one_blas_thread
    def fails() -> None:
        np.linalg.inv(np.zeros((2, 2)))

    with pytest.raises(np.linalg.LinAlgError):
        fails()
    assert threads() == {2}
    assert HOLD.inside == 0


def test_whoever_leaves_last_puts_it_back() -> None:
    first_in, may_leave, seen_inside = threading.Event(), threading.Event(), []

    def first() -> None:
        with HOLD:
            first_in.set()
            may_leave.wait(10.0)

    one = threading.Thread(target=first)
    one.start()
    first_in.wait(10.0)
    with HOLD:
        may_leave.set()
        one.join(10.0)
        seen_inside.append(threads())
    assert seen_inside == [{1}]
    assert threads() == {2}


def test_many_threads_leave_it_as_it_was() -> None:
    wrong: list[set[int]] = []

    def often() -> None:
        for _ in range(200):
            with HOLD:
                if threads() != {1}:
                    wrong.append(threads())

    workers = [threading.Thread(target=often) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30.0)
    assert not wrong
    assert threads() == {2}


def test_a_use_costs_less_than_fifty_microseconds() -> None:
    best = np.inf
    for _ in range(50):
        start = time.perf_counter()
        for _ in range(20):
            with HOLD:
                pass
        best = min(best, (time.perf_counter() - start) / 20)
    assert best < 50e-6
