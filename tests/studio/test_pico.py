"""An hour with pico: posed, keyed, looked at, made performable, joined; all of it undone, and done again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.formats import save_motion
from tests.person_builders import stick_figure
from tests.studio.running import Running, running
from tests.studio.visit import Visit

_NOW = "[...animato.studio.stage.coordinatesNow()]"
_POSING = "(await import('/page/modes/pose/state.js')).posing"
_FACING = "(await import('/page/modes/face/state.js')).facing"
_KEYS = "(animato.studio.store.document.source.keys || []).map((one) => one.time)"
_UNDO = "animato.studio.store.document.undo"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A studio with what a newcomer finds."""
    with running(tmp_path_factory.mktemp("pico") / "show") as one:
        yield one


@pytest.fixture(scope="module")
def pico(studio: Running, visitor: Callable[..., Visit]) -> Iterator[Visit]:
    """A page; all tests share it, one after the other."""
    visit = visitor().go(studio.address)
    visit.picture("pico-first")
    yield visit
    visit.page.close()


def in_limits(visit: Visit) -> bool:
    """Whether the pose that is shown is inside the limits of all joints."""
    limits = [one for joint in an.load_character("pico").joints for one in joint.limits]
    lower, upper = (np.array([getattr(one, side) for one in limits], float) for side in ("lower", "upper"))
    pose = np.array(visit.ask(_NOW))
    return bool(np.all(pose >= lower - 1e-4) and np.all(pose <= upper + 1e-4))


def settled(visit: Visit) -> np.ndarray:
    """The pose that is shown, once it stays: a key that was set is told of a moment later."""
    before = None
    while (now := visit.ask(_NOW)) != before:
        before = now
        visit.page.wait_for_timeout(400)
    return np.array(now)


def test_a_hand_is_pulled_and_becomes_a_key(pico: Visit) -> None:
    """The pose stays inside the limits, feet stay where they are, and the take has a key at that time."""
    pico.mode("pose")
    pico.stop()
    pico.seek(3.8)
    pico.until(f"{_POSING}.ready")
    feet = "animato.studio.stage.bodyPose(animato.studio.store.scene.bodies.indexOf('right_foot')).place([0, 0, 0])"
    foot, before, keys = pico.ask(feet), pico.ask(_NOW), pico.ask(_KEYS)
    x, y = pico.spot_of("right_forearm")
    pico.page.mouse.move(x, y)
    pico.page.mouse.down()
    pico.page.mouse.move(x - 40, y - 70, steps=8)
    pico.until("animato.studio.stage.live")
    pico.picture("pose-pulled")
    pico.page.mouse.up()
    pico.until(f"{_KEYS}.length === given", len(keys) + 1)
    assert np.max(np.abs(np.array(pico.ask(_NOW)) - before)) > 0.1 and in_limits(pico)
    assert np.allclose(pico.ask(feet), foot, atol=5e-3)
    assert any(abs(time - 3.8) < 0.05 for time in pico.ask(_KEYS))


def test_a_slider_of_a_joint_moves_it(pico: Visit) -> None:
    x, y = pico.spot_of("head")
    pico.page.mouse.click(x, y)
    slider = pico.page.locator(".mode-panel .joint.chosen input[type=range]").first
    slider.focus()
    before, undo = settled(pico), pico.ask(_UNDO)
    for _ in range(10):
        pico.page.keyboard.press("ArrowRight")
    pico.until(f"Math.max(...{_NOW}.map((value, n) => Math.abs(value - given[n]))) > 1e-2", before.tolist())
    moved = np.abs(settled(pico) - before) > 1e-3
    assert moved.sum() == 1 and in_limits(pico) and undo


def test_a_posture_is_kept_by_its_name(pico: Visit) -> None:
    pico.page.get_by_placeholder("a name").fill("half a wave")
    pico.page.keyboard.press("Enter")
    pico.until("animato.studio.store.document.own_postures.includes('half a wave')")
    kept = np.array(pico.ask(_NOW))
    pico.page.locator(".mode-panel .chip", has_text="proud").first.click()
    pico.until("animato.studio.stage.live || animato.studio.stage.motionOf('main')")
    pico.until(f"Math.max(...{_NOW}.map((value, n) => Math.abs(value - given[n]))) > 0.05", kept.tolist())
    pico.picture("pose-posture")
    pico.page.locator(".mode-panel .chip", has_text="half a wave").first.click()
    pico.until(f"Math.max(...{_NOW}.map((value, n) => Math.abs(value - given[n]))) < 1e-3", kept.tolist())


def test_what_it_looks_at_is_dragged_and_recorded(pico: Visit) -> None:
    """It looks at the ball wherever that goes; what happened is a take."""
    pico.mode("face")
    pico.until(f"{_FACING}.on")
    pico.until(f"{_FACING}.sight && {_FACING}.off_rad < 0.03")
    pico.picture("face-first")
    pico.page.keyboard.press("r")
    pico.until(f"{_FACING}.recording")
    x, y, _ = pico.ask(f"animato.studio.stage.project({_FACING}.target)")
    before = pico.ask(f"{_FACING}.target")
    pico.drag((x, y), (x - 40, y - 60), (x - 70, y + 20), steps=12)
    assert np.linalg.norm(np.subtract(pico.ask(f"{_FACING}.target"), before)) > 0.02
    pico.until(f"{_FACING}.off_rad < 0.03 && {_FACING}.recorded_s > 0.5")
    pico.picture("face-dragged")
    takes = pico.takes
    pico.page.keyboard.press("r")
    pico.until("animato.studio.store.document.takes.length === given", len(takes) + 1)
    pico.mode("pose")
    pico.until(f"!{_FACING}.on")


def test_keys_of_a_take_are_mirrored(pico: Visit) -> None:
    """The left hand's wave is the right one's, and back."""
    pico.open_take("hello")
    pico.stop()
    pico.seek(1.1)
    before = pico.ask(_NOW)
    pico.page.keyboard.press("Control+a")
    pico.page.keyboard.press("m")
    pico.until(f"Math.max(...{_NOW}.map((value, n) => Math.abs(value - given[n]))) > 0.3", before)
    pico.picture("timeline-mirrored")
    pico.page.keyboard.press("Control+a")
    pico.page.keyboard.press("m")
    pico.until(f"Math.max(...{_NOW}.map((value, n) => Math.abs(value - given[n]))) < 1e-3", before)


def test_a_dance_is_made_performable_by_one_button(studio: Running, pico: Visit) -> None:
    pico.open_take("dance (too fast)")
    pico.until("document.querySelector('.verdict').textContent.includes('exceeded')")
    pico.picture("fix-before")
    pico.page.locator("#top button", has_text="Make it performable").click()
    pico.until("animato.studio.store.take.verb === 'fix'")
    pico.until("document.querySelector('.verdict').textContent === 'the robot can'")
    pico.picture("fix-after")
    pico.saved()
    performed = studio.folder / "clips" / "dance (too fast).performed.csv"
    clips = sorted(one.name for one in performed.parent.glob("dance*"))
    assert performed.exists(), clips
    assert an.check("pico", performed).outcome.solved


def test_two_takes_are_joined(pico: Visit) -> None:
    takes = pico.takes
    pico.page.locator('.chip.take[data-take="dance (too fast)"]').click(button="right")
    pico.page.locator(".popover label.choice", has_text="What comes after it").locator("select").select_option("hello")
    pico.page.click(".popover >> text=Join them")
    pico.until("animato.studio.store.document.takes.length === given", len(takes) + 1)
    pico.until(
        "animato.studio.store.take.solved && animato.studio.store.usage?.take === animato.studio.store.document.current"
    )
    pico.picture("joined")
    lengths = {one["name"]: one["duration"] for one in pico.document()["takes"]}
    (name,) = set(pico.takes) - set(takes)
    assert lengths[name] > lengths["hello"] + lengths["dance (too fast)"]


def test_another_tab_sees_the_same(pico: Visit, studio: Running, visitor: Callable[..., Visit]) -> None:
    """What one does, the other has."""
    other = visitor(beside=pico).go(studio.address)
    assert other.document() == pico.document()
    other.open_take("hello")
    pico.until("animato.studio.store.document.current === 'hello'")
    pico.page.keyboard.press("Control+Shift+D")
    for one in (pico, other):
        one.until("animato.studio.store.document.current === 'hello copy'")
    assert other.document() == pico.document()
    other.page.close()


def test_all_is_undone_and_done_again(pico: Visit) -> None:
    """To the very beginning and back; documents are equal."""
    last = pico.document()
    _all(pico, "undo", "Control+z")
    pico.picture("all-undone")
    first = pico.document()
    assert [one["name"] for one in first["takes"]] == ["hello", "dance (too fast)", "cheer (too lively)"]
    assert first["current"] == "hello" and not any(one["verb"] for one in first["takes"])
    assert len(first["source"]["keys"]) == 8 and "half a wave" not in first["postures"]
    _all(pico, "redo", "Control+Shift+z")
    assert pico.document() == last


def _all(visit: Visit, way: str, key: str) -> None:
    """Presses a key until there is nothing more to undo, or to redo."""
    for _ in range(200):
        if not visit.ask(f"animato.studio.store.document.{way}"):
            return
        told = visit.ask("JSON.stringify(animato.studio.store.document)")
        visit.page.keyboard.press(key)
        visit.until("JSON.stringify(animato.studio.store.document) !== given", told)
    raise AssertionError(f"there is no end to {way}")


def test_a_capture_is_dropped_and_its_solve_outlives_a_reload(pico: Visit, studio: Running, tmp_path: Path) -> None:
    """The job that was begun before is shown by the page that comes after, and its result arrives."""
    save_motion(tmp_path / "lift.bvh", stick_figure(frames=80))
    pico.page.evaluate(_DROP, ["lift.bvh", (tmp_path / "lift.bvh").read_text(encoding="utf-8")])
    pico.until("animato.studio.store.document.source.kind === 'captured' && animato.studio.stage.motionOf('main')")
    assert pico.ask("animato.studio.store.mode") == "capture"
    pico.picture("capture-dropped")
    pico.page.locator(".capture-panel button", has_text="Retarget").click()
    pico.until("document.querySelector('.job')")
    pico.page.reload()
    pico.arrived()
    pico.until("document.querySelector('.job') || animato.studio.store.document.source.retargeted")
    pico.picture("capture-reloaded")
    pico.until("animato.studio.store.document.source.retargeted && !document.querySelector('.job')", patience_s=180.0)
    pico.picture("capture-retargeted")
    pico.page.keyboard.press("Control+Enter")  # limits of acceleration are the next step, as the page says
    pico.until("animato.studio.store.take.verb === 'fix' && !document.querySelector('.job')", patience_s=180.0)
    pico.saved()
    name = pico.ask("animato.studio.store.document.current")
    assert an.check("pico", studio.folder / "clips" / f"{name}.performed.csv").outcome.solved


_DROP = """([name, text]) => {
  const given = new DataTransfer();
  given.items.add(new File([text], name));
  for (const kind of ["dragenter", "dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: given, bubbles: true, cancelable: true }));
}"""
