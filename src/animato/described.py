"""Things that describe themselves: a short repr for the prompt, a small table for notebooks, a page for people."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from typing import ClassVar

from animato.errors import AnimatoError


def shortened(names: Sequence[str], most: int = 6) -> str:
    """How many, and the first few by name."""
    if not names:
        return "none"
    return f"{len(names)} ({', '.join(names[:most])}{', ...' if len(names) > most else ''})"


class Described:
    """Says what it is in a line, whatever it holds."""

    def facts(self) -> dict[str, str]:
        """What is worth knowing at a glance, in order: a word and its value, both for people."""
        raise NotImplementedError

    def __repr__(self) -> str:
        told = ", ".join(f"{word} {value}" for word, value in self.facts().items())
        return f"<{type(self).__module__.split('.')[1]}.{type(self).__name__}: {told}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(word)}</th><td style='text-align:left'>{escape(value)}</td></tr>"
            for word, value in self.facts().items()
        )
        return f"<table><caption>{escape(type(self).__name__)}</caption>{rows}</table>"


class HasPage(Described):
    """A result with a page, which the report of its verb writes.

    Reports stand above the verbs, so the report is looked up when a page is asked for: `save_page` of
    `animato.report.<REPORT>`. A notebook shows its film above the facts where the report has one: `film_of`.
    """

    REPORT: ClassVar[str]

    def save_page(self, path: str | Path) -> Path:
        """Writes the page that explains this result, one HTML file that needs nothing else.

        Args:
            path: The file to write, whole or not at all.

        Returns:
            The path that was written.
        """
        report = import_module(f"animato.report.{self.REPORT}")
        return Path(report.save_page(path, self))

    def _repr_html_(self) -> str:
        facts = super()._repr_html_()
        film_of = getattr(import_module(f"animato.report.{self.REPORT}"), "film_of", None)
        if film_of is None:
            return facts
        try:
            return str(import_module("animato.report.playing").film_frame(film_of(self))) + facts
        except AnimatoError:  # what cannot be drawn can still be told
            return facts
