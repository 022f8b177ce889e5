"""HTML and SVG that cannot be broken by the names in them: all text is escaped unless it is markup already."""

from __future__ import annotations

import base64
import html
import json
import re
from typing import Any

# control characters but tab and line ends, marks of direction, halves of surrogate pairs
_STEERING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
VOID_TAGS = frozenset({"br", "col", "hr", "img", "input", "link", "meta"})


class Markup(str):
    """Text that is HTML already and is not escaped again."""

    __slots__ = ()


def escaped(content: object) -> Markup:
    """Any content as markup: markup as it is, everything else escaped."""
    return content if isinstance(content, Markup) else Markup(_plain(content))


def _plain(content: object) -> str:
    """Text for elements and attributes; what steers a terminal, or turns the order of letters, becomes a mark."""
    return html.escape(_STEERING.sub("\ufffd", str(content)), quote=True)


def joined(*parts: object, between: str = "") -> Markup:
    """Parts after one another, each escaped unless it is markup; None is left out."""
    return Markup(between.join(escaped(part) for part in parts if part is not None))


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """One element with its attributes and children.

    Args:
        tag: Name of the element ("td").
        children: Text (escaped) or `Markup`; None is left out.
        attributes: A closing underscore is dropped (`class_`), other underscores become hyphens
            (`data_sort`). None and False leave an attribute out, True states it without a value.
    """
    given = ((name, value) for name, value in attributes.items() if value is not None and value is not False)
    stated = "".join(_attribute(name, value) for name, value in given)
    if tag in VOID_TAGS:
        return Markup(f"<{tag}{stated}>")
    return Markup(f"<{tag}{stated}>{joined(*children)}</{tag}>")


def _attribute(name: str, value: object) -> str:
    # viewBox and its like keep their capitals; SVG in HTML is read without regard to them anyway.
    label = name.rstrip("_").replace("_", "-")
    return f" {label}" if value is True else f' {label}="{_plain(value)}"'


def data_address(content: bytes, media_type: str) -> str:
    """An address that holds the content itself, so that a page needs no other file."""
    return f"data:{media_type};base64,{base64.b64encode(content).decode('ascii')}"


def script_data(identifier: str, data: Any) -> Markup:
    """Data for the page's script; nothing in it can close the element or start another one."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    text = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return element("script", Markup(text), id=identifier, type="application/json")
