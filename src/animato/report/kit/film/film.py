"""A motion as a player on a page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from animato.described import HasPage, shortened
from animato.errors import OptionError
from animato.report.kit.film.camera import Shot, shot_of
from animato.report.kit.film.figure import Figure
from animato.report.kit.film.numbers import Packer, Reel, moments_of, short
from animato.report.kit.film.solids import solids_of
from animato.report.kit.film.thing import Thing

_EVEN = 1e-4  # of a frame: frames that are even but for this are counted, not listed
_MOST_LISTED = 20_000


@dataclass(frozen=True, eq=False, repr=False)
class Film(HasPage):
    """What a player shows; a notebook plays it, and `save_page` writes it as a page.

    Attributes:
        figures: Who moves; the first one is what the page is about.
        things: What else is seen: trails, targets, persons, areas of the floor.
        words: What to say from a time [s] on, in order.
        frame_times: Of the frames that keys step through [s], [frame]; those of the first figure where not given.
        title: In words, for those who cannot see it.
        seen_from: The way from what is seen to who looks at first, [3]; that of our pictures where not given.
    """

    REPORT = "playing"

    figures: tuple[Figure, ...]
    things: tuple[Thing, ...] = ()
    words: tuple[tuple[float, str], ...] = ()
    title: str = field(default="")
    frame_times: np.ndarray | None = None
    seen_from: np.ndarray | None = None

    def __post_init__(self) -> None:
        if not self.figures:
            raise OptionError("`figures` of a film is empty; give at least one `Figure`.")

    def facts(self) -> dict[str, str]:
        """At a glance."""
        begin, end = self.span
        names = dict.fromkeys(figure.character.name for figure in self.figures)
        return {
            "of": shortened(list(names)),
            "from": f"{begin:.2f} s to {end:.2f} s",
            "figures": str(len(self.figures)),
        }

    @property
    def span(self) -> tuple[float, float]:
        """From when to when it goes [s]."""
        moving = [one.clip for one in self.figures if one.clip.frame_count > 1] or [self.figures[0].clip]
        return min(float(clip.times[0]) for clip in moving), max(float(clip.times[-1]) for clip in moving)

    @property
    def description(self) -> str:
        """In words, for those who cannot see it."""
        return self.title or f"{self.figures[0].character.name} in motion"

    def shot(self) -> Shot:
        """From where it is seen, and where its floor is."""
        return shot_of(self.figures, self.things, self.seen_from)


def film_data(film: Film, shot: Shot | None = None) -> dict[str, Any]:
    """What the script draws: plain numbers, and all arrays in one text."""
    shot = shot or film.shot()
    begin, end = film.span
    packer = Packer()
    reel = Reel(moments_of(begin, end), shot.size, packer, len(film.figures))
    looks: list[tuple[object, ...]] = []
    parts: list[list[dict[str, Any]]] = []
    figures = []
    for figure in film.figures:
        if figure.look not in looks:
            looks.append(figure.look)
            parts.append(solids_of(figure.scene(), packer))
        figures.append(figure.data(reel, looks.index(figure.look)))
    things = [{**one.data(reel), "layer": one.layer, "shown": one.shown} for one in film.things]
    return {
        "span": [round(begin, 6), round(end, 6), len(reel.times)],
        "frames": frames_of(film.figures[0].clip.times if film.frame_times is None else film.frame_times),
        "camera": {
            "eye": short(shot.camera.eye),
            "target": short(shot.camera.target),
            "fov": shot.camera.field_of_view,
            "wide": round(shot.wide, 4),
        },
        "floor": short([shot.ground.height, *shot.ground.middle, shot.ground.fade]),
        "size": shot.size,
        "beside": short(shot.beside),
        "follow": shot.follow,
        "looks": parts,
        "figures": figures,
        "things": things,
        "words": [[round(float(time), 3), words] for time, words in film.words],
        "numbers": packer.text(),
    }


def frames_of(times: np.ndarray) -> list[Any]:
    """Frames to step through: first time [s], time of a frame [s] and their number, or all times where uneven."""
    count = len(times)
    if count < 2:
        return [float(times[0]), 1.0, 1]
    step = float(times[-1] - times[0]) / (count - 1)
    uneven = np.abs(times - times[0] - step * np.arange(count)).max() > _EVEN * step
    if uneven and count <= _MOST_LISTED:
        return [[round(float(time), 4) for time in times]]
    return [round(float(times[0]), 6), round(step, 9), count]


def switches_of(things: Sequence[Thing]) -> list[tuple[str, bool]]:
    """Words of all switches in order, and whether each is on at first."""
    found: dict[str, bool] = {}
    for one in things:
        if one.layer:
            found[one.layer] = found.get(one.layer, False) or one.shown
    return list(found.items())
