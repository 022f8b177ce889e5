"""The parts that every page has: a verdict on top, sections of cards, lists of sentences, a picture, notes."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

import numpy as np

from animato.character import Character
from animato.findings import unbroken
from animato.motion import Clip
from animato.report.kit.markup import Markup, data_address, element

Fact = tuple[str, str]
"""A name and its value, both for people."""


def verdict_header(
    verb: str, title: str, state: str, answer: str, verdicts: Sequence[str], facts: Iterable[Fact]
) -> Markup:
    """The top of a page: what it is about, the answer in a word and in sentences, and a few facts.

    Args:
        verb: That made it.
        title: Of the page.
        state: "fits", "near", "over" or "none"; it decides the colour and the mark, which says the same without
            colours.
        answer: In a word or two.
        verdicts: In sentences, a paragraph each.
        facts: At a glance.
    """
    mark = element("span", _MARKS[state], class_="mark", aria_hidden="true")
    return element(
        "header",
        element("p", f"animato {verb}", class_="eyebrow"),
        element("h1", title),
        element(
            "div",
            element("p", mark, answer, class_="answer"),
            *(element("p", unbroken(sentence), class_="verdict") for sentence in verdicts),
            class_=f"verdict-box {state}",
        ),
        element(
            "dl",
            *(element("div", element("dt", name), element("dd", unbroken(value))) for name, value in facts),
            class_="facts",
        ),
    )


_MARKS = {"fits": "✓", "near": "!", "over": "✕", "none": "?"}


def section(title: str, words: str, *content: Markup | None) -> Markup:
    """A heading, what is to be seen, and a card for each thing."""
    cards = (element("div", one, class_="card", style="margin-bottom:16px") for one in content if one is not None)
    return element("section", element("h2", title), element("p", words, class_="lead"), *cards)


def sentence_list(
    heading: str,
    sentences: Sequence[str],
    kind: str,
    *,
    shown: int | None = None,
    moments: Sequence[tuple[float, str]] = (),
) -> Markup | None:
    """Sentences under a heading; nothing where there are none.

    Args:
        heading: Of the list.
        sentences: One an item.
        kind: "over", "near" or "help"; decides their bullets.
        shown: How many are seen at once; the others can be unfolded. All where not given.
        moments: The time [s] and the joint that each sentence is about, as far as known; the page's player shows them.
    """
    if not sentences:
        return None
    count = len(sentences[:shown])
    first, rest = _items(sentences[:count], moments[:count]), sentences[count:]
    folded = element("details", element("summary", f"{len(rest)} more"), _items(rest, moments[count:]))
    return element("div", element("h2", heading), first, folded if rest else None, class_=f"list {kind}")


def notes_section(notes: Iterable[str]) -> Markup:
    """What was assumed and how the numbers were made."""
    items = (element("li", note) for note in notes)
    return element("section", element("h2", "Notes", id="notes"), element("ul", *items), class_="notes")


def strobe_picture(character: Character, clip: Clip, description: str, trails: Sequence[str] = ()) -> Markup:
    """The whole motion in one picture, later poses more solid."""
    from PIL import Image

    from animato.view import render_strobe

    image = render_strobe(character, clip, width=1120, height=630, trails=trails)
    stream = io.BytesIO()
    Image.fromarray(image).save(stream, "PNG", optimize=True)
    style = "width:100%;display:block;border-radius:8px"
    return element("img", src=data_address(stream.getvalue(), "image/png"), alt=description, style=style)


def photograph(picture: np.ndarray, description: str, **attributes: object) -> Markup:
    """A picture as wide as its card, small rather than exact.

    Args:
        picture: sRGB bytes, shape [row, column, 3].
        description: In words, for those who cannot see it.
        attributes: Of the element, in place of its usual ones.
    """
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "JPEG", quality=80, optimize=True)
    given = attributes or {"style": "width:100%;display:block;border-radius:8px"}
    return element("img", src=data_address(stream.getvalue(), "image/jpeg"), alt=description, **given)


def _items(sentences: Sequence[str], moments: Sequence[tuple[float, str]]) -> Markup:
    known = [{"data_time": f"{time:.4f}", "data_joint": joint or None} for time, joint in moments]
    about = [*known, *({} for _ in range(len(sentences) - len(known)))]
    pairs = zip(sentences, about, strict=True)
    return element("ul", *(element("li", unbroken(sentence), **one) for sentence, one in pairs))
