"""Commands as lines of JSON, for programs that drive the joints."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import TextIO

from animato.express.loop.live_loop import Command


class CommandLines:
    """Writes each command as one line: {"time_s": 0.01, "positions": {"neck": 0.2}}, [s] and [rad or m].

    Args:
        stream: Where to.
        reader_left: Called once when nobody reads any more.
    """

    def __init__(self, stream: TextIO, reader_left: Callable[[], None]) -> None:
        self._stream = stream
        self._reader_left = reader_left

    def __call__(self, command: Command) -> None:
        """Writes one command now."""
        positions = dict(zip(command.names, command.positions.tolist(), strict=True))
        said: dict[str, object] = {"time_s": command.time_s, "positions": positions}
        if command.warnings:
            said["warnings"] = command.warnings
        try:
            self._stream.write(json.dumps(said) + "\n")
            self._stream.flush()
        except BrokenPipeError:
            # What is still in the buffer would fail again when the program ends; nobody wants it.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
            self._reader_left()
