from __future__ import annotations

import time
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from animato.character.limits import Limits
from animato.report.check.page import check_page, save_page
from animato.report.kit.markup import VOID_TAGS


class Reader(HTMLParser):
    """Reads a page strictly: every element must be closed in its turn."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def words(self) -> str:
        return " ".join("".join(self.text).split())


def check_is_self_contained(reader: Reader) -> None:
    for _, attributes in reader.elements:
        for name in ("src", "href", "xlink:href", "action", "data", "poster", "srcset"):
            address = attributes.get(name)
            assert address is None or address.startswith(("data:", "#"))
        assert not any(name.startswith("on") for name in attributes)
    assert reader.all("link") == [] and reader.all("iframe") == []


def check_is_accessible(reader: Reader) -> None:
    assert all(attributes.get("alt") for attributes in reader.all("img"))
    assert all(attributes.get("scope") in ("row", "col") for attributes in reader.all("th"))
    assert len(reader.all("h1")) == 1 and len(reader.all("title")) >= 1
    assert reader.all("html")[0]["lang"] == "en"
    names = [attributes["id"] for _, attributes in reader.elements if "id" in attributes]
    assert len(names) == len(set(names))
    targets = {(attributes.get("href") or "")[1:] for attributes in reader.all("a")}
    assert targets <= set(names)


def test_the_page_says_what_was_found(mixed_result) -> None:
    page = check_page(mixed_result)
    reader = Reader(page)
    check_is_self_contained(reader)
    check_is_accessible(reader)
    assert "Can pico do “hello”?" in reader.words
    assert "pico cannot do 'hello' as it is: left elbow is asked for too much." in reader.words
    assert "Not as it is" in reader.words
    assert "11.5 rad/s (659 deg/s), its limit is 8 rad/s." in reader.words
    assert "Play it at 68 % speed" in reader.words
    assert "held at rest: tail" in reader.words
    assert len(page) < 2_000_000
    assert sum(attributes.get("src", "").startswith("data:image/jpeg") for attributes in reader.all("img")) >= 4


def test_nothing_is_fetched_even_by_the_style(mixed_result) -> None:
    page = check_page(mixed_result, pictures=False)
    assert "http://" not in page and "https://" not in page and "@import" not in page and "//cdn" not in page
    assert page.count("url(") == page.count("url(#")


def test_names_from_files_are_harmless(make_result) -> None:
    evil = "<script>alert('x')</script>\"&"
    limits = {evil: Limits(-1.0, 1.0, velocity=1.0)}
    result = make_result(limits, {evil: {"position": [0.0, 2.0], "velocity": [0.0, 2.0]}}, source=evil, name=evil)
    result = replace(result, usage=replace(result.usage, notes=(evil,)))
    page = check_page(result)
    reader = Reader(page)
    check_is_self_contained(reader)
    check_is_accessible(reader)
    assert "<script>alert" not in page
    assert len(reader.all("script")) == 4  # two of data, two that run
    assert "<script>alert('x')</script>" in reader.words  # shown as text


def test_everything_fits(make_result) -> None:
    limits = {name: Limits(-1.0, 1.0, velocity=1.0) for name in ("left_elbow", "neck")}
    result = make_result(limits, {name: {"velocity": [0.2, 0.5, 0.1]} for name in limits})
    reader = Reader(check_page(result))
    check_is_accessible(reader)
    assert "Yes, it fits" in reader.words and "The closest calls" in reader.words
    assert "What is too much" not in reader.words and "What would help" not in reader.words


def test_a_character_without_limits(make_result) -> None:
    reader = Reader(check_page(make_result({"a": Limits()}, {"a": {"velocity": [1.0, 2.0]}})))
    check_is_accessible(reader)
    assert "Nothing to check" in reader.words and "no limit" in reader.words
    assert "Where and when" not in reader.words


@pytest.mark.parametrize("limit", [Limits(), Limits(-1.0, 1.0, velocity=2.0)])
def test_a_clip_of_one_frame(make_result, limit) -> None:
    reader = Reader(check_page(make_result({"a": limit}, {"a": {"position": [1.5]}})))
    check_is_self_contained(reader)
    check_is_accessible(reader)
    assert "a single pose" in reader.words


def test_a_character_without_joints() -> None:
    from animato.character.body import Body
    from animato.character.character import Character
    from animato.character.joint import Joint, JointType
    from animato.findings.checking import check
    from animato.motion.clip import Clip

    rock = Character("rock", (Body("rock", mass=1.0),), (Joint("stand", JointType.GROUND, "world", "rock"),))
    result = check(rock, Clip(np.arange(3.0), (), np.zeros((3, 0))))
    assert result.outcome.usable and result.worst == ()
    assert "Nothing to check" in Reader(check_page(result)).words


def test_sixty_joints_and_ten_thousand_moments(make_result, rng) -> None:
    limits = {f"joint_{n}": Limits(-1.0, 1.0, 1.0, 1.0, 1.0, 1.0) for n in range(60)}
    kinds = ("position", "velocity", "acceleration", "jerk", "torque")
    count = 10_000
    values = {
        name: {kind: np.convolve(rng.normal(0.0, 0.3, count), np.ones(9) / 3.0, "same") for kind in kinds}
        for name in limits
    }
    times, frames = np.arange(count) * 0.005, np.arange(2500) * 0.02
    result = make_result(limits, values, speed=0.5, times=times, frame_times=frames)
    begin = time.process_time()
    page = check_page(result, pictures=False)  # about 0.3 s; pictures are the renderer's time
    duration = time.process_time() - begin
    assert duration < 3.0
    assert len(page) < 2_500_000
    # With its film as well, of joints that swing: how large a film of noise may be is a test of the film.
    for number, name in enumerate(values):
        values[name]["position"] = 0.3 * np.sin(2.0 * np.pi * times / (3.0 + number % 7))
    page = check_page(make_result(limits, values, speed=0.5, times=times, frame_times=frames))
    assert len(page) < 2_300_000
    Reader(page)


def test_the_page_is_written_whole(mixed_result, tmp_path) -> None:
    path = save_page(tmp_path / "made" / "check.html", mixed_result, pictures=False)
    assert path.read_text(encoding="utf-8") == check_page(mixed_result, pictures=False)
    assert [one.name for one in path.parent.iterdir()] == ["check.html"]


def test_the_same_check_gives_the_same_page(mixed_result) -> None:
    assert check_page(mixed_result) == check_page(mixed_result)
