"""Threads of libraries live on beside the tests: what they do is not taken for what a test does."""

from __future__ import annotations

import random
import threading

from hypothesis import given, settings
from hypothesis import strategies as st


def drawn_elsewhere() -> None:
    """As the keepalive of a web socket: another thread takes a number from Python's own generator."""
    thread = threading.Thread(target=random.getrandbits, args=(32,))
    thread.start()
    thread.join()


@settings(max_examples=5, deadline=None)
@given(st.builds(drawn_elsewhere))
def test_random_numbers_of_another_thread_do_not_make_a_test_unreliable(nothing: None) -> None:
    assert nothing is None
