"""A demo of trace as one page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from animato.report.kit import PLAYER_STYLE, Markup, element, player_script, whole_page


@dataclass(frozen=True)
class Chart:
    """A picture with its words."""

    title: str
    words: str
    picture: Markup


@dataclass(frozen=True)
class Table:
    """Numbers with their words; the first column names the row."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: str = ""


def demo_page(
    title: str, words: str, charts: Sequence[Chart], tables: Sequence[Table], *, player: Markup | None = None
) -> str:
    """The whole page as HTML.

    Args:
        title: In a few words.
        words: What is shown, in a few sentences.
        charts: From top to bottom.
        tables: After them.
        player: On top of them.
    """
    sections = [
        *([_section("All at once", _FILM, player)] if player is not None else []),
        *(_section(one.title, one.words, one.picture) for one in charts),
        *(_section(one.title, one.words, _table(one)) for one in tables),
    ]
    body = element(
        "main",
        element("p", "animato trace", class_="eyebrow"),
        element("h1", title),
        element("p", words, class_="lead"),
        *sections,
        player_script() if player is not None else None,
    )
    return whole_page(f"animato trace: {title}", body, styles=(PLAYER_STYLE,) if player is not None else ())


_FILM = "Dashed: what was drawn. Orange: what each robot has drawn so far. Who is done earlier waits."


def _section(title: str, words: str, content: Markup) -> Markup:
    lead = element("p", words, class_="lead") if words else None
    return element("section", element("h2", title), lead, element("div", content, class_="card"))


def _table(table: Table) -> Markup:
    top = element("tr", *(element("th", head, scope="col", style="padding:8px 14px 8px 10px") for head in table.heads))
    rows = [
        element("tr", element("th", row[0], scope="row"), *(element("td", cell) for cell in row[1:]))
        for row in table.rows
    ]
    return element(
        "div", element("table", element("thead", top), element("tbody", *rows), class_="joints"), class_="scroll"
    )
