"""The show file: what is wrong in it is said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from animato.errors import FileFormatError
from animato.stage.shows.file import ClockKind
from animato.stage.shows.score import End, build_score
from tests.show_builders import EVENING, lamp, lamp_rig, show_of


def test_a_show_is_read() -> None:
    show = show_of(EVENING)
    assert [step.kind for step in show.steps] == ["pose", "play", "wait", "wait_for", "play", "pose", "goto"]
    assert show.goals == {"look": 1, "idle": 4}
    assert show.steps[4].loops is None
    assert show.steps[6].times == 1
    assert show.clock.kind is ClockKind.INTERNAL


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("clips: {look: lamp_look}", "clip: {look: lamp_look}", 3, "Did you mean 'clips'?"),
        ("kind: osc, port: 9001", "kind: ocs, port: 9001", 4, "Did you mean 'osc'?"),
        ("kind: osc, port: 9001", "kind: osc", 4, "port: is missing"),
        ("kind: osc, port: 9001", "kind: sacn", 4, "nothing is heard on DMX"),
        ("{kind: sacn, host: 127.0.0.1}", "{kind: artnet}", 7, "host: is missing"),
        ("{kind: sacn, host: 127.0.0.1}", "{kind: sacn, universe: 0}", 7, "universe: must be 1 to 63999"),
        ("osc: /go", "osc: go", 9, "begins with '/'"),
        ("does: stop", "does: halt", 10, "Cue 'halt' is not in 'evening'"),
        ("does: goto look", "does: goto lok", 11, "Did you mean 'look'?"),
        ("osc: /go", "note: 60", 9, "no input of kind midi"),
        ("  - {osc: /go, does: go}\n", "", 16, "nothing gives the cue 'go'"),
        ("play: look, name: look", "play: lok, name: look", 15, "Clip 'lok' is not in 'evening'. Did you mean 'look'?"),
        ("to: light", "to: lihgt", 15, "Did you mean 'light'?"),
        ("to: light", "to: desk", 15, "'desk' speaks osc"),
        ("{1: 255}", "{1: 256}", 15, "from 0 to 255"),
        ("{1: 255}", "{513: 0}", 15, "from 1 to 512"),
        ("wait: 0.5 s", "wait: 0.5 m", 16, "must be a time"),
        ("wait: 0.5 s", "wait: -1 s", 16, "must be 0 s to a day"),
        ("wait: 0.5 s", "wait: 1 s\n    pose: rest", 16, "a step is one of"),
        ("name: idle", "name: look", 18, "name of an earlier step"),
        ("loops: forever", "loops: often", 18, "must be a whole number from 1 to 10000"),
        ("pose: curious", "pose: curious\n    speed: 2", 20, "has no meaning for 'pose'"),
        ("pose: curious", "pose: curious\n    beat: 2", 20, "needs 'tempo'"),
        ("goto: look", "goto: lok", 20, "Named step 'lok'"),
        ("name: evening", "name: evening\nclock: {kind: mtc}", 3, "input: is missing"),
        ("name: evening", "name: evening\nclock: {kind: osc, input: net}", 18, "led by the clock 'osc'"),
        ("name: evening", "name: evening\nclock: {kind: sound}", 3, "there is no 'sound'"),
    ],
)
def test_what_is_wrong_has_its_line(old: str, new: str, line: int, said: str) -> None:
    assert EVENING.count(old) >= 1
    with pytest.raises(FileFormatError) as caught:
        show_of(EVENING.replace(old, new, 1))
    assert caught.value.line == line, str(caught.value)
    assert said in str(caught.value)


def test_a_timeline_is_not_empty() -> None:
    with pytest.raises(FileFormatError, match="at least one step"):
        show_of("animato: 1\nname: x\ntimeline: []\n")
    with pytest.raises(FileFormatError, match=r"line 1: timeline: is missing"):
        show_of("animato: 1\nname: x\n")


def test_every_word_can_be_typed() -> None:
    text = "animato: 1\nname: x\ninputs: {keys: {kind: keyboard}}\ntimeline: [{wait_for: bow}]\n"
    assert show_of(text).steps[0].wait_for == "bow"


def test_the_show_of_the_docs_is_performed() -> None:
    page = Path(__file__).parents[4] / "docs" / "stage-shows.md"
    _, text = page.read_text(encoding="utf-8").split("```yaml\n", 1)
    show = show_of(text.split("```")[0])
    assert show.said.name == "evening"
    assert build_score(show, lamp(), lamp_rig()).stretches[1].end is End.LOOP
