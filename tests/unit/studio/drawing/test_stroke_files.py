"""Drawings go into files and come back; flat ones come onto the board, those in space onto their own."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.errors import AnimatoError
from animato.formats.strokes import lines_of, read_strokes
from animato.studio.desk import Desk
from animato.studio.document import Document, Take
from animato.studio.drawing import Board, Drawn, DrawnStroke, DrawnWishes, DrawTool
from animato.studio.drawing.stroke_files import read_drawing
from animato.studio.exporting import ExportTool
from animato.studio.workers import Inline
from tests.studio_builders import FakePage, ask
from tests.studio_exports import BOARD, line

ARM = an.load_character("arm6")
TABLE = Board("floor", (0.5, 0.1, 0.2), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0), 0.4, 0.3)
TILTED = Board.from_values(
    {
        "kind": "view",
        "origin": [0.6, 0.1, 0.5],
        "right": [0.3, 1.0, 0.1],
        "up": [0.1, 0.0, 1.0],
        "width": 1,
        "height": 1,
    }
)


def exported(folder: Path, drawn: Drawn) -> Path:
    desk, page = Desk(Document(ARM, "arm6").with_take(Take("letters", drawn)), folder=folder), FakePage()
    desk.equip([ExportTool(desk, Inline(), folder)])
    assert "error" not in ask(desk, page, "export.make", what="strokes")
    return folder / "exports" / page.last("exported")["file"]


def on(board: Board, one: DrawnStroke) -> DrawnStroke:
    return replace(one, board=board)


def same(one: Drawn, other: Drawn) -> bool:
    return len(one.strokes) == len(other.strokes) and all(
        a.point == b.point
        and np.abs(a.world.points - b.world.points).max() < 1e-12
        and np.abs(a.times - b.times).max() < 1e-9
        and np.array_equal(a.pressures, b.pressures)
        for a, b in zip(one.strokes, other.strokes, strict=True)
    )


def test_a_drawing_comes_back_with_its_boards_and_wishes(tmp_path: Path) -> None:
    lines = (line(), on(TABLE, line(0.05)), on(TILTED, line(-0.05)))
    drawn = Drawn(lines, DrawnWishes(alpha=0.3, tempo_lock=False))
    brought = read_drawing(ARM, exported(tmp_path, drawn), "pen", BOARD)
    assert same(drawn, brought.drawn) and not brought.words
    assert [one.board for one in brought.drawn.strokes] == [BOARD, TABLE, TILTED]
    assert brought.drawn.wishes == drawn.wishes


def test_lines_of_several_points_come_back(tmp_path: Path) -> None:
    other = replace(line(0.1), point=f"{ARM.bodies[-2].name} at 0.01,0,0.02")
    drawn = Drawn((line(), other, line(0.02)))
    brought = read_drawing(ARM, exported(tmp_path, drawn), "pen", BOARD).drawn
    assert [one.point for one in brought.strokes] == ["pen", "pen", other.point]


def test_the_command_line_reads_the_same_file(tmp_path: Path) -> None:
    strokes = read_strokes(exported(tmp_path, Drawn((line(), line(0.05)))))
    assert list(strokes) == ["pen"] and len(lines_of(strokes["pen"])) == 2


def test_lines_in_space_come_onto_the_board_in_which_they_lie(tmp_path: Path) -> None:
    file = exported(tmp_path, Drawn((on(TILTED, line()), on(TILTED, line(0.1)))))
    values = json.loads(file.read_text())
    del values["studio"]
    file.write_text(json.dumps(values))
    brought = read_drawing(ARM, file, "pen", BOARD)
    first, second = brought.drawn.strokes
    assert first.board == second.board and not brought.words
    assert np.abs(first.world.points - TILTED.to_world(line().places)).max() < 1e-9


def test_what_is_not_flat_is_told(tmp_path: Path) -> None:
    turn = np.linspace(0.0, 6.0, 60)
    points = np.column_stack([0.1 * np.cos(turn) + 0.5, 0.1 * np.sin(turn), 0.02 * turn + 0.4])
    file = tmp_path / "coil.json"
    file.write_text(json.dumps({"points": points.tolist(), "times": (turn / 3.0).tolist()}))
    assert "flat" in read_drawing(ARM, file, "pen", BOARD).words


def test_flat_drawings_come_into_the_middle_of_the_board(tmp_path: Path) -> None:
    file = tmp_path / "wave.svg"
    file.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="900mm"><path d="M0 0 C 300 300 600 -300 900 0"/></svg>'
    )
    (stroke,) = read_drawing(ARM, file, "pen", BOARD).drawn.strokes
    size = np.ptp(stroke.places, axis=0)
    assert stroke.board == BOARD and size[0] <= BOARD.width and size[1] <= BOARD.height and size.max() > 0.1
    assert np.abs(stroke.places.min(axis=0) + stroke.places.max(axis=0)).max() < 1e-9


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"strokes": {}}', '{"points": [[0, 0]]}', '{"points": [[NaN, 0], [1, 1]]}']
)
def test_what_is_no_drawing_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(AnimatoError):
        read_drawing(ARM, file, "pen", BOARD)


def test_a_drawing_is_imported_and_performed(tmp_path: Path) -> None:
    file = exported(tmp_path, Drawn((line(),)))
    desk, page = Desk(Document(ARM, "arm6"), folder=tmp_path), FakePage()
    desk.equip([DrawTool(desk, Inline())])
    assert "error" not in ask(desk, page, "draw.import", file=f"exports/{file.name}")
    take = desk.document.open_take
    assert take is not None and take.motion is not None and "mm off" in take.remark and take.name == "letters"
    assert "no file" in ask(desk, page, "draw.import", file="exports/none.json")["error"]
    (tmp_path / "bad.json").write_text("{")
    ask(desk, page, "draw.import", file="bad.json")
    assert page.last("toast")["kind"] == "bad"


def test_a_drawing_whose_motion_is_gone_is_performed_when_somebody_looks(tmp_path: Path) -> None:
    document = Document(ARM, "arm6").with_take(Take("letters", Drawn((line(),)), remark="Its clip could not be read."))
    desk, page = Desk(document, folder=tmp_path), FakePage()
    desk.equip([DrawTool(desk, Inline())])
    desk.join(page)
    desk.run_due()
    take = desk.document.open_take
    assert take is not None and take.motion is not None and "mm off" in take.remark
    assert desk.history.undo_label == ""
