"""The demonstrators of `steady`: the seven animations of Hoshyari et al. (2019), Table 1.

Characters and animations are our own, with the sizes, motors, durations and numbers of parameters that the paper gives.
The animations are made of keyframes by the modules beside this one; the shipped clips are what they make.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from animato.errors import unknown_name
from animato.formats import load_character
from animato.formats.tables import save_clip_csv
from animato.gallery.steady.bartender import bartender_serve
from animato.gallery.steady.boxer import boxer_bout
from animato.gallery.steady.dancer import WAVING_S, dancer_dance
from animato.gallery.steady.drummer import drummer_solo
from animato.gallery.steady.published import TABLE_1, Published
from animato.gallery.steady.rapper import rapper_verse
from animato.gallery.steady.rods import rod_swing, two_rods_fall
from animato.motion import Clip
from animato.steady import Emphasis, Options, Tracked

MORE = 100.0
"""What the paper multiplies the weight of a body with that counts most."""


@dataclass(frozen=True)
class Demonstrator:
    """One of them.

    Attributes:
        character: Name of a character that comes with animato, and of the demonstrator.
        clip: Name of the clip that comes with animato.
        animate: Makes that clip.
        tracked: The bodies that are to follow their targets.
        motor_count: Of the character.
        point: What it shows, in a sentence.
        weightings: Other weights of the tracked bodies that the paper shows, by name.
    """

    character: str
    clip: str
    animate: Callable[[], Clip]
    tracked: tuple[Tracked, ...]
    motor_count: int
    point: str
    weightings: dict[str, tuple[Tracked, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """That of the character."""
        return self.character

    @property
    def published(self) -> Published:
        """What the paper reports of it."""
        return TABLE_1[self.name]

    @property
    def parameters(self) -> int:
        """Of all motor profiles together."""
        return self.published.parameters

    @property
    def options(self) -> Options:
        """Those of `steady`, with as many control points as in the paper."""
        return Options(control_points=self.parameters // self.motor_count)


def _bodies(*names: str) -> tuple[Tracked, ...]:
    return tuple(Tracked(name) for name in names)


_DANCER = _bodies("clavicle", "left_hand", "right_hand")
_STILL_BODY = (Tracked("clavicle", MORE), *_DANCER[1:])
_CLEAR_WAVE = (_STILL_BODY[0], Tracked("left_hand", emphasis=(Emphasis(*WAVING_S, MORE),)), _DANCER[2])

DEMONSTRATORS: dict[str, Demonstrator] = {
    one.name: one
    for one in (
        Demonstrator(
            "rod",
            "rod_swing",
            rod_swing,
            _bodies("ball"),
            1,
            "A rod is turned by 30 degrees and back; its ball swings on for as long as one looks.",
        ),
        Demonstrator(
            "two_rods",
            "two_rods_fall",
            two_rods_fall,
            _bodies("motor", "ball"),
            1,
            "The motor stands on a rod itself: what the upper one does bends the lower one.",
        ),
        Demonstrator(
            "dancer",
            "dancer_dance",
            dancer_dance,
            _DANCER,
            4,
            "A waving hand shakes the whole dancer; weights say which part of her may give way.",
            {"unity": _DANCER, "still body": _STILL_BODY, "still body, clear wave": _CLEAR_WAVE},
        ),
        Demonstrator(
            "bartender",
            "bartender_serve",
            bartender_serve,
            (Tracked("elbow"), Tracked("glass", orientation=1.0)),
            4,
            "A glass of water is served to three guests and stays upright, so that nothing is spilled.",
        ),
        Demonstrator(
            "rapper",
            "rapper_verse",
            rapper_verse,
            _bodies("crank", "elbow", "push_rod", "forearm", "hand"),
            4,
            "Printed parts that bend in a closed loop: both hinges, the universal and the ball joint, and the hand.",
        ),
        Demonstrator(
            "drummer",
            "drummer_solo",
            drummer_solo,
            _bodies("head", "pelvis", "left_hand", "right_hand"),
            13,
            "The legs swing out of step with the beat and back into it, which no smoothing by hand can follow.",
        ),
        Demonstrator(
            "boxer",
            "boxer_bout",
            boxer_bout,
            _bodies("left_hand", "right_hand"),
            13,
            "Fast punches and dodges that stop short, on the drummer's legs.",
        ),
    )
}
"""All of them by name, in the order of Table 1."""


def demonstrator(name: str) -> Demonstrator:
    """One of them by name."""
    if name not in DEMONSTRATORS:
        raise unknown_name("demonstrator", name, DEMONSTRATORS, "steady")
    return DEMONSTRATORS[name]


def save_animations(folder: str | Path) -> list[Path]:
    """Makes all animations and writes them as the clips that come with animato.

    Args:
        folder: Where the files go; that of the shipped clips to renew them.
    """
    return [
        save_clip_csv(Path(folder) / f"{one.clip}.csv", one.animate(), load_character(one.character))
        for one in DEMONSTRATORS.values()
    ]
