"""The cases of the benchmark of fix, in two sets: constants may be chosen on one, figures are reported on the other.

Captures and the G1 lie beside the checkout and do not come with animato; where they are absent, their cases are left
out, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from animato.character import Character
from animato.motion import Clip
from benchmarks import fix_clips as clips
from benchmarks.fix_characters import character
from benchmarks.mimic_cases import left_out, missing


@dataclass(frozen=True, eq=False)
class Case:
    """A character and what is asked of it.

    Attributes:
        name: Character and motion.
        who: Name of the character.
        make: Its clip.
        clearance_m: How far bodies must stay apart [m]; None where collisions are not asked about.
        broken: Whether the clip asks for too much; where not, the answer is the clip itself.
        needs_data: Whether files beside the checkout are needed.
    """

    name: str
    who: str
    make: Callable[[Character], Clip]
    clearance_m: float | None = None
    broken: bool = True
    needs_data: bool = False

    @cached_property
    def character(self) -> Character:
        """Who should perform."""
        return character(self.who)

    @cached_property
    def clip(self) -> Clip:
        """What the artist asks for."""
        return self.make(self.character)

    @property
    def points(self) -> tuple[str, ...]:
        """The named points whose deviation counts: all end-points."""
        return tuple(one.name for one in self.character.end_points)


def _shipped(name: str, who: str, clip: str, speed: float, *, broken: bool = True) -> Case:
    return Case(name, who, lambda model: clips.shipped(model, clip, speed), broken=broken)


def _hello(who: Character, speed: float) -> Clip:
    """Pico's greeting without its legs."""
    whole = clips.shipped(character("pico"), "pico_hello", speed).selected(who.coordinate_names)
    return Clip(whole.times, whole.names, whole.positions, source=whole.source)


def _captured(name: str, who: str, capture: str, start_s: float, end_s: float, speed: float) -> Case:
    return Case(name, who, lambda _: clips.captured(who, capture, start_s, end_s, speed), broken=True, needs_data=True)


CHOSEN = (
    Case("pico_bust.hello_1.5x", "pico_bust", lambda who: _hello(who, 1.5)),
    _shipped("boxer.bout_1.5x", "boxer", "boxer_bout", 1.5),
    Case("arm6.chirp", "arm6", lambda who: clips.chirp(who, share=0.9, first_hz=0.2, last_hz=1.5)),
    _shipped("lamp.look_2x", "lamp", "lamp_look", 2.0),
)
"""Constants of the solver and of peers may be chosen on these."""

REPORTED = (
    _shipped("pico.hello", "pico", "pico_hello", 1.0),
    Case("pico_bust.hello_2x", "pico_bust", lambda who: _hello(who, 2.0)),
    _captured("pico_bust.cmu_wave", "pico_bust", "13_26_first1200", 0.5, 6.5, 1.0),
    _captured("pico_bust.cmu_golf", "pico_bust", "63_01", 0.0, 3.7, 1.0),
    _captured("g1_bust.cmu_dance_2x", "g1_bust", "05_03", 0.0, 3.6, 2.0),
    _captured("g1_bust.cmu_wave_3x", "g1_bust", "13_26_first1200", 0.5, 9.5, 3.0),
    _shipped("boxer.bout_3x", "boxer", "boxer_bout", 3.0),
    _shipped("drummer.beat_2x", "drummer", "drummer_beat", 2.0),
    _shipped("dancer.dance_3x", "dancer", "dancer_dance", 3.0),
    _shipped("bartender.serve_2x", "bartender", "bartender_serve", 2.0),
    Case("arm6.square", "arm6", lambda who: clips.square(who, share=0.3)),
    Case("arm6.snaps", "arm6", lambda who: clips.snaps(who, 7)),
    Case("lamp.chirp_into_limits", "lamp", lambda who: clips.chirp(who, share=1.15, first_hz=0.1, last_hz=1.5)),
    Case("torso29.bursts", "torso29", lambda who: clips.bursts(who, 11)),
    Case("planar_arm.unfold", "planar_arm", lambda who: clips.unfold(who, folded=1.2, out=0.0, move_s=1.0)),
    Case("arm6_loaded.reach", "arm6_loaded", lambda who: clips.there_and_back(who, "rest", "reach", move_s=1.1)),
    _shipped("drummer.solo", "drummer", "drummer_solo", 1.0, broken=False),
    _shipped("bartender.serve", "bartender", "bartender_serve", 1.0, broken=False),
    Case("pico_bust.gentle", "pico_bust", clips.gentle, broken=False),
)
"""Figures are reported on these, and nothing is chosen on them."""

QUICK = ("pico.hello", "arm6.snaps", "bartender.serve_2x", "drummer.solo")
"""Those of a quick run."""


def cases(*, quick: bool = False) -> list[Case]:
    """The reported cases that can be run here."""
    chosen = [one for one in REPORTED if not quick or one.name in QUICK]
    return [one for one in chosen if not (one.needs_data and left_out(one.name, missing()))]


def named(name: str) -> Case:
    """A case of either set."""
    found = {one.name: one for one in (*CHOSEN, *REPORTED)}
    if name not in found:
        raise SystemExit(f"There is no case '{name}'. Cases: {', '.join(found)}.")
    return found[name]
