"""Where compiled kernels are kept, and what is thrown away.

    <cache folder>/kernels/<module>/<key>/<function>-<line>-<signature>.nbc

A key stands for everything that went into the machine code (see `KernelCache`), so nothing in a key's folder is ever
wrong; it only comes out of use. The folder's own time says when it was used last.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path

DAY_S = 86400.0
UNUSED_DAYS = 30
"""Keys that nobody used for so long are thrown away."""
KEYS_A_MODULE = 6
"""Of one module this many are kept, those used last: a few branches, a few versions."""

_KEY = re.compile(r"[0-9a-f]{32}")


def cache_root(
    environment: Mapping[str, str] = os.environ, platform: str = sys.platform, numba_folder: str = ""
) -> Path | None:
    """The folder of everything that animato keeps; None where there is no such place.

    Args:
        environment: `ANIMATO_CACHE_DIR` comes first, then `NUMBA_CACHE_DIR`, `XDG_CACHE_HOME`, and the user's home.
        platform: As `sys.platform` says.
        numba_folder: What numba's own settings say, which may come from a file.
    """
    if stated := environment.get("ANIMATO_CACHE_DIR"):
        return Path(stated).absolute()
    if stated := environment.get("NUMBA_CACHE_DIR") or numba_folder:
        return Path(stated).absolute() / "animato"
    stated = environment.get("XDG_CACHE_HOME", "")
    if Path(stated).is_absolute():
        return Path(stated) / "animato"
    if platform == "win32" and Path(local := environment.get("LOCALAPPDATA", "")).is_absolute():
        return Path(local) / "animato" / "Cache"
    try:
        home = Path(environment["HOME"]) if "HOME" in environment else Path("~").expanduser()
    except RuntimeError:  # a user whom the system does not know, as in some containers
        return None
    if not home.is_absolute():
        return None
    return home / ("Library/Caches" if platform == "darwin" else ".cache") / "animato"


def mark_used(folder: Path) -> None:
    """Says that a key is in use today."""
    with contextlib.suppress(OSError):
        os.utime(folder)


def clean_module(folder: Path, keep: int = KEYS_A_MODULE) -> None:
    """Throws away all but the keys of a module that were used last.

    A process that still works with one of them compiles again what it does not have yet.
    """
    for key in _keys_by_use(folder)[keep:]:
        shutil.rmtree(key, ignore_errors=True)


def sweep(kernels: Path, now_s: float | None = None) -> None:
    """Throws away keys of any module that nobody used for a month; looks once a day at the most.

    Args:
        kernels: The folder of all modules.
        now_s: Seconds since the epoch [s].
    """
    now = time.time() if now_s is None else now_s
    stamp = kernels / ".swept"
    with contextlib.suppress(OSError):
        if stamp.exists() and now - stamp.stat().st_mtime < DAY_S:
            return
        stamp.touch()
        os.utime(stamp, (now, now))
        for module in (one for one in kernels.iterdir() if one.is_dir()):
            for key in _keys_by_use(module):
                if now - key.stat().st_mtime > UNUSED_DAYS * DAY_S:
                    shutil.rmtree(key, ignore_errors=True)
            if not any(module.iterdir()):
                module.rmdir()


def _keys_by_use(folder: Path) -> list[Path]:
    """Folders of a module's keys, the one used last first; whatever else lies there is not ours to touch."""
    used: dict[Path, float] = {}
    with contextlib.suppress(OSError):
        for entry in folder.iterdir():
            if _KEY.fullmatch(entry.name):
                with contextlib.suppress(OSError):  # another process may be cleaning too
                    used[entry] = entry.stat().st_mtime
    return sorted(used, key=lambda key: used[key], reverse=True)
