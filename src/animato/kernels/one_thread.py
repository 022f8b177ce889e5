"""BLAS held to one thread while many small matrices are worked on.

NumPy and SciPy come with a BLAS that spreads each product over all cores. For matrices of a few dozen rows the
threads cost more than they bring, and on a busy machine each product waits for the slowest of them.

How many threads BLAS takes is mostly one number for the whole process, so it is taken down while anybody here works
and put back as it was by whoever leaves last. Where BLAS is built upon OpenMP each thread has a number of its own.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from threadpoolctl import LibController, ThreadpoolController  # type: ignore[import-untyped]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class BlasHold:
    """A context in which BLAS has one thread; contexts may be nested, and overlap in several threads.

    Attributes:
        inside: How many are in the context.
    """

    def __init__(self) -> None:
        self.inside = 0
        self._lock = threading.Lock()
        self._libraries: list[LibController] = []
        self._modules = 0  # that were imported when the libraries were looked for
        self._taken: dict[str, int] = {}  # threads that a library had, by its file
        self._own = threading.local()  # the same for libraries that count for each thread, a stack

    def __enter__(self) -> None:
        with self._lock:
            self.inside += 1
            if len(sys.modules) != self._modules:  # only an import can bring another BLAS
                self._libraries = ThreadpoolController().select(user_api="blas").lib_controllers
                self._modules = len(sys.modules)
            own: dict[str, int] = {}
            for library in self._libraries:
                threads = library.get_num_threads()
                if threads is not None and threads > 1:
                    # Set by somebody else while we are inside: what there was first is what comes back.
                    (own if _counts_for_each_thread(library) else self._taken).setdefault(library.filepath, threads)
                    _set_threads(library, 1)
            self._stack().append(own)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self.inside -= 1
            back = self._stack().pop()
            if self.inside == 0:
                back |= self._taken
                self._taken.clear()
            for library in self._libraries:
                if library.filepath in back:
                    _set_threads(library, back[library.filepath])

    def _stack(self) -> list[dict[str, int]]:
        """What this thread took, one record for each context that it is in."""
        if not hasattr(self._own, "stack"):
            self._own.stack = []
        return self._own.stack


def _counts_for_each_thread(library: LibController) -> bool:
    return getattr(library, "threading_layer", None) == "openmp"


def _set_threads(library: LibController, count: int) -> None:
    """Sets the threads of a BLAS, and leaves it to others to do so next.

    threadpoolctl lets only the first thread that sets it do so again; who comes first does not matter here.
    """
    library.set_num_threads(count)
    if hasattr(library, "clear_controlling_thread"):
        library.clear_controlling_thread()


HOLD = BlasHold()
"""The one of this process."""


def one_blas_thread(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Makes a function hold BLAS to one thread while it runs."""

    @functools.wraps(function)
    def held(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with HOLD:
            return function(*args, **kwargs)

    return held
