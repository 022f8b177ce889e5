"""Machine code on disk, under a key of everything that it was made from.

numba's own cache looks at the file of the kernel alone: a sign changed in a helper in another file leaves the old
machine code in place. And its index can mix up two overloads that two processes save at the same time. Here each
overload is a file of its own, and its path says what it was made from: the texts of all sources that the module of
the kernel stands on (`SourceTree`), the versions of Python, NumPy, numba and llvmlite, numba's settings, the kind of
processor, the types of the arguments, and the values that would be frozen right now (`frozen_digest`).

Keeping is a favour, not a duty: where something cannot be read or written the kernel is compiled and all goes on.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import platform
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from numba.core import config, sigutils
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from animato.kernels.cache_folder import cache_root, clean_module, mark_used, sweep
from animato.kernels.frozen_values import frozen_digest, type_text
from animato.kernels.sources import SourceTree

_PACKAGE = Path(__file__).resolve().parent.parent
_NOT_CODE = ("NUMBA_CACHE_DIR", "NUMBA_DEBUG_CACHE", "NUMBA_NUM_THREADS")
"""Settings of numba that do not change what it compiles."""


@functools.cache
def source_tree() -> SourceTree:
    """The sources of animato as they were when the first kernel was defined."""
    return SourceTree.read(_PACKAGE)


@functools.cache
def versions() -> bytes:
    """Who compiles, and how."""
    said = [sys.version, platform.machine(), np.__version__, numba.__version__, llvmlite.__version__]
    settings = [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_")]
    said += [one for one in settings if not one.startswith(_NOT_CODE)]
    said += [f"{name}={getattr(config, name, None)}" for name in ("OPT", "BOUNDSCHECK", "USING_SVML", "ENABLE_AVX")]
    return "\n".join(said).encode()


@functools.cache
def kernels_folder() -> Path | None:
    """Where kernels are kept; None where nobody knows a place."""
    root = cache_root(numba_folder=config.CACHE_DIR)
    if root is None:
        tell_uncached("there is no home folder. ANIMATO_CACHE_DIR names another.")
        return None
    return root / "kernels"


def tell_uncached(why: str) -> None:
    """Says, once in a process, why kernels are compiled again in the next one."""
    if not _told:
        said = f"animato: compiled kernels are not kept: {why}"
        print(said, file=sys.stderr, flush=True)
        _told.append(said)


def uncached() -> str | None:
    """What was said about kernels that are not kept; None where nothing had to be said."""
    return _told[0] if _told else None


_told: list[str] = []


@functools.cache
def key_folder(module: str) -> Path | None:
    """Where the kernels of a module are kept, as the module and all it stands on are now."""
    place = kernels_folder()
    if not source_tree().files:
        tell_uncached("the sources of animato are not plain files.")
    if place is None or module not in source_tree().files:
        return None
    key = hashlib.sha256(versions() + b"\0" + source_tree().digest(module)).hexdigest()[:32]
    return place / module / key


class KernelCache:
    """Keeps the overloads of one kernel; a numba dispatcher asks it before it compiles.

    Attributes:
        function: The kernel in Python.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        source_tree()  # now, while the files are what Python imports

    @property
    def cache_path(self) -> str | None:
        """Folder of the overloads, for numba's statistics."""
        folder = key_folder(self.function.__module__)
        return None if folder is None else str(folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled overload of a signature, or None where it has to be compiled.

        Whatever is wrong with the file, compiling is the way out.
        """
        target_context.refresh()
        path, made_of = self._place(sig, target_context.codegen())
        if path is None:
            return None
        try:
            data = path.read_bytes()
            digest, payload = data[:32], data[32:]
            if hashlib.sha256(payload).digest() != digest:
                return None  # cut short by a full disk or a power cut
            kept_made_of, reduced = pickle.loads(payload)
            if kept_made_of != made_of:
                return None
            found = CompileResult._rebuild(target_context, *reduced)
        except Exception:
            return None
        _first_use(path.parent)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps a compiled overload, if there is a place for it."""
        path, made_of = self._place(sig, data.codegen)
        if path is None or data.library.has_dynamic_globals or any(not one.can_cache for one in data.lifted):
            return
        payload = dumps((made_of, data._reduce()))
        part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(hashlib.sha256(payload).digest() + payload)
            part.replace(path)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            if not _is_file(path):  # else another process was quicker and has it open, which Windows minds
                tell_uncached(f"{error}. ANIMATO_CACHE_DIR names another folder.")
            return
        _tidy(path.parent)

    def flush(self) -> None:
        """Nothing: what was kept under a key holds for that key."""

    def enable(self) -> None:
        """Nothing: it is."""

    def disable(self) -> None:
        """Nothing: it cannot be."""

    def _place(self, sig: Any, codegen: Any) -> tuple[Path | None, str]:
        """The file of an overload and, in words, what it is made of; no file where it must not be kept."""
        module = self.function.__module__
        folder = key_folder(module)
        arguments, result = sigutils.normalize_signature(sig)
        kinds = [type_text(kind) for kind in (*arguments, *([] if result is None else [result]))]
        made_of = "\n".join([*kinds, repr(codegen.magic_tuple()), frozen_digest(self.function)])
        # A function as an argument is known by its address, and one from around a kernel not at all.
        if self.function.__closure__ or "Dispatcher" in made_of or " at 0x" in made_of:
            return None, made_of
        if folder is None or not source_tree().unchanged(module):
            return None, made_of
        name = "".join(letter if letter.isalnum() or letter in "._" else "" for letter in self.function.__qualname__)
        line = self.function.__code__.co_firstlineno
        return folder / f"{name}-{line}-{hashlib.sha256(made_of.encode()).hexdigest()[:16]}.nbc", made_of


@functools.cache
def _first_use(folder: Path) -> None:
    """Once a process for each key."""
    mark_used(folder)


@functools.cache
def _tidy(folder: Path) -> None:
    """Once a process for each key that grows."""
    clean_module(folder.parent)
    sweep(folder.parent.parent)


def _is_file(path: Path) -> bool:
    """Whether there is a file, as far as one may look."""
    try:
        return path.is_file()
    except OSError:
        return False
