"""Strokes in tables: pens that are lifted, clocks that repeat or step back, units that were not said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError
from animato.formats.strokes.pen_stroke import PenStroke
from animato.formats.strokes.reader import read_stroke
from animato.formats.strokes.recorded import recorded_stroke

TIMES = np.arange(40) / 100.0
POINTS = np.stack([TIMES, TIMES**2], axis=1)


def table(folder: Path, header: str, *columns: np.ndarray) -> Path:
    file = folder / "stroke.csv"
    rows = [",".join(f"{value:.6g}" for value in row) for row in np.column_stack(columns)]
    file.write_text("\n".join([header, *rows]) + "\n")
    return file


@pytest.mark.parametrize("name", ["pen", "pen_down", "Down"])
def test_a_column_says_where_the_pen_is_up(tmp_path: Path, name: str) -> None:
    down = ((TIMES < 0.1) | (TIMES > 0.2)).astype(float)
    stroke = read_stroke(table(tmp_path, f"time,x,y,{name}", TIMES, POINTS, down))
    assert isinstance(stroke, PenStroke) and len(stroke.lines) == 2
    assert len(stroke.points) == int(down.sum())


def test_a_pen_without_pressure_hovers(tmp_path: Path) -> None:
    pressure = np.where((TIMES > 0.1) & (TIMES < 0.2), 0.0, 0.5)
    stroke = read_stroke(table(tmp_path, "time,x,y,pressure", TIMES, POINTS, pressure))
    assert isinstance(stroke, PenStroke) and len(stroke.lines) == 2
    once = np.where(TIMES == 0.15, 0.0, 0.5)  # a moment is no lift
    assert len(read_stroke(table(tmp_path, "time,x,y,pressure", TIMES, POINTS, once)).points) == 40
    none = read_stroke(table(tmp_path, "time,x,y,pressure", TIMES, POINTS, np.zeros(40)))
    assert len(none.points) == 40  # a pen that tells no pressure


def test_milliseconds_by_name_and_by_doubt(tmp_path: Path) -> None:
    named = read_stroke(table(tmp_path, "t_ms,x,y", 1000.0 * TIMES, POINTS))
    np.testing.assert_allclose(np.asarray(named.times), TIMES, atol=1e-12)
    doubtful = read_stroke(table(tmp_path, "time,x,y", 1000.0 * TIMES, POINTS))
    assert isinstance(doubtful, PenStroke) and "milliseconds?" in doubtful.notes[0]
    assert doubtful.times is not None and doubtful.times[-1] == pytest.approx(390.0)  # said, not changed


def test_a_clock_that_repeats_is_spread_and_one_that_steps_back_loses_a_sample(tmp_path: Path) -> None:
    coarse = read_stroke(table(tmp_path, "time,x,y", np.floor(TIMES * 25.0) / 25.0, POINTS))
    np.testing.assert_allclose(np.asarray(coarse.times), TIMES, atol=1e-9)
    back = TIMES.copy()
    back[20] = 0.05
    stroke = read_stroke(table(tmp_path, "time,x,y", back, POINTS))
    assert isinstance(stroke, PenStroke) and stroke.late == 1 and len(stroke.points) == 39
    with pytest.raises(FileFormatError, match="must rise"):
        read_stroke(table(tmp_path, "time,x,y", TIMES[::-1], POINTS))
    with pytest.raises(FileFormatError, match="must rise"):
        read_stroke(table(tmp_path, "time,x,y", np.zeros(40), POINTS))


def test_a_unit_may_be_given(tmp_path: Path) -> None:
    stroke = read_stroke(table(tmp_path, "time,x,y", TIMES, 1000.0 * POINTS), metres_per_unit=0.001)
    np.testing.assert_allclose(stroke.points, POINTS, atol=1e-6)


def test_a_stroke_without_any_doubt_stays_a_plain_one() -> None:
    stroke = recorded_stroke(POINTS, TIMES, None, None, "a")
    assert not isinstance(stroke, PenStroke)
