"""Text out of files, fit to be printed: a name must not move the cursor, colour the terminal or turn a line around."""

from __future__ import annotations

_STAND_IN = "\ufffd"


def printable(text: str) -> str:
    """The text with a stand-in for every character that a terminal would obey instead of showing it.

    These are control characters, escape sequences among them, marks that turn the direction of writing, halves of
    characters, and what has no shape. New lines and tabs stay, and every kind of blank becomes a plain one.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter in "\n\t" else _stand_in(letter) for letter in text)


def _stand_in(letter: str) -> str:
    return " " if letter.isspace() and letter not in "\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029" else _STAND_IN
