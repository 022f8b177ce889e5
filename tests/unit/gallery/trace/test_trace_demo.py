"""The demos of trace write their pages, pictures and clips, and what they show is so."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from animato.cli import run
from animato.errors import AnimatoError, UnknownNameError
from animato.gallery.trace import demo as trace_demo
from animato.gallery.trace.coupled import coupled_tables
from animato.gallery.trace.demo import TRACE_DEMOS, make_trace_demo, trend_measures
from animato.gallery.trace.figures import trace_figures
from animato.gallery.trace.page import Chart, Table, demo_page
from animato.gallery.trace.runs import hammer_run
from animato.outcome import Iteration
from animato.report.kit.markup import Markup

PICTURES = {
    "hello": ("paths", "speeds", "live"),
    "hammer": ("profiles", "trends"),
    "golf": ("profiles", "trends"),
    "planar": ("paths", "trends"),
    "paper": ("knots", "methods"),
}


@pytest.mark.parametrize("name", TRACE_DEMOS)
def test_a_demo_fills_its_folder(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        trace_demo, "coupled_tables", lambda **_: (Table("t", ("beta",), (("1",),)),)
    )  # has a test below
    # the iterative method takes a minute; what is drawn of it has a test of its own
    figures = partial(trace_figures, methods=1)
    monkeypatch.setattr(trace_demo, "trace_figures", figures)
    told: list[Iteration] = []
    sentences = make_trace_demo(name, tmp_path, progress=told.append)
    assert told and any(str(tmp_path / f"{name}.html") in one for one in sentences)
    for picture in PICTURES[name]:
        root = ElementTree.parse(tmp_path / f"{picture}.svg").getroot()
        assert root.tag.endswith("svg") and "NaN" not in (tmp_path / f"{picture}.svg").read_text()
    page = (tmp_path / f"{name}.html").read_text()
    assert "http" not in page.replace("http://www.w3.org", "").replace("http-equiv", "")
    assert name == "paper" or list(tmp_path.glob("*.npz"))


def test_coupling_path_and_timing_pays() -> None:
    (table,) = coupled_tables((0.1,), ("decoupled", "coupled"))
    apart, together = table.rows
    assert apart[:2] == ("0.1", "D") and together[:2] == ("0.1", "C")
    assert float(together[2]) < 0.8 * float(apart[2])
    assert float(together[6]) < float(apart[6])


def test_the_trends_of_the_hammer() -> None:
    measures = trend_measures(hammer_run())
    error, alike, duration = measures.values()
    assert np.all(np.diff(error) < 0.0)
    assert np.all(np.diff(alike) > 0.0)
    assert np.all(np.diff(duration) > 0.0)


def test_the_command_line_refuses_what_makes_no_sense(tmp_path: Path) -> None:
    with pytest.raises(AnimatoError, match="has no parts"):
        run(["demo", "house", "golf"])
    with pytest.raises(AnimatoError, match="golf"):
        run(["demo", "trace", "hello", "--capture", str(tmp_path / "a.bvh")])
    with pytest.raises(AnimatoError, match=r"\.bvh file"):
        make_trace_demo("golf", tmp_path, capture=tmp_path / "swing.csv")
    with pytest.raises(UnknownNameError, match="hammer"):
        make_trace_demo("hamer", tmp_path)


def test_a_page_escapes_what_it_is_given() -> None:
    page = demo_page(
        "a <b>", "c & d", [Chart("e", "", Markup("<svg></svg>"))], [Table("t", ("x", "y"), (("1", "<2"),))]
    )
    assert "a &lt;b&gt;" in page and "c &amp; d" in page and "&lt;2" in page and "<svg></svg>" in page


@pytest.mark.parametrize(
    ("rows", "words"), [("0,0,0\n", "single point"), ("0,0.1,0.1\n1,0.1,0.1\n", "the same place"), ("", "no numbers")]
)
def test_a_newcomers_dots_are_told_as_such(rows: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "dot.csv").write_text("time,x,y\n" + rows)
    with pytest.raises(AnimatoError, match=words):
        run(["trace", str(tmp_path / "dot.csv"), "--robot", "arm6", "--out", str(tmp_path / "dot.npz")])
    assert [one.name for one in tmp_path.iterdir()] == ["dot.csv"]
