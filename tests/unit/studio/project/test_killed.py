"""Ended at any moment, without a warning: nothing is half written, and no more than the last second is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import traceback
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.motion import Clip
from animato.studio.document import Document
from animato.studio.project import Keeper, is_project, load_project
from tests.studio_builders import PlainSource, document_of, take_of

ROUNDS, AT_ONCE = 20, 5
PAUSE_S = 0.008
MOST_LOST_S = 1.0
MOST_LOST_EDITS = int(MOST_LOST_S / PAUSE_S)  # counted in edits, a busy machine makes fewer of them and saves later


def edited(document: Document, number: int) -> Document:
    """Everything that a document holds says which edit it was; takes come, go and get other names."""
    value = float(number)
    names = document.character.coordinate_names
    clip = Clip(np.arange(120) / 60.0, names, np.full((120, len(names)), value))
    takes = [take_of(document, f"take {number % 7}", number=value), take_of(document, "other", number=value)]
    settled = replace(document, takes=tuple(replace(one, motion=clip) for one in takes), current=takes[0].name)
    return settled.with_settings("test", number=number)


def work(folder: Path) -> None:
    """Edits until it is killed, and writes down when each edit was made."""
    keeper = Keeper(folder / "project")
    document = keeper.load({"plain": PlainSource}) if is_project(folder / "project") else document_of()
    with (folder / "edits.log").open("a") as log:
        for number in range(1, 1_000_000):
            document = edited(document, number)
            keeper.keep(document)
            log.write(f"{number} {time.time()!r}\n")
            log.flush()
            time.sleep(PAUSE_S)


def nursery(root: Path) -> None:
    """Has everything imported, then begins one worker after the other; each says who it is."""
    for line in sys.stdin:
        folder = root / line.strip()
        folder.mkdir()
        child = os.fork()
        if child == 0:
            try:
                work(folder)
            except BaseException:
                traceback.print_exc()
            os._exit(1)  # or it would begin workers, too, and say that it is number 0: whoever kills that kills all
        print(child, flush=True)


def begin(parent: subprocess.Popen[str], name: str) -> int:
    assert parent.stdin is not None and parent.stdout is not None
    parent.stdin.write(f"{name}\n")
    parent.stdin.flush()
    return int(parent.stdout.readline())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes as only POSIX systems do")
def test_killed_while_editing(tmp_path: Path) -> None:
    random = np.random.default_rng(15)
    lives = random.uniform(0.05, 1.4, ROUNDS)
    parent = subprocess.Popen(
        [sys.executable, __file__, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[4],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[4]), *sys.path])},
    )
    try:
        for first in range(0, ROUNDS, AT_ONCE):
            began = {}
            for one in range(first, first + AT_ONCE):
                began[one] = (begin(parent, str(one)), time.time())
            for one in sorted(began, key=lambda one: lives[one]):
                process, since = began[one]
                time.sleep(max(0.0, since + lives[one] - time.time()))
                os.kill(process, signal.SIGKILL)
    finally:
        parent.kill()
        parent.communicate()
    lost = [lost_edits(tmp_path / str(one)) for one in range(ROUNDS)]
    assert max(lost) <= MOST_LOST_EDITS, lost
    assert np.count_nonzero(lives > MOST_LOST_S) >= 5  # of those that lived shorter nothing could be told


def lost_edits(folder: Path) -> int:
    """How many edits did not come back."""
    made = [int(line.split()[0]) for line in _log(folder).splitlines() if line.count(" ") == 1]
    saved = checked_number(folder / "project") if is_project(folder / "project") else 0
    return max(0, max(made, default=0) - saved)


def _log(folder: Path) -> str:
    place = folder / "edits.log"
    return place.read_text() if place.exists() else ""


def checked_number(folder: Path) -> int:
    """The edit that a project is of: all of its files are of the same one."""
    told: list[str] = []
    document = load_project(folder, {"plain": PlainSource}, told.append)
    assert told == []
    number = document.settings["test"]["number"]
    assert [one.name for one in document.takes] == [f"take {number % 7}", "other"]
    for take in document.takes:
        assert take.remark == ""
        assert isinstance(take.source, PlainSource) and take.source.number == number
        assert take.motion is not None and np.all(take.motion.positions == number) and take.motion.frame_count == 120
    files = [place.relative_to(folder).as_posix() for place in folder.rglob("*") if place.is_file()]
    mine = {"project.json", ".studio.lock"} | {
        f"{room}/{take.name}.{ending}"
        for take in document.takes
        for room, ending in (("takes", "json"), ("clips", "csv"))
    }
    assert set(files) == mine
    return int(number)


def test_a_folder_is_free_again_after_a_kill(tmp_path: Path) -> None:
    code = (
        "import sys; from animato.studio.project import Keeper; k = Keeper(sys.argv[1]); print(1, flush=True); input()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert child.stdout is not None and child.stdout.readline()
    with pytest.raises(Exception, match=f"process {child.pid}"):
        Keeper(tmp_path)
    child.kill()
    child.communicate()
    Keeper(tmp_path).close()


if __name__ == "__main__":
    nursery(Path(sys.argv[1]))
