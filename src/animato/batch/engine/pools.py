"""Where chunks run: in this process, in processes of this machine, on a Dask cluster."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from animato.batch.engine.deadline import will_be_replaced
from animato.batch.engine.task import Finished, Task, Work, timed
from animato.errors import AnimatoError, OptionError, missing_dependency, unknown_name

PLACES = ("here", "serial", "dask")
"""Processes of this machine by joblib, this process alone, a Dask cluster."""

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


class Pool(Protocol):
    """Something that does chunks."""

    @property
    def slots(self) -> int:
        """Chunks that it does at the same time."""
        ...

    def submit(self, work: Work, tasks: Sequence[Task]) -> None:
        """Has a chunk done."""
        ...

    def finished(self) -> list[Finished]:
        """Waits until at least one of the chunks that were submitted is done, and gives those that are."""
        ...

    def close(self, *, now: bool) -> None:
        """Ends its processes; at once, or when they are done."""
        ...


@dataclass(frozen=True)
class Place:
    """Where chunks run.

    Attributes:
        name: One of PLACES.
        workers: Processes; all cores of this machine, or all that the cluster has, where None.
        scheduler: Address of a Dask scheduler ("tcp://host:8786"); a cluster on this machine where None.
    """

    name: str = "here"
    workers: int | None = None
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if self.name not in PLACES:
            raise unknown_name("place", self.name, PLACES, "a batch")
        if self.workers is not None and self.workers < 1:
            raise OptionError(f"`workers` is how many processes work, 1 or more; given {self.workers!r}.")
        if self.scheduler is not None and self.name != "dask":
            raise OptionError(f"`scheduler` is the address of a Dask cluster; the place given is '{self.name}'.")

    @contextmanager
    def opened(self, *, alone: bool = False) -> Iterator[Pool]:
        """A pool that is closed at the end; at once where something was raised, Ctrl-C included.

        Args:
            alone: Whether it does one chunk at a time, so that whoever kills its process is known.
        """
        pool = self._pool(alone)
        try:
            yield pool
        except BaseException:
            pool.close(now=True)
            raise
        pool.close(now=False)

    def _pool(self, alone: bool) -> Pool:
        if self.name == "serial":
            return _Serial()
        if self.name == "dask":
            return _Dask(self.scheduler, self.workers, alone)
        return _Processes(1 if alone else self.workers or _cores())


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Serial:
    """This process; what kills a task kills the batch."""

    slots = 1

    def __init__(self) -> None:
        self._waiting: list[tuple[Work, tuple[Task, ...]]] = []

    def submit(self, work: Work, tasks: Sequence[Task]) -> None:
        self._waiting.append((work, tuple(tasks)))

    def finished(self) -> list[Finished]:
        work, tasks = self._waiting.pop(0)
        results, seconds = timed(work, [task.payload for task in tasks])
        return [Finished(tasks, tuple(results), seconds)]

    def close(self, *, now: bool) -> None:
        pass


class _Processes:
    """Processes of this machine, started afresh by joblib's loky where one of them died."""

    def __init__(self, workers: int) -> None:
        try:
            self._loky = import_module("joblib.externals.loky")
        except ImportError:
            raise missing_dependency("joblib", "batch", "A batch on several cores") from None
        self.slots = workers
        self._executor: Any = None
        self._chunks: dict[Any, tuple[tuple[Task, ...], float]] = {}  # and when they were submitted

    def submit(self, work: Work, tasks: Sequence[Task]) -> None:
        if self._executor is None:
            self._executor = self._loky.ProcessPoolExecutor(
                max_workers=self.slots, env=_ONE_THREAD, initializer=_end_with, initargs=(os.getpid(),)
            )
        payloads = [task.payload for task in tasks]
        try:
            future = self._executor.submit(timed, work, payloads)
        except BrokenExecutor:  # one died since; what was there is told of by `finished`, and this one goes afresh
            self._end()
            return self.submit(work, tasks)
        self._chunks[future] = tuple(tasks), time.perf_counter()

    def finished(self) -> list[Finished]:
        done, _ = wait(self._chunks, return_when=FIRST_COMPLETED)
        found = []
        for future in done:
            tasks, began = self._chunks.pop(future)
            try:
                results, seconds = future.result()
            except BrokenExecutor:
                self._end()
                found.append(Finished(tasks, None, time.perf_counter() - began))
            else:
                found.append(Finished(tasks, tuple(results), seconds))
        return found

    def close(self, *, now: bool) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=True, kill_workers=now)
            self._executor = None

    def _end(self) -> None:
        """Ends processes of which one has died: the others' chunks are not known to be whole either."""
        self.close(now=True)


def _end_with(parent: int) -> None:
    """Has a process end with the one that started it, however that ends, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    will_be_replaced()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _Dask:
    """A Dask cluster: one that runs already, or one of processes on this machine."""

    def __init__(self, scheduler: str | None, workers: int | None, alone: bool) -> None:
        try:
            self._dask = import_module("distributed")
        except ImportError:
            raise missing_dependency("distributed", "cluster", "A batch on a Dask cluster") from None
        where: dict[str, Any] = (
            {"address": scheduler}
            if scheduler is not None
            else {
                "n_workers": workers or _cores(),
                "threads_per_worker": 1,
                "dashboard_address": ":0",
                "silence_logs": logging.CRITICAL,  # of processes that died or were slow to end rows tell
            }
        )
        try:
            with import_module("dask").config.set({"distributed.scheduler.allowed-failures": 0}):  # of a cluster here
                self._client = self._dask.Client(**where)
        except OSError as error:
            raise AnimatoError(
                f"No Dask scheduler answers at '{scheduler}': {error}. Start one with `dask scheduler`, or leave the "
                "address out for a cluster on this machine."
            ) from None
        self.slots = 1 if alone else workers or max(1, sum(self._client.nthreads().values()))
        self._sent: tuple[Work, Any] | None = None
        self._chunks: dict[Any, tuple[tuple[Task, ...], float]] = {}

    def submit(self, work: Work, tasks: Sequence[Task]) -> None:
        if self._sent is None or self._sent[0] is not work or self._sent[1].status != "finished":
            self._sent = (work, self._client.scatter(work, broadcast=True))  # once, not with every chunk
        payloads = [task.payload for task in tasks]
        future = self._client.submit(_timed_by_dask, self._sent[1], payloads, pure=False)
        self._chunks[future] = tuple(tasks), time.perf_counter()

    def finished(self) -> list[Finished]:
        with suppress(CancelledError):  # it waited, and one of them was given up: below it is known which
            self._dask.wait(list(self._chunks), return_when=FIRST_COMPLETED)
        done = [future for future in self._chunks if future.status != "pending"]
        found = []
        for future in done:
            tasks, began = self._chunks.pop(future)
            try:
                results, seconds = future.result()
            except (self._dask.KilledWorker, CancelledError):  # the second: all that knew the work have died
                found.append(Finished(tasks, None, time.perf_counter() - began))
            else:
                found.append(Finished(tasks, tuple(results), seconds))
            future.release()
        return found

    def close(self, *, now: bool) -> None:
        self._client.cancel(list(self._chunks), force=now)
        self._client.close()


def _timed_by_dask(work: Work, payloads: Sequence[Any]) -> tuple[list[Any], float]:
    """What a process of a Dask cluster runs; one that does several tasks at a time must not end for one of them."""
    worker = import_module("distributed").get_worker()
    if worker.nanny is not None and worker.state.nthreads == 1:
        will_be_replaced()
    return timed(work, payloads)
