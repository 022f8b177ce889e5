"""Typesets the formulas of the docs as MathML while they are built, so that pages need no script and no network.

`pymdownx.arithmatex` finds `$...$` and `$$...$$` outside code and leaves TeX between `\\(...\\)` and `\\[...\\]`; this
hook of MkDocs turns that TeX into MathML, which browsers set by themselves. TeX that cannot be converted is a warning,
and so an error of `mkdocs build --strict`.
"""

from __future__ import annotations

import html
import logging
import re
from typing import Any
from xml.etree import ElementTree as ET

from math_core import LatexError, LatexToMathML

log = logging.getLogger("mkdocs.hooks.mathml")

FORMULA = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">'
    r"(?:\\\((?P<inline>.*?)\\\)|\s*\\\[(?P<display>.*?)\\\]\s*)"
    r"</(?P=tag)>(?P<after>[,.;:)]*)",
    re.DOTALL,
)
PRIMES = "\u2032\u2033\u2034"
THREE_DOTS_ABOVE = "\u20db"
CONVERTER = LatexToMathML(fancy_error=False)


def mathml(tex: str, *, display: bool) -> str:
    """MathML of a formula; one that stands by itself is in a box that scrolls where the page is too narrow.

    Args:
        tex: The formula without its dollar signs.
        display: Whether it has a paragraph of its own.

    Raises:
        LatexError: Where the formula is not valid TeX, or uses a command that is not known.
    """
    text = CONVERTER.convert_with_local_state(tex.strip(), displaystyle=display)
    root = ET.fromstring(text.replace("&ApplyFunction;", "\u2061"))
    for part in root.iter():
        lower_primes(part)
        if part.tag == "mo" and part.text == THREE_DOTS_ABOVE:
            # Browsers draw this combining sign beside the letter; a small ellipsis is put above it.
            part.text = "\u2026"
            part.set("style", "font-size: 0.55em")
    text = ET.tostring(root, encoding="unicode", short_empty_elements=False)
    return f'<div class="equation" tabindex="0">{text}</div>' if display else text


def lower_primes(part: ET.Element) -> None:
    """Takes primes out of a superscript: the sign is a raised one already and would stand too high and small."""
    if part.tag not in ("msup", "msubsup"):
        return
    *base, script = part
    sign, *rest = list(script) if script.tag == "mrow" else [script]
    if sign.tag != "mo" or not sign.text or sign.text not in PRIMES:
        return
    sign.set("lspace", "0")
    sign.set("rspace", "0")
    if rest:
        primed = row([base[0], sign])
        part[:] = [primed, *base[1:], rest[0] if len(rest) == 1 else row(rest)]
        return
    if len(base) == 2:
        indexed = ET.Element("msub")
        indexed.extend(base)
        base = [indexed]
    part.tag = "mrow"
    part[:] = [*base, sign]


def row(parts: list[ET.Element]) -> ET.Element:
    """Several parts of a formula as one."""
    group = ET.Element("mrow")
    group.extend(parts)
    return group


def with_mathml(page: str, name: str) -> str:
    """The HTML of a page with all its formulas typeset.

    Args:
        page: HTML as Markdown with arithmatex makes it.
        name: What the page is called in warnings.
    """

    def typeset(found: re.Match[str]) -> str:
        display = found["display"] is not None
        tex = html.unescape(found["display"] if display else found["inline"])
        try:
            text = mathml(tex, display=display)
        except LatexError as error:
            log.warning("%s: this formula cannot be typeset: %s\n%s", name, tex.strip(), error)
            text = f"<code>{html.escape(tex)}</code>"
        # A comma must not begin the line after its formula.
        return f'<span class="formula">{text}{found["after"]}</span>' if found["after"] else text

    return FORMULA.sub(typeset, page)


def on_page_content(content: str, *, page: Any, **_: Any) -> str:
    """Called by MkDocs with the HTML of each page."""
    return with_mathml(content, page.file.src_path)
