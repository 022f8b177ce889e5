"""The longest time that a piece of work may take: what takes longer is stopped, whatever it is doing.

Code of Python is stopped by an exception, and its process works on. What is stuck in machine code hears of none: some
seconds later its process ends itself, where another takes its place.
"""

from __future__ import annotations

import ctypes
import faulthandler
import functools
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import TextIO

from animato.errors import OptionError

_GRACE_S = 5.0  # from the exception to the end of the process: what cleans up after itself has so long
_replaced = False  # whether another process takes the place of this one


class LateError(BaseException):
    """It took too long. No `Exception`: nobody who makes do with a failed step should catch it."""


def checked_longest(longest_s: float | None) -> float | None:
    """The longest time [s] as given; None is for ever.

    Raises:
        OptionError: It is not above 0.
    """
    if longest_s is not None and not 0.0 < longest_s < 1e8:
        raise OptionError(f"`longest_s` is how many seconds a clip may take, above 0; given {longest_s!r}.")
    return longest_s


def will_be_replaced() -> None:
    """Says that this process may end itself: whoever started it starts another."""
    global _replaced  # noqa: PLW0603 - it is the process's own
    _replaced = True


@contextmanager
def deadline(longest_s: float | None) -> Iterator[None]:
    """Stops what is done in here after a time.

    Args:
        longest_s: It may take [s]; for ever where None.

    Raises:
        LateError: It took longer.
    """
    if longest_s is None:
        yield
        return
    with ExitStack() as stack:
        if _replaced:
            stack.enter_context(_ended(longest_s + _GRACE_S))
        alarm = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
        stack.enter_context(_interrupted(longest_s) if alarm else _raised_in(threading.get_ident(), longest_s))
        yield


@contextmanager
def _interrupted(after_s: float) -> Iterator[None]:
    """By a signal, which ends waiting, too; only the main thread hears of signals."""

    def late(number: int, frame: FrameType | None) -> None:
        raise LateError

    before = signal.signal(signal.SIGALRM, late)
    try:
        signal.setitimer(signal.ITIMER_REAL, after_s)
        yield
    finally:
        try:  # the alarm may still come in between
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, signal.SIG_IGN)  # one on its way to another thread would end the process
        finally:
            signal.signal(signal.SIGALRM, before)


@contextmanager
def _raised_in(thread: int, after_s: float) -> Iterator[None]:
    """By an exception that another thread has this one raise; it comes when Python code goes on."""
    lock, over = threading.Lock(), False

    def late() -> None:
        with lock:
            if not over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(LateError))

    timer = threading.Timer(after_s, late)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            over = True
        timer.cancel()


@contextmanager
def _ended(after_s: float) -> Iterator[None]:
    """By the end of the process, from a thread that needs no Python."""
    faulthandler.dump_traceback_later(after_s, exit=True, file=_nowhere())
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


@functools.cache
def _nowhere() -> TextIO:
    """Where the stack of a process that ends itself goes; open as long as the process is there."""
    return Path(os.devnull).open("w")
