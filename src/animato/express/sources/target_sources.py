"""Where targets come from: a recording that is played by its times, or lines that come in while the loop runs."""

from __future__ import annotations

import array
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self, TextIO

from animato.errors import FileFormatError, MotionError, OptionError
from animato.express.problem import Said, Target, parse_line, parse_target
from animato.express.sources.live_targets import LiveTargets, StreamTargets, UdpTargets, without_outdone
from animato.express.sources.losses import Losses
from animato.formats.files import is_there

_NO_TARGET = "holds no target; a line is 3 numbers (a point [m]), 4 (wxyz) or JSON."
_LARGEST_RECORDING = 16 << 20  # characters
_LATEST_S = 1e12  # no time of a recording is beyond
_MOST_LINES = 1_000_000  # almost three hours at 100 a second


def open_targets(
    name: str | None,
    port: int | None,
    host: str = "127.0.0.1",
    *,
    rate_hz: float,
    whole: bool = False,
    until_s: float | None = None,
) -> FileTargets | LiveTargets:
    """The source that options name.

    Args:
        name: A file, or - for standard input, which is also meant where nothing is named. A pipe or a device is live
            like standard input.
        port: UDP port, instead of a file.
        host: Address to listen on.
        rate_hz: Of lines without a time [Hz].
        whole: Whether to read live input to its end first and play it like a file.
        until_s: What a file says after it is left out [s]; nothing where not given.

    Raises:
        OptionError: The options exclude each other.
        FileFormatError: The file cannot be read, is too long, or holds no line that is a target.
        AnimatoError: There is no such port, pipe or standard input.
    """
    if port is not None:
        if name is not None or whole:
            raise OptionError("Targets from a UDP port come live: they go with neither a file nor `fast`.")
        return UdpTargets(port, host)
    if name is None or name == "-":
        return FileTargets(_bounded(sys.stdin, "standard input"), rate_hz, until_s) if whole else StreamTargets()
    path = Path(name)
    if not whole and is_there(path) and not (path.is_file() or path.is_dir()):
        return StreamTargets.of_pipe(name)
    return FileTargets.of_file(name, rate_hz, until_s)


def load_targets(path: str | Path) -> tuple[Target, ...]:
    """The targets of a text file, one a line, for `build`; empty lines and those that begin with # are left out.

    Raises:
        FileFormatError: It cannot be read, holds no target, or a line says something else; the message says which.
    """
    found = []
    for number, line in enumerate(_lines(path), start=1):
        if line.strip() and not line.strip().startswith("#"):
            try:
                found.append(parse_target(line))
            except MotionError as error:
                raise FileFormatError(path, str(error), number) from None
    if not found:
        raise FileFormatError(path, _NO_TARGET)
    return tuple(found)


class FileTargets:
    """What a recording says, each at its time; what has no time follows the one before.

    Args:
        recorded: Targets, or lines as `parse_line` reads them; empty ones and those that begin with # are left out.
        rate_hz: Of those without a time [Hz].
        until_s: Those after it are left out [s]; none where not given.

    Attributes:
        last_s: Time of the last one [s].
        losses: None; a recording waits.
    """

    def __init__(self, recorded: Iterable[Target | Said | str], rate_hz: float, until_s: float | None = None) -> None:
        if not rate_hz > 0.0:
            raise OptionError(f"`target_rate_hz` must be greater than 0, not {rate_hz}.")
        self.losses = Losses()
        times, kept = array.array("d"), list[Target | Said | str]()
        next_s, sorted_so_far = 0.0, True
        for one in recorded:
            said = one.strip() if isinstance(one, str) else one
            if isinstance(said, str) and (not said or said.startswith("#")):
                continue
            stamp = _stamp(said)
            now_s = next_s if stamp is None else stamp
            next_s = now_s + 1.0 / rate_hz
            if until_s is None or now_s <= until_s:
                sorted_so_far = sorted_so_far and (not times or times[-1] <= now_s)
                times.append(now_s)
                kept.append(said)
        if not sorted_so_far:
            order = sorted(range(len(times)), key=times.__getitem__)
            times, kept = array.array("d", (times[n] for n in order)), [kept[n] for n in order]
        self._times, self._said = times, kept
        self.last_s = times[-1] if times else 0.0
        self._next = 0

    @classmethod
    def of_file(cls, path: str | Path, rate_hz: float, until_s: float | None = None) -> FileTargets:
        """The lines of a text file; what is wrong with one, the loop says when its time has come.

        Raises:
            FileFormatError: It cannot be read, is too long, or holds no line that says anything.
        """
        source = cls(_lines(path), rate_hz, until_s)
        if not any(_sound(said) for said in source._said):
            raise FileFormatError(path, _NO_TARGET)
        return source

    @property
    def ended(self) -> bool:
        """Whether all has been given."""
        return self._next == len(self._said)

    def poll(self, time_s: float) -> list[Target | Said | str]:
        """What is due by now [s] and was not given before; of very much no target that a newer one makes up for."""
        first = self._next
        while self._next < len(self._said) and self._times[self._next] <= time_s:
            self._next += 1
        return without_outdone(self._said[first : self._next])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""


def _lines(path: str | Path) -> Iterator[str]:
    """Of a file; it is read as they are asked for."""
    try:
        with Path(path).open(encoding="utf-8") as stream:
            yield from _bounded(stream, path)
    except (OSError, ValueError) as error:  # ValueError: no text, or a name that no file can have
        name = str(path) if len(str(path)) <= 300 else f"{str(path)[:300]}..."
        raise FileFormatError(name, f"cannot be read as targets: {str(error)[:200]}.") from None


def _bounded(stream: TextIO, name: str | Path) -> Iterator[str]:
    """Lines of a recording that has an end.

    Raises:
        FileFormatError: It is larger than a recording may be.
    """
    left = _LARGEST_RECORDING
    for _ in range(_MOST_LINES):
        line = stream.readline(left + 1)
        left -= len(line)
        if not line or left < 0:
            break
        yield line
    if left < 0 or stream.read(1):
        raise FileFormatError(
            name,
            f"is not at its end after {_LARGEST_RECORDING - max(left, 0):,} characters; a recording has at most "
            f"{_LARGEST_RECORDING:,}, in {_MOST_LINES:,} lines. Play a part of it, or send it to standard input as it "
            "is needed.",
        )


def _stamp(said: Target | Said | str) -> float | None:
    """When something is to be played [s]; None where it says no time that can be."""
    if not isinstance(said, str):
        return said.time_s
    if not said.startswith("{") or '"time_s"' not in said:
        return None
    try:
        time_s = json.loads(said)["time_s"]
    except (KeyError, ValueError, RecursionError):
        return None
    if isinstance(time_s, bool) or not isinstance(time_s, int | float):
        return None
    return float(time_s) if abs(time_s) < _LATEST_S else None  # infinity and numbers of any length among what is not


def _sound(said: Target | Said | str) -> bool:
    """Whether it says something."""
    try:
        return not isinstance(said, str) or parse_line(said) is not None
    except MotionError:
        return False
