from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from PIL import Image

import animato as an
from animato.gallery.house.demo import make_demo


def test_the_demo_tells_its_story(tmp_path: Path) -> None:
    stages: list[str] = []
    sentences = make_demo(tmp_path / "demo", progress=stages.append)
    assert "pico can do 'cheer' now" in sentences[0]
    assert any("cannot do 'hello'" in sentence for sentence in sentences)
    fixed = json.loads((tmp_path / "demo" / "fix.json").read_text(encoding="utf-8"))
    assert fixed["after"]["fits"] and not fixed["before"]["fits"]
    assert "every joint can do it" in (tmp_path / "demo" / "fix.html").read_text(encoding="utf-8")
    pico = an.load_character("pico")
    assert an.check(pico, an.load_clip(tmp_path / "demo" / "fixed.csv", pico)).outcome.usable
    page = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    assert "Left shoulder roll is asked for 143 % of its top speed at 2.30 s" in page
    result = json.loads((tmp_path / "demo" / "report.json").read_text(encoding="utf-8"))
    assert result["fits"] is False
    picture = np.asarray(Image.open(tmp_path / "demo" / "picture.png"))
    assert picture.shape == (800, 1200, 3)
    assert picture.std() > 20
    performed = (tmp_path / "demo" / "performed.html").read_text(encoding="utf-8")
    assert "ghost" in performed
    assert len(stages) >= 4
