"""What a loop in real time changes of the interpreter, and that it changes it back."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading

import pytest

from animato.express.loop.real_time import in_real_time


def test_threads_take_turns_quickly_and_old_memory_is_left_alone() -> None:
    turn_s, frozen = sys.getswitchinterval(), gc.get_freeze_count()
    with in_real_time():
        assert sys.getswitchinterval() < 1e-3
        assert gc.get_freeze_count() > 1000
        assert gc.isenabled()
        with in_real_time():  # a second loop
            pass
        assert sys.getswitchinterval() < 1e-3
    assert sys.getswitchinterval() == turn_s
    assert gc.get_freeze_count() == frozen


def test_an_error_leaves_nothing_changed() -> None:
    turn_s = sys.getswitchinterval()
    with contextlib.suppress(KeyboardInterrupt), in_real_time(first=True):
        raise KeyboardInterrupt
    assert sys.getswitchinterval() == turn_s


@pytest.mark.skipif(not hasattr(os, "sched_getscheduler"), reason="only Linux has priorities of threads")
def test_whoever_gives_the_commands_goes_first_and_nobody_else() -> None:
    def policy() -> int:
        return os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK

    before, others = policy(), list[int]()
    with in_real_time(first=True):
        assert policy() in (os.SCHED_RR, before)  # as the system allows
        other = threading.Thread(target=lambda: others.append(policy()))
        other.start()
        other.join()
    assert others == [before]
    assert policy() == before


@pytest.mark.skipif(not hasattr(os, "sched_getscheduler"), reason="only Linux has priorities of threads")
def test_a_system_that_does_not_allow_it_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    with in_real_time(first=True):
        pass
