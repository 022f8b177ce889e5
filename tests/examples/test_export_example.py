from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_lamp_goes_out_three_ways(tmp_path: Path) -> None:
    made = example("export_clip").main(tmp_path)
    hashes = {json.loads((tmp_path / one / "about.json").read_text())["motion_sha256"] for one in ("look_bag", "look")}
    assert len(hashes) == 1
    assert made["arduino"].files[0] == tmp_path / "look" / "look.ino"
    assert "const uint8_t CLIP_SERVOS = 5;" in (tmp_path / "look" / "clip.h").read_text()
