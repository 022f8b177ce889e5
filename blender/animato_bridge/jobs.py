# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in slices, so that the editor never stops: a generator that a timer drives.

The generator yields what it is doing, as text. `Waiting` ends the slice: there is nothing to do but wait.
"""

import time

import bpy

from .errors import BridgeError

SLICE_S = 0.015
"""So long works one tick at most, but for the one step in it."""
PERIOD_S = 0.05


class Waiting(str):
    """Text of a step after which nothing is to be done for a while."""

    __slots__ = ()


class Job:
    """One piece of work.

    Attributes:
        title: What it is called in the panel.
        status: What it is doing.
        error: What went wrong, else an empty text.
        result: What the generator returned.
        running: Whether it goes on.
        cancelled: Whether somebody stopped it.
    """

    def __init__(self, title, steps):
        self.title = title
        self.status = ""
        self.error = ""
        self.result = None
        self.running = True
        self.cancelled = False
        self._steps = steps

    def tick(self) -> bool:
        """Works for a slice. Says whether there is more to do; never raises."""
        end = time.perf_counter() + SLICE_S
        while self.running:
            try:
                status = next(self._steps)
            except StopIteration as stop:
                self.result, self.running = stop.value, False
            except BridgeError as error:
                self.error, self.running = str(error), False
            except Exception as error:  # a timer that raises is dropped without a word
                self.error, self.running = f"A fault in the add-on: {type(error).__name__}: {error}", False
            else:
                self.status = str(status)
                if isinstance(status, Waiting) or time.perf_counter() > end:
                    break
        return self.running

    def cancel(self) -> None:
        """Stops the work; what it started is ended and its files are removed."""
        if self.running:
            self.running, self.cancelled = False, True
            self._steps.close()


class _State:
    """The one job of this Blender, and what the last one said.

    Attributes:
        job: Running, or the last one; None at the start.
        said: Sentences for the panel.
    """

    job: Job | None = None
    said: tuple[str, ...] = ()


state = _State()


def start(title, steps) -> Job:
    """Starts a job; a timer drives it.

    Raises:
        BridgeError: Another one is running.
    """
    if state.job is not None and state.job.running:
        steps.close()
        raise BridgeError(f"'{state.job.title}' is still running. Wait for it or cancel it.")
    state.job, state.said = Job(title, steps), ()
    return state.job


def drive_by_timer() -> None:
    """Lets Blender's timer drive the job where no operator does."""
    if not bpy.app.timers.is_registered(timer):
        bpy.app.timers.register(timer, first_interval=PERIOD_S)


def timer():
    """One tick for Blender's timer: seconds until the next, or None at the end."""
    job = state.job
    return PERIOD_S if job is not None and job.tick() else None


def cancel() -> None:
    """Stops what is running, if anything is."""
    if state.job is not None:
        state.job.cancel()
