"""Questions to the person at a terminal, with a line that shows all the while where a joint is; and single keys."""

from __future__ import annotations

import contextlib
import os
import re
import select
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from animato.cli.line import cleaned
from animato.errors import OptionError

if TYPE_CHECKING:
    from animato.stage.servos import Step

_EVERY_S = 0.08
_KEYS: dict[str, Step] = {
    "\x1b[A": "up",
    "\x1b[C": "up",
    "+": "up",
    "=": "up",
    "k": "up",
    "l": "up",
    "\x1b[B": "down",
    "\x1b[D": "down",
    "-": "down",
    "j": "down",
    "h": "down",
    "[": "finer",
    ",": "finer",
    "]": "coarser",
    ".": "coarser",
    "0": "zero",
    "q": "quit",
    "\x1b": "quit",
    "\r": "quit",
    "\n": "quit",
}
_KEY = re.compile(r"\x1b[\[O][0-?]*[ -/]*[@-~]|.", re.DOTALL)  # one key: a sequence of the terminal, or a character
KEYS_IN_WORDS = "Arrows or + and - move it, , and . change the step, 0 goes to 0, q ends."


def asked(sentence: str, live: Callable[[], str] | None) -> str:
    """Shows a sentence and reads a line; while the person thinks, a line below it shows what `live` says.

    Raises:
        OptionError: Nobody answers any more.
    """
    print(cleaned(sentence), file=sys.stderr, flush=True)
    watched = live is not None and sys.stdin.isatty() and os.name == "posix"
    while watched and live is not None:
        print(f"\r\x1b[K{cleaned(live())} ", end="", file=sys.stderr, flush=True)
        if select.select([sys.stdin], [], [], _EVERY_S)[0]:
            break
    line = sys.stdin.readline()
    if not line:
        raise OptionError("The answers have ended before the questions. Nothing was written.")
    return line.rstrip("\r\n")


def shown(line: str) -> None:
    """Writes over the line before."""
    print(f"\r\x1b[K{cleaned(line)} ", end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def keyboard() -> Iterator[Iterator[Step]]:
    """Keys as they are pressed, until the one that ends; behind it the terminal is as it was.

    Raises:
        OptionError: There is no terminal.
    """
    if not sys.stdin.isatty():
        raise OptionError("Keys need a terminal; say where the joint is to go instead, in degrees or millimetres.")
    if os.name == "nt":
        yield _windows_keys()
        return
    import termios

    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        yield _terminal_keys(handle)
    finally:  # here and not where keys are read: that may still wait for one
        with contextlib.suppress(termios.error):
            termios.tcsetattr(handle, termios.TCSADRAIN, before)


def _terminal_keys(handle: int) -> Iterator[Step]:
    import termios
    import tty

    tty.setcbreak(handle, termios.TCSANOW)  # Ctrl-C still stops; keys that are pressed already are not thrown away
    while word := os.read(handle, 64).decode("ascii", "replace"):
        for key in _KEY.findall(word):  # whoever types fast, or on a slow line, has several in one word
            step = _KEYS.get(key.replace("\x1bO", "\x1b["))  # arrows of a terminal in its other mode
            if step is not None:
                yield step
            if step == "quit":
                return


def _windows_keys() -> Iterator[Step]:
    import msvcrt

    arrows: dict[str, Step] = {"H": "up", "M": "up", "P": "down", "K": "down"}
    while True:
        key = msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
        step = arrows.get(msvcrt.getwch()) if key in ("\x00", "\xe0") else _KEYS.get(key)  # type: ignore[attr-defined,unused-ignore]
        if step is not None:
            yield step
        if step == "quit":
            return
