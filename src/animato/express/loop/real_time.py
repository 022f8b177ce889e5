"""The interpreter while a loop runs in real time: threads take turns quickly, and nobody tidies up old memory."""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
from collections.abc import Iterator

_TURN_S = 2e-4  # for which a thread that computes in Python may keep the others waiting; 5 ms is Python's own choice

_lock = threading.Lock()
_before: list[tuple[float, bool]] = []  # turn and whether memory was put aside by us, of each run that is under way


@contextlib.contextmanager
def in_real_time() -> Iterator[None]:
    """Makes threads give way within 0.2 ms, and puts the memory of now aside.

    A full collection looks at everything that was ever imported, which takes longer than many a frame; what a loop
    makes is little, and is still collected. Several loops may run at the same time; the last one to end restores what
    was before the first.
    """
    with _lock:
        if not _before:
            aside = gc.get_freeze_count() == 0
            if aside:
                gc.collect()
                gc.freeze()
            _before.append((sys.getswitchinterval(), aside))
            sys.setswitchinterval(min(_TURN_S, sys.getswitchinterval()))
        else:
            _before.append(_before[0])
    try:
        yield
    finally:
        with _lock:
            turn_s, aside = _before.pop()
            if not _before:
                sys.setswitchinterval(turn_s)
                if aside:
                    gc.unfreeze()
