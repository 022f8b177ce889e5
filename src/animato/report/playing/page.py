"""The page of a film: the player and nothing else."""

from __future__ import annotations

from pathlib import Path

from animato.formats.files import write_whole
from animato.report.kit import PLAYER_STYLE, Film, Markup, element, film_player, player_script, whole_page

_PLAYER = "film"


def save_page(path: str | Path, film: Film) -> Path:
    """Writes the page to a file, whole or not at all."""
    heading = element("h1", film.description)
    body = element("main", heading, film_player(film, _PLAYER), player_script())
    return write_whole(path, whole_page(film.description, body, styles=(PLAYER_STYLE,)))


def film_of(film: Film) -> Film:
    """The film itself, as every report gives the film of what it is about."""
    return film


def framed_page(film: Film, *after: Markup) -> str:
    """The player without margins, for a frame; what comes after it stands below."""
    body = element("div", film_player(film, _PLAYER), player_script(), *after, class_="framed")
    return whole_page(film.description, body, styles=(PLAYER_STYLE,))
