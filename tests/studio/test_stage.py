"""The stage in a browser: it shows what the mechanics say, and hands, keys and fingers do what they should."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import animato as an
from animato.motion import Clip
from animato.studio.desk import Desk
from animato.studio.document import Document, Take
from animato.studio.watching import WatchTool
from animato.studio.workers import Inline
from animato.view.scene import pose_bodies
from tests.studio.visit import Visit
from tests.studio_builders import PlainSource

server = pytest.importorskip("animato.studio.serving.server", reason="the extra 'studio' is not installed")

_PROBES = Path(__file__).with_name("stage_probes.js").read_text(encoding="utf-8")
_ASK = f"async ([name, given]) => ({_PROBES})(window.animato.studio)[name](given)"
_PATIENCE = 200  # looks, of 50 ms each


class Staged:
    """A page with a character on its stage.

    Attributes:
        page: In the browser.
        clip: What is performed.
    """

    def __init__(self, page: Any, clip: Clip) -> None:
        """Of a page that is open."""
        self.page, self.clip = page, clip

    def ask(self, name: str, given: Any = None) -> Any:
        """What one of the probes tells."""
        return self.page.evaluate(_ASK, [name, given])

    def rest(self) -> None:
        """Waits until a still picture is drawn."""
        for _ in range(_PATIENCE):
            if self.ask("resting"):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("the stage does not come to rest")

    def picture(self) -> bytes:
        """Of the stage alone, once it is still."""
        self.page.wait_for_timeout(100)
        self.rest()
        return bytes(self.page.locator("canvas.stage-picture").screenshot())


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory, visitor: Callable[..., Visit]) -> Iterator[Staged]:
    """The lamp, which looks around; all tests of this file share it and leave it as it was."""
    character = an.load_character("lamp")
    clip = an.load_clip("lamp_look", character)
    desk = Desk(Document(character, "lamp", (Take("look", PlainSource(), clip),), "look"))
    desk.equip([WatchTool(desk, Inline())])
    desk.start()
    with server.Server() as served:
        served.open(desk, Path(tmp_path_factory.mktemp("project")))
        page = visitor(900, 640).page
        page.goto(served.address)
        for _ in range(_PATIENCE):
            page.wait_for_timeout(50)
            if page.evaluate(
                "() => Boolean(window.animato?.studio?.stage.frames && window.animato.studio.store.usage)"
            ):
                break
        one = Staged(page, clip)
        one.rest()
        yield one
        one.page.close()
    desk.close()


@pytest.fixture(autouse=True)
def as_it_was(staged: Staged) -> None:
    """Every test begins at the first moment, with nothing chosen, seen from where it is seen at first."""
    staged.ask("asAtFirst")


def test_bodies_stand_where_the_mechanics_say(staged: Staged) -> None:
    """At frames to what 32 bits hold; between them along the chord."""
    character, clip = an.load_character("lamp"), staged.clip
    for frame in (0, 7, clip.frame_count // 2, clip.frame_count - 1):
        poses = pose_bodies(character, clip, clip.times[frame : frame + 1])
        assert np.allclose(staged.ask("bodiesAt", float(clip.times[frame])), poses.positions[0], atol=2e-6), frame
    between = 0.5 * (clip.times[10] + clip.times[11])
    poses = pose_bodies(character, clip, np.array([between]))
    assert np.allclose(staged.ask("bodiesAt", float(between)), poses.positions[0], atol=2e-4)


def test_a_place_on_the_page_and_a_place_in_the_world_are_one(staged: Staged) -> None:
    """Page to body to page, world to body to world, and before who looks."""
    told = staged.ask("roundTrips")
    assert len(told) > 8, "the lamp is somewhere on the picture"
    assert np.max(told) < 1e-3


def test_the_nearest_body_is_picked(staged: Staged) -> None:
    """By looking at all triangles of all bodies there is no other one."""
    off, hits = staged.ask("pickedOtherwise")
    assert off == 0 and hits > 10


def test_time_goes_round_within_its_range(staged: Staged) -> None:
    """And stays at its end where it does not go round."""
    assert staged.ask("roundAndRound") == [pytest.approx(1.1), pytest.approx(2.0), False, True, True]


def test_a_live_pose_is_shown_until_it_is_taken_away(staged: Staged) -> None:
    """In the place of the motion."""
    live, count, still_live, moved = staged.ask("livePose")
    assert live == [True, count - 1, 2, 3, 0.25] and not still_live and moved == 0


def test_a_press_chooses_and_says_so(staged: Staged) -> None:
    """For eyes and ears; a press beside the character chooses nothing."""
    x, y, _ = staged.ask("joint", "elbow")
    staged.page.mouse.click(x, y)
    chosen = staged.ask("chosen")
    assert chosen["body"] >= 0 and chosen["joint"]
    told = staged.page.text_content(".stage-told")
    assert "°" in told and staged.page.text_content(".inspector .joint-name") in told
    staged.page.mouse.click(5 + staged.ask("corner")[0], y)
    assert staged.ask("chosen") == {"body": -1, "joint": ""}


def test_tab_goes_through_all_joints_and_then_on(staged: Staged) -> None:
    """Nobody is caught on the stage."""
    staged.ask("focus")
    joints, seen = staged.ask("joints"), []
    for _ in joints:
        staged.page.keyboard.press("Tab")
        seen.append(staged.ask("chosen")["joint"])
    assert seen == joints
    staged.page.keyboard.press("Tab")
    assert not staged.ask("focused")


def test_hands_turn_move_and_come_closer(staged: Staged) -> None:
    """Left turns, right moves aside, the wheel comes closer; the page remembers."""
    left, top = staged.ask("corner")
    first, mouse = np.array(staged.ask("view")), staged.page.mouse
    mouse.move(left + 20, top + 20)
    mouse.down()
    mouse.move(left + 70, top + 30, steps=4)
    mouse.up()
    turned = np.array(staged.ask("view"))
    assert turned[0] != first[0] and turned[1] != first[1] and np.allclose(turned[2:], first[2:])
    mouse.down(button="right")
    mouse.move(left + 120, top + 60, steps=4)
    mouse.up(button="right")
    moved = np.array(staged.ask("view"))
    assert np.allclose(moved[:3], turned[:3]) and not np.allclose(moved[3:], turned[3:])
    mouse.wheel(0, -200)
    staged.page.wait_for_timeout(50)
    assert staged.ask("view")[2] < moved[2]
    assert staged.ask("keptAway") == staged.ask("view")[2]


def test_a_grip_has_the_pointer_but_not_the_camera(staged: Staged) -> None:
    """The one that comes first, until Esc; other buttons are the camera's."""
    staged.ask("takeGrips")
    left, top = staged.ask("corner")
    mouse, before = staged.page.mouse, staged.ask("view")[0]
    mouse.move(left + 30, top + 200)
    mouse.down()
    mouse.move(left + 60, top + 200)
    mouse.up()
    mouse.down()
    staged.page.keyboard.press("Escape")
    mouse.move(left + 90, top + 200)
    mouse.up()
    mouse.down(button="middle")
    mouse.up(button="middle")
    assert staged.ask("leaveGrips") == ["high down", "move", "up", "high down", "cancel"]
    assert staged.ask("view")[0] == before


@pytest.mark.parametrize(
    ("machine", "finest", "coarsest"), [("card", 0, 0), ("screen", 0, 1), ("processor", 5, 7), ("busy", 0, 0)]
)
def test_quality_follows_the_machine(staged: Staged, machine: str, finest: int, coarsest: int) -> None:
    """A minute of pictures that take as long as a machine needs: a graphics card, one with a screen of 30 pictures a
    second, a processor in its place, and one that was busy at first; seen over the second half."""
    levels = staged.ask("levels", {"machine": machine, "slow": machine == "processor"})
    assert finest <= np.median(levels) <= coarsest
    assert np.mean([finest <= level <= coarsest for level in levels]) > 0.85, "it does not go up and down"


def test_a_backdrop_that_is_kept_is_the_one_that_would_be_drawn(staged: Staged) -> None:
    """From here, from elsewhere and in the dark; at the rim of what stands on the floor a pixel may be the floor's."""
    for largest, share, kept in staged.ask("keptBackdrops"):
        assert kept, "this browser draws in software, so it should be kept"
        assert largest <= 2 or share < 1e-3


def test_a_lost_context_comes_back(staged: Staged) -> None:
    """With the same picture."""
    before = staged.picture()
    staged.ask("loseContext")
    assert staged.picture() == before


def test_nothing_moves_by_itself_and_pictures_follow_the_theme(staged: Staged) -> None:
    """Dark is dark."""
    light, first = staged.picture(), staged.ask("moves")
    staged.page.wait_for_timeout(200)
    assert staged.ask("moves") == first and not first[0]
    staged.ask("dark", True)
    assert staged.picture() != light
    staged.ask("dark", False)
    assert staged.picture() == light
