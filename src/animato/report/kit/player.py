"""A player on a page: characters in 3D that can be played, scrubbed and turned around.

What is sent is small: hulls of shapes, and the moments that a motion needs as 16-bit numbers. A script of ours draws
them with WebGL; it needs no library and no network. Where there is no WebGL or no script, and in print, there is a
picture in its place.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from animato.report.kit.axes import Axes
from animato.report.kit.film import BESIDE, HEIGHT, OFF, OVER, WIDTH, Figure, Film, Shot, film_data, switches_of
from animato.report.kit.markup import Markup, element, joined, script_data
from animato.report.kit.page import package_text
from animato.report.kit.parts import photograph
from animato.report.player_scripts import player_sources, without_comments
from animato.view import render_strobe
from animato.view.raster import Look

PLAYER_STYLE = "player.css"
"""Style sheet that a page with players needs."""

_SPEEDS = (("1", "real time"), ("0.5", "half as fast"), ("0.2", "a fifth"), ("0.1", "a tenth"), ("2", "twice as fast"))
_HINT = "Drag to turn; click, then scroll to come closer. Space plays, arrow keys step frames."
_UNSEEN = "The motion plays here in browsers with scripts and WebGL; the page was made without pictures."
_PLACES = ((OVER, "over"), (BESIDE, "beside"), (OFF, "off"))
_THERE = ((OVER, "shown"), (OFF, "off"))  # of a figure that has a place of its own beside the first one


def film_player(
    film: Film,
    identifier: str,
    description: str = "",
    *,
    begin_s: float | None = None,
    used: bool = False,
    still: bool = True,
    trails: Sequence[str] = (),
) -> Markup:
    """The player with its controls and its data; `player_script` must stand below all players of a page.

    Args:
        film: What is shown.
        identifier: Unique on the page; charts whose cursor follows the player name it, see `time_cursor`.
        description: In words, for those who cannot see it; the film's own where not given.
        begin_s: The moment that is shown first [s]; the beginning where not given.
        used: Whether bodies are coloured by what their joints use at first, where the film knows.
        still: Whether there is a picture where nothing can play; drawing it takes some tenths of a second.
        trails: End-points, markers or bodies of the first figure whose path that picture shows.
    """
    shot, words = film.shot(), description or film.description
    canvas = element(
        "canvas", class_="picture", width=WIDTH, height=HEIGHT, tabindex=0, role="img", aria_label=words, title=None
    )
    back = element("button", "✕", type="button", class_="nearer", aria_label="close the small picture")
    return element(
        "div",
        photograph(_still(film, shot, trails), words, class_="still", width=WIDTH, height=HEIGHT)
        if still
        else element("p", _UNSEEN, class_="still"),
        element("div", element("div", canvas, back, class_="viewport"), class_="frame"),
        element("p", element("span", class_="words"), element("span", class_="off"), class_="captions"),
        _controls(),
        element("p", *_switches(film, used), element("span", _HINT, class_="hint-text"), class_="layers"),
        script_data(f"{identifier}-data", film_data(film, shot)),
        class_="figure-player",
        id=identifier,
        data_begin=None if begin_s is None else f"{begin_s:.3f}",
    )


def player_script() -> Markup:
    """What makes all players of a page run; it stands below them, once."""
    parts, runner = Markup(player_sources()), Markup(without_comments(package_text("player.js")))
    body = joined(Markup('"use strict";\n(() => {\n'), parts, runner, Markup("})();\n"))
    return element("script", body)


def time_cursor(identifier: str, axes: Axes, height: float | None = None, *, times: np.ndarray | None = None) -> Markup:
    """A line over a chart that goes with a player; a click on the chart shows that moment.

    Args:
        identifier: Of the player.
        axes: Of the chart, times across [s] unless `times` says otherwise.
        height: Of the line from the top of the chart [pixels]; as high as the chart where not given.
        times: Where it is not time that goes across: times of evenly spaced places from the left to the right edge
            [s], never falling, [place].
    """
    return element(
        "path",
        class_="time-cursor",
        d=f"M{axes.left:.1f},{axes.top:.1f}v{axes.height if height is None else height:.1f}",
        data_cursor=identifier,
        data_left=f"{axes.left:.1f}",
        data_width=f"{axes.width:.1f}",
        data_from=f"{axes.across[0]:.6g}",
        data_to=f"{axes.across[1]:.6g}",
        data_times=None if times is None else _listed(times),
    )


def time_walker(identifier: str, x: np.ndarray, y: np.ndarray, times: np.ndarray, *, radius: float = 6.0) -> Markup:
    """A dot that goes along a line in a chart with a player; a click near the line shows that moment.

    Args:
        identifier: Of the player.
        x: Corners of the line from the left of the chart [pixels], [corner].
        y: From its top [pixels], [corner].
        times: When it is there [s], never falling, [corner].
        radius: Of the dot [pixels].
    """
    return element(
        "circle",
        class_="time-walker",
        r=f"{radius:g}",
        data_walker=identifier,
        data_x=json.dumps([round(float(value), 1) for value in x], separators=(",", ":")),
        data_y=json.dumps([round(float(value), 1) for value in y], separators=(",", ":")),
        data_times=_listed(times),
    )


def _listed(times: np.ndarray) -> str:
    """Times [s] as a script reads them."""
    return json.dumps([round(float(time), 3) for time in times], separators=(",", ":"))


def _controls() -> Markup:
    speeds = [element("option", words, value=value, selected=value == "1") for value, words in _SPEEDS]
    clock = element("span", "0.00 s", class_="clock")
    return element(
        "div",
        element("button", type="button", class_="play", aria_label="play"),
        element("input", type="range", min=0, max=1000, value=0, class_="scrub", aria_label="time"),
        element("span", clock, element("span", "frame 0", class_="frame-number"), class_="when"),
        element("select", *speeds, class_="speed", aria_label="speed"),
        element("label", element("input", type="checkbox", checked=True, class_="loop"), "loop"),
        class_="player-controls",
    )


def _switches(film: Film, used: bool) -> list[Markup]:
    """Where further figures stand, what bodies are coloured by, and what else is seen."""
    found = [_place(n, figure) for n, figure in enumerate(film.figures) if n > 0]
    if any(figure.use is not None for figure in film.figures):
        box = element("input", type="checkbox", checked=used, class_="used")
        found.append(element("label", box, "colours by use of limits"))
    found += [
        element("label", element("input", type="checkbox", checked=shown, data_layer=words), words)
        for words, shown in switches_of(film.things)
    ]
    return found


def _place(number: int, figure: Figure) -> Markup:
    places = _THERE if any(figure.shift) and figure.placing != BESIDE else _PLACES
    options = [element("option", words, value=value, selected=value == figure.placing) for value, words in places]
    chip = None
    if figure.colour is not None:
        red, green, blue = (round(255 * value) for value in figure.colour)
        chip = element("span", class_="chip", style=f"background:rgb({red},{green},{blue})")
    return element("label", chip, figure.name or "the other motion", element("select", *options, data_figure=number))


def _still(film: Film, shot: Shot, trails: Sequence[str]) -> np.ndarray:
    """Some poses in one picture, where nothing can move; sRGB bytes, [row, column, 3]."""
    figure, look = film.figures[0], Look(supersampling=2, labels=False)
    return render_strobe(
        figure.character,
        figure.clip,
        count=5,
        width=WIDTH,
        height=HEIGHT,
        camera=shot.camera,
        look=look,
        trails=trails,
    )
