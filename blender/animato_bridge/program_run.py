# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the program animato beside Blender."""

import base64
import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np

from .errors import BridgeError
from .jobs import Waiting

FITS, DOES_NOT_FIT = 0, 1
BRIDGE_VERSION = 1


def run(program, arguments, folder, out):
    """Runs `animato bridge ...` and gives what it has written; a generator for a job.

    Args:
        program: Path of animato.
        arguments: After the word `bridge`.
        folder: Where the program says what it does.
        out: The file that it writes.

    Raises:
        BridgeError: With animato's own sentence.
    """
    said = Path(folder) / "said.txt"
    command = [program, "bridge", *map(str, arguments), "--out", str(out)]
    with said.open("wb") as stream:
        process = _started(command, stream, folder)
        try:
            while process.poll() is None:
                yield Waiting(_progress(said))
        finally:
            _end(process)
    text = said.read_text(encoding="utf-8", errors="replace")
    if process.returncode not in (FITS, DOES_NOT_FIT) or not Path(out).is_file():
        raise BridgeError(_reason(text, process.returncode))
    yield "reading the answer"
    return read_told(out)


def _started(command, stream, folder):
    apart = {"creationflags": subprocess.CREATE_NO_WINDOW} if sys.platform == "win32" else {"start_new_session": True}
    surroundings = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
    try:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, cwd=folder, env=surroundings, **apart
        )
    except OSError as error:
        raise BridgeError(f"Cannot start '{command[0]}': {error.strerror}.") from error


def _end(process):
    """Ends the program and all that it has started, where it is still running."""
    if process.poll() is not None:
        return
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=5)


def _progress(said) -> str:
    """The last line of progress as text, such as "path 3/10"."""
    with said.open("rb") as stream:
        stream.seek(max(0, said.stat().st_size - 2000))
        lines = stream.read().decode("utf-8", errors="replace").splitlines()
    for line in reversed(lines):
        word, *parts = line.split("\t")
        if word == "progress" and len(parts) == 3:
            stage, number, total = parts
            return f"{stage} {number}/{total}" if total else stage
    return "starting"


def _reason(text, code) -> str:
    """Animato's own sentence; else the last line that it said."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("progress\t")]
    for number, line in enumerate(lines):
        if line.startswith("animato: "):
            return " ".join(lines[number:]).removeprefix("animato: ")
    if any("invalid choice" in line or "Unrecognized" in line or "no command 'bridge'" in line for line in lines):
        return "This animato is too old for the add-on: it knows no 'animato bridge'. Update it."
    return lines[-1] if lines else f"animato ended without a word (status {code})."


def read_told(path):
    """A file of the bridge, with its arrays as numpy has them.

    Raises:
        BridgeError: It is of another version.
    """
    told = json.loads(Path(path).read_text(encoding="utf-8"), object_hook=_unpacked)
    if told.get("animato_bridge") != BRIDGE_VERSION:
        raise BridgeError(
            f"animato {told.get('animato_version', '')} speaks another language than this add-on: version "
            f"{told.get('animato_bridge')} instead of {BRIDGE_VERSION}. Update the older one."
        )
    return told


def _unpacked(value):
    if value.keys() == {"dtype", "shape", "base64"}:
        flat = np.frombuffer(base64.b64decode(value["base64"]), dtype=np.dtype(value["dtype"]))
        return flat.reshape(value["shape"])
    return value
