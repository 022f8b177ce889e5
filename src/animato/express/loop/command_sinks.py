"""Where commands go while a loop runs, what a command looks like as text, and several places at once."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Protocol, Self

from animato.express.loop.command import Command
from animato.express.sources import Losses


class CommandSink(Protocol):
    """Takes commands and never waits: what cannot go out in time is lost, and counted."""

    @property
    def losses(self) -> Losses:
        """Commands that were lost so far."""

    def __call__(self, command: Command) -> None:
        """Takes a command."""

    def close(self) -> None:
        """Sends what is waiting, if that takes no longer than a moment, and ends."""


def command_text(command: Command) -> str:
    """A command as JSON: {"time_s": 0.01, "positions": {"neck": 0.2}}, [s] and [rad or m]."""
    positions = dict(zip(command.names, command.positions.tolist(), strict=True))
    said: dict[str, object] = {"time_s": command.time_s, "positions": positions}
    if command.warnings:
        said["warnings"] = command.warnings
    return json.dumps(said)


class CommandSinks:
    """Gives each command to several sinks; one that fails does not keep it from the others.

    Args:
        sinks: Where to; they are closed together.
    """

    def __init__(self, *sinks: CommandSink) -> None:
        self._sinks = sinks
        self._failures = Losses()

    @property
    def losses(self) -> Losses:
        """Commands that were lost so far, each as often as a sink lost it."""
        total = Losses()
        for one in (*(sink.losses for sink in self._sinks), self._failures):
            total.add(one.first, one.count)
        return total

    def __call__(self, command: Command) -> None:
        """Gives a command to all."""
        for sink in self._sinks:
            try:
                sink(command)
            except Exception as error:  # a loop that lives for one place lives for the others too
                self._failures.add(f"{type(sink).__name__} failed: {error}")

    def close(self) -> None:
        """Closes all."""
        for sink in self._sinks:
            sink.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
