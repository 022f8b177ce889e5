"""A player on a page: a character in 3D that can be played, scrubbed and turned around.

What is sent is small: hulls of shapes, and poses of bodies as 16-bit numbers. A script of ours draws them on a canvas;
it needs no library, no graphics card and no network. Without scripts and in print there is a picture in its place.
"""

from __future__ import annotations

import numpy as np

from animato.report.kit.axes import Axes
from animato.report.kit.film import HEIGHT, WIDTH, Film, film_camera, film_data
from animato.report.kit.markup import Markup, element, joined, script_data
from animato.report.kit.page import package_text
from animato.report.kit.parts import photograph
from animato.view import render_strobe
from animato.view.raster import Look
from animato.view.scene import set_stage

PLAYER_STYLE = "player.css"
"""Style sheet that a page with players needs."""

_SPEEDS = (("1", "real time"), ("0.5", "half as fast"), ("0.2", "a fifth"), ("2", "twice as fast"))
_HINT = "Drag to turn; click, then scroll to come closer. Space plays, arrow keys step."


def film_player(film: Film, identifier: str, description: str, *, begin_s: float | None = None) -> Markup:
    """The player with its controls and its data; `player_script` must stand below all players of a page.

    Args:
        film: What is shown.
        identifier: Unique on the page; charts whose cursor follows the player name it, see `time_cursor`.
        description: In words, for those who cannot see it.
        begin_s: The moment that is shown first [s]; the beginning where not given.
    """
    layers = [("gaze", "what it faces")] if film.gaze is not None else []
    layers += [("held", "the posture it holds")] if film.held is not None else []
    boxes = [
        element("label", element("input", type="checkbox", checked=True, data_layer=name), words)
        for name, words in layers
    ]
    return element(
        "div",
        photograph(_still(film), description, class_="still"),
        element("canvas", class_="picture", width=WIDTH, height=HEIGHT, tabindex=0, role="img", aria_label=description),
        element("p", element("span", class_="words"), element("span", class_="off"), class_="captions"),
        _controls(),
        element("p", *boxes, element("span", _HINT, class_="hint-text"), class_="layers"),
        script_data(f"{identifier}-data", film_data(film)),
        class_="figure-player",
        id=identifier,
        data_begin=None if begin_s is None else f"{begin_s:.3f}",
    )


def player_script() -> Markup:
    """What makes all players of a page run."""
    return element("script", joined(package_text("player_surface.js"), package_text("player.js")))


def time_cursor(identifier: str, axes: Axes, height: float | None = None) -> Markup:
    """A line over a chart that goes with a player; a click on the chart shows that moment.

    Args:
        identifier: Of the player.
        axes: Of the chart, times across [s].
        height: Of the line from the top of the chart [pixels]; as high as the chart where not given.
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
    )


def _controls() -> Markup:
    speeds = [element("option", words, value=value, selected=value == "1") for value, words in _SPEEDS]
    return element(
        "div",
        element("button", "▶", type="button", class_="play", aria_label="play or pause"),
        element("input", type="range", min=0, max=1000, value=0, class_="scrub", aria_label="time"),
        element("output", "0.00 s", class_="clock"),
        element("select", *speeds, class_="speed", aria_label="speed"),
        element("label", element("input", type="checkbox", checked=True, class_="loop"), "again"),
        class_="player-controls",
    )


def _still(film: Film) -> np.ndarray:
    """Some poses in one picture, where nothing can move; sRGB bytes, [row, column, 3]."""
    stage = set_stage(film.character, film.clip, width=WIDTH, height=HEIGHT)
    camera = film_camera(film, stage, np.zeros((0, 3)))
    look = Look(supersampling=2, labels=False)
    return render_strobe(film.character, film.clip, count=5, width=WIDTH, height=HEIGHT, camera=camera, look=look)
