"""Folders are written whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from animato.errors import AnimatoError

ABOUT = "about.json"
"""The file in an exported folder that says what is in it, and by which a later export knows that it may replace it."""


@contextmanager
def whole_folder(path: Path, about: dict[str, Any]) -> Iterator[Path]:
    """A folder to write into, which gets its name when all is written.

    Args:
        path: Its final place. A folder that an earlier export made there is replaced; any other is left alone.
        about: What it holds, written into it as `about.json`.

    Raises:
        AnimatoError: Something else is there, or it cannot be written. Nothing is left behind.
    """
    target = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    _check_free(target, path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name[:100]}."))
    except OSError as error:
        raise AnimatoError(f"Cannot write '{path}': {error}. Choose another place.") from None
    try:
        yield made
        (made / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
        made.chmod(0o755)
        _check_free(target, path)  # what came there in the meantime is not ours either
        _put(made, target)
    except OSError as error:
        raise AnimatoError(f"Cannot write '{path}': {error}. Choose another place.") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _check_free(target: Path, shown: Path) -> None:
    """Refuses a place where something is that no export made."""
    if not os.path.lexists(target) or (target.is_dir() and _is_ours(target)):
        return
    if target.is_dir() and not any(target.iterdir()):
        return
    what = "a folder that no export made" if target.is_dir() else "a file"
    raise AnimatoError(f"Cannot write the folder '{shown}': {what} is there. Choose another name, or remove it first.")


def _is_ours(folder: Path) -> bool:
    try:
        said = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(said, dict) and str(said.get("made_by", "")).startswith("animato ")


def _put(made: Path, target: Path) -> None:
    """Moves the new folder to its place; an old one is out of the way for a moment and comes back if that fails."""
    if not target.exists():
        made.rename(target)
        return
    old = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name[:100]}.old."))
    target.rename(old / "folder")
    try:
        made.rename(target)
    except OSError:
        (old / "folder").rename(target)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)
