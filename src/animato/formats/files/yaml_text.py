"""Writes mappings, lists, text and numbers as YAML that people like to read.

Numbers are written so that reading them gives the same bits. A mapping that fits on a line is
written on it; vectors always are.
"""

from __future__ import annotations

import math
import re

from animato.errors import CharacterError

Value = dict[str, "Value"] | list["Value"] | str | float | bool

LINE_LENGTH = 110

# Words that need no quotes anywhere: nothing in them means something to YAML.
_PLAIN = re.compile(r"-?[A-Za-z_][A-Za-z0-9_./ -]*(?<! )", re.ASCII)
_EMPTY_WORDS = {"null", "Null", "NULL"}


def yaml_text(value: dict[str, Value]) -> str:
    """The whole document."""
    return "".join(line + "\n" for line in _block(value, 0))


def _block(value: dict[str, Value], indent: int) -> list[str]:
    margin, lines = " " * indent, []
    for key, item in value.items():
        head = f"{margin}{_word(key)}:"
        short = f"{head} {_flow(item)}"
        fits = indent > 0 and len(short) <= LINE_LENGTH and not _has_block_list(item)
        if not isinstance(item, (dict, list)) or _is_vector(item) or not item or fits:
            lines.append(short)
        elif isinstance(item, dict):
            lines += [head, *_block(item, indent + 2)]
        else:
            lines += [head, *_block_list(item, indent + 2)]
    return lines


def _block_list(items: list[Value], indent: int) -> list[str]:
    """One item a line, or a mapping whose first key stands behind the dash."""
    lines = []
    for item in items:
        short = f"{' ' * indent}- {_flow(item)}"
        if not isinstance(item, dict) or (len(short) <= LINE_LENGTH and not _has_block_list(item)):
            lines.append(short)
            continue
        block = _block(item, indent + 2)
        lines += [f"{' ' * indent}- {block[0][indent + 2 :]}", *block[1:]]
    return lines


def _is_vector(value: Value) -> bool:
    return isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in value)


def _has_block_list(value: Value) -> bool:
    """Whether lists of mappings are in it, which are easier to read one below the other."""
    if isinstance(value, dict):
        return any(_has_block_list(item) for item in value.values())
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _flow(value: Value) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_word(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _word(value)
    return _number(value)


def _number(value: float) -> str:
    number = float(value)
    if not math.isfinite(number):
        raise CharacterError(f"A character with the number {number} in it cannot be written; numbers must be finite.")
    # 3.0 is written 3; the reader makes a float of it again.
    return str(int(number)) if number == int(number) and abs(number) < 1e15 and str(number) != "-0.0" else repr(number)


def _word(text: str) -> str:
    if _PLAIN.fullmatch(text) and text not in _EMPTY_WORDS:
        return text
    return '"' + "".join(_letter(letter) for letter in text) + '"'


def _letter(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    if letter.isprintable():
        return letter
    code = ord(letter)
    if 0xD800 <= code < 0xE000:
        raise CharacterError("A name or text of the character holds half a character (a lone surrogate); rename it.")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
