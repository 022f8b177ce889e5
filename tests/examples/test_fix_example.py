from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import animato as an

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_three_ways_to_make_pico_cheer(tmp_path: Path) -> None:
    made = example("fix_pico").main(tmp_path)
    assert all(one.outcome.usable for one in made.values())
    shape, both, time = (made[name] for name in ("shape", "both", "time"))
    assert shape.longer == 1.0 < both.longer < time.longer
    assert shape.deviation.mean_m > both.deviation.mean_m > time.deviation.mean_m
    assert shape.deviation.largest[0] < 0.03
    pico = an.load_character("pico")
    assert an.check(pico, an.load_clip(tmp_path / "cheer_shape.csv", pico)).outcome.usable
    assert (tmp_path / "cheer.html").stat().st_size < 1_000_000
