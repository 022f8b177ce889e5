"""The demo of the house: pico is asked for too much, fix makes it performable, and check says where it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.character import Character
from animato.findings import check, verdict
from animato.formats import load_character
from animato.gallery.fix import make_fix_demo
from animato.loading import load_clip
from animato.mechanics.limits import naive_playback
from animato.motion import Clip
from animato.outcome import Progress, announcer
from animato.report.check import save_json
from animato.view import render_picture, save_png
from animato.view.raster import framing
from animato.view.scene import build_scene, outline_points, pose_bodies


def make_demo(folder: str | Path, *, progress: Progress | None = None) -> list[str]:
    """Fills a folder with the demo.

    `fix.html` is the main job: a cheer that asks too much of pico, and the cheer that it can perform, played side by
    side. Of a second clip, `report.html` checks what the artist asks for; `performed.html` shows what the motors make
    of it when they are simply sent it, with the artist's motion as a ghost beside it.

    Args:
        folder: Where the files go.
        progress: Told what is being worked on.

    Returns:
        Sentences for the person who waits.
    """
    say = announcer(progress)
    place = Path(folder)
    fixed = make_fix_demo(place, film=False, progress=progress)
    say("reading pico and its clip")
    pico = load_character("pico")
    hello = load_clip("pico_hello", character=pico)
    say("checking what the artist asks for")
    asked = check(pico, hello, clip_name="hello")
    asked.save_page(place / "report.html")
    save_json(place / "report.json", asked)
    say("checking what the motors make of it")
    done = naive_playback(pico, hello)
    check(pico, done, ghost=hello, clip_name="hello, as performed").save_page(place / "performed.html")
    say("drawing")
    save_png(place / "picture.png", _picture(pico, done, hello))
    return [
        *fixed,
        verdict(asked),
        f"The page that says where: {place / 'report.html'}",
        f"What the motors would make of it: {place / 'performed.html'}",
        f"A picture: {place / 'picture.png'}",
    ]


def _picture(character: Character, done: Clip, asked: Clip) -> np.ndarray:
    """The moment at which the motors are furthest behind, seen from the front, with the hand's path."""
    lag = np.abs(done.positions - asked.positions).max(axis=1)
    moment = float(asked.times[np.argmax(lag)])
    points = outline_points(build_scene(character), pose_bodies(character, asked, np.array([moment])))
    camera = framing(points, azimuth=np.radians(12.0), elevation=np.radians(10.0), aspect=1.5)
    return render_picture(
        character, done, ghost=asked, time=moment, camera=camera, trails="left_hand", width=1200, height=800
    )
