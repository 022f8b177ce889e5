"""The interpreter and the machine while a loop runs in real time: whoever gives the commands goes first."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
from collections.abc import Iterator

_TURN_S = 2e-4  # for which a thread that computes in Python may keep the others waiting; 5 ms is Python's own choice

_lock = threading.Lock()
_before: list[tuple[float, bool]] = []  # turn, and whether memory was put aside by us, of each run that is under way


@contextlib.contextmanager
def in_real_time(*, first: bool = False) -> Iterator[None]:
    """Makes threads of Python give way within 0.2 ms, and puts the memory of now aside.

    A full collection looks at everything that was ever imported, which takes longer than many a frame; what a loop
    makes is little, and is still collected. Several loops may run at the same time; the last one to end restores what
    was before the first.

    Args:
        first: Whether this thread runs before all programs that are not in real time, where the system allows it. It
            should have little to do: a solver belongs in another thread.
    """
    with _lock:
        _before.append(_before[0] if _before else _prepared())
    try:
        with _going_first() if first else contextlib.nullcontext():
            yield
    finally:
        with _lock:
            turn_s, aside = _before.pop()
            if not _before:
                sys.setswitchinterval(turn_s)
                if aside:
                    gc.unfreeze()


def _prepared() -> tuple[float, bool]:
    """Sets the interpreter up; what there was before."""
    turn_s, aside = sys.getswitchinterval(), gc.get_freeze_count() == 0
    sys.setswitchinterval(min(_TURN_S, turn_s))
    if aside:
        gc.collect()
        gc.freeze()
    return turn_s, aside


@contextlib.contextmanager
def _going_first() -> Iterator[None]:
    """The lowest real-time priority for this thread; threads and programs that it starts are as they always are.

    Linux gives it to root and to whom its administrator names; all others run as before.
    """
    if not hasattr(os, "sched_setscheduler"):
        yield
        return
    policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    usual = policy & ~os.SCHED_RESET_ON_FORK == os.SCHED_OTHER
    with contextlib.suppress(OSError):
        if usual:  # whoever has chosen a priority knows better
            os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    try:
        yield
    finally:
        try:
            os.sched_setscheduler(0, policy, parameters)
        except OSError:  # only root may take the mark off again
            with contextlib.suppress(OSError):
                os.sched_setscheduler(0, policy | os.SCHED_RESET_ON_FORK, parameters)
