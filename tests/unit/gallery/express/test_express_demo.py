from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from animato.gallery.express.acts import MOODS, Act, animation_underneath, changing_moods
from animato.gallery.express.demo import make_express_demo
from animato.gallery.express.runs import ANIMATO, ERIK, MEASURES, sample_errors, track_a_circle
from animato.motion.clip import Clip
from animato.report.kit import Readout
from animato.report.kit.markup import VOID_TAGS


class Balance(HTMLParser):
    """Follows which elements are open, and collects addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID_TAGS:
            self.open.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str], list[str]]:
    folder = tmp_path_factory.mktemp("demo")
    stages: list[str] = []
    return (
        folder,
        make_express_demo(folder, samples=40, seconds=4, progress=lambda step: stages.append(step.stage)),
        stages,
    )


def test_the_page_is_whole_and_needs_nothing_else(made: tuple[Path, list[str], list[str]]) -> None:
    page = (made[0] / "express.html").read_text(encoding="utf-8")
    balance = Balance()
    balance.feed(page)
    assert balance.open == []
    assert len(balance.addresses) == 3
    assert all(address.startswith("data:image/jpeg;base64,") for address in balance.addresses)
    assert len(page) < 700_000
    assert page.count('class="figure-player"') == 2 and 'data-cursor="story"' in page
    for words in ("animato", "ERIK", "DLS400", "skeleton_c", "skeleton_g", "A: combined error", "G: orientation error"):
        assert words in page
    assert "nan" not in page.split("base64,")[0]
    assert "40 samples" in page


def test_the_pictures_are_files_too(made: tuple[Path, list[str], list[str]]) -> None:
    folder, sentences, stages = made
    for name, least in (("histograms", 7 * 3 * 30), ("normals", 0), ("tracking", 0)):
        chart = ElementTree.parse(folder / f"{name}.svg").getroot()
        assert chart.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(chart.findall(".//{*}rect[@class='bar']")) == least
    strip = np.asarray(Image.open(folder / "facing.png"))
    assert strip.shape == (580, 1520, 3)
    assert strip.std() > 10
    assert all((folder / name).exists() for name in ("express.html", "tracking.svg"))
    assert sentences[0].startswith("Mean combined error on skeleton C over 40 samples: animato ")
    assert len(stages) == 10


def _at(clip: Clip, time: float) -> np.ndarray:
    return clip.positions[int(np.argmin(np.abs(clip.times - time)))]


def _off(act: Act) -> np.ndarray:
    """Angle by which it is off its target [degree], [frame]."""
    return next(one.values for one in act.film.things if isinstance(one, Readout))


def test_the_lamp_looks_on_in_every_mood() -> None:
    act = changing_moods()
    assert act.warnings == ()
    clip, held = (figure.clip for figure in act.film.figures)
    assert clip.duration == pytest.approx(held.duration)
    degrees, times = _off(act), clip.times
    settled = np.all([(times < begin) | (times > begin + 1.5) for begin, _ in MOODS], axis=0)
    assert degrees[settled].mean() < 3.0
    # a second before the next mood the joints are nearer to the one that is held than to the one before
    for (begin, _), (before, _) in zip(MOODS[1:], MOODS, strict=False):
        now = _at(clip.selected(held.names), begin + 3.0)
        near, far = (np.abs(now - _at(held, time + 1.0)).sum() for time in (begin, before))
        assert near < far


def test_an_animation_goes_on_underneath() -> None:
    act = animation_underneath()
    clip = act.film.figures[0].clip
    assert act.warnings == ()
    assert _off(act)[clip.times > 1.5].mean() < 3.0
    assert np.ptp(clip.positions, axis=0).max() > 0.1  # the body moves although the target stands


def test_errors_add_up_and_are_the_same_each_time() -> None:
    errors = sample_errors("C", 20, (ANIMATO, ERIK))
    again = sample_errors("C", 20, (ANIMATO, ERIK))
    for solver in (ANIMATO, ERIK):
        combined, orientation, posture = (errors[solver][measure] for measure in MEASURES)
        assert combined == pytest.approx(orientation + posture, abs=1e-12)
        assert np.array_equal(combined, again[solver][MEASURES[0]])
    assert errors[ANIMATO][MEASURES[0]].mean() < errors[ERIK][MEASURES[0]].mean()


def test_tracking_does_not_pop() -> None:
    run = track_a_circle("skeleton_c", 4.0)
    assert run.positions.shape == (200, 5)
    assert np.abs(np.diff(run.positions, axis=0)).max() <= run.largest_step + 1e-9 < np.radians(5.0)
    assert np.median(run.errors) < 0.05
