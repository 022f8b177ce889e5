"""Each test runs its own processes on a copy of the package: what is kept must hold for the sources as they are."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import animato
from animato.kernels.compiled import kernel
from animato.motion.transfer import axis_errors
from animato.spatial import quaternions

PACKAGE = Path(animato.__file__).resolve().parent
COMPILED = "compiling kernels"
NOT_KEPT = "are not kept"

ERROR_OF_A_TURN = f"""
import numpy as np
from {axis_errors.__name__} import error_and_slopes
error = np.empty(4)
target = np.array([np.cos(0.3), np.sin(0.3), 0.0, 0.0])
error_and_slopes(np.eye(3)[:1], np.array([0.2]), target, error, np.empty((1, 3)))
print(error[1])
"""
"""A kernel of one module that calls helpers of another: from a turn of 0.2 about x to one of 0.6."""
TOY = "import numpy as np; from animato.toy import turned; print(turned(np.array([1.0, 2.0])))"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of animato with a small kernel of its own, and its helper and constant in other files."""
    copy = tmp_path / "site" / "animato"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "library"))
    decorator = f"from {kernel.__module__} import kernel\n"
    (copy / "toy_scale.py").write_text("SCALE = 3.0\n")
    (copy / "toy_sign.py").write_text(f"{decorator}@kernel\ndef signed(x):\n    return +x\n")
    (copy / "toy.py").write_text(
        f"{decorator}from animato.toy_scale import SCALE\nfrom animato.toy_sign import signed\n"
        "@kernel\ndef turned(x):\n    return SCALE * signed(x[0] + x[1])\n"
    )
    return copy


def started(package: Path, program: str, cache: Path | str | None, **environment: str) -> subprocess.Popen[str]:
    """A process that runs a program with a copy of the package."""
    names = ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "ANIMATO_CACHE_DIR", "LOCALAPPDATA")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    # Python's own bytecode looks at whole seconds; a test is quicker than that.
    kept |= {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    if cache is not None:
        kept["ANIMATO_CACHE_DIR"] = str(cache)
    return subprocess.Popen(
        [sys.executable, "-c", program], env=kept, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def ended(process: subprocess.Popen[str]) -> tuple[float, str]:
    """The number that a program printed, and what it said on the way."""
    out, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    return float(out), said


def run(package: Path, program: str, cache: Path | str | None, **environment: str) -> tuple[float, str]:
    return ended(started(package, program, cache, **environment))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_a_sign_changed_in_a_helper_changes_the_answer(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    answer, said = run(package, ERROR_OF_A_TURN, cache)
    assert np.isclose(answer, np.sin(0.2), rtol=0.0, atol=1e-12)
    assert COMPILED in said
    again, said = run(package, ERROR_OF_A_TURN, cache)
    assert again == answer
    assert said == ""
    helpers = package / Path(quaternions.__file__).resolve().relative_to(PACKAGE)
    change(helpers, "out[1] = a[0] * b[1] + a[1] * b[0]", "out[1] = a[0] * b[1] - a[1] * b[0]")
    wrong, said = run(package, ERROR_OF_A_TURN, cache)
    assert not np.isclose(wrong, answer, rtol=0.0, atol=1e-3)
    assert COMPILED in said


def test_only_what_an_edit_can_reach_is_compiled_again(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(package, TOY, cache)[0] == 9.0
    change(package / "toy_scale.py", "3.0", "4.0")
    answer, said = run(package, TOY, cache)
    assert (answer, COMPILED in said) == (12.0, True)
    change(package / "toy_scale.py", "4.0", "3.0")
    assert run(package, TOY, cache) == (9.0, "")  # the old key still holds
    (package / "errors.py").write_text((package / "errors.py").read_text() + "# another remark\n")
    assert run(package, TOY, cache) == (9.0, "")


def test_a_value_put_into_a_module_by_hand_is_not_kept_for_others(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    by_hand = f"import animato.toy; animato.toy.SCALE = 10.0; {TOY}"
    assert run(package, by_hand, cache)[0] == 30.0
    assert run(package, TOY, cache)[0] == 9.0
    assert run(package, by_hand, cache)[0] == 30.0


def test_a_file_edited_while_a_process_runs_keeps_nothing_wrong(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    scale = package / "toy_scale.py"
    edited = f"import animato.toy, pathlib; pathlib.Path({str(scale)!r}).write_text('SCALE = 5.0'); {TOY}"
    assert run(package, edited, cache)[0] == 9.0  # what it had imported
    assert run(package, TOY, cache)[0] == 15.0


def test_two_processes_with_an_empty_cache_at_once(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    both = [started(package, ERROR_OF_A_TURN, cache) for _ in range(2)]
    assert [ended(one)[0] for one in both] == pytest.approx([np.sin(0.2)] * 2, abs=1e-12)
    assert run(package, ERROR_OF_A_TURN, cache)[1] == ""
    assert not list(cache.rglob("*.part"))


def test_a_file_that_was_cut_short_is_compiled_again(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    run(package, TOY, cache)
    for path, cut in zip(sorted(cache.rglob("*.nbc")), (20, -1), strict=True):
        path.write_bytes(path.read_bytes()[:cut])
    answer, said = run(package, TOY, cache)
    assert (answer, COMPILED in said) == (9.0, True)
    assert run(package, TOY, cache) == (9.0, "")


def test_a_place_that_cannot_be_written_means_uncached(package: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    answer, said = run(package, TOY, tmp_path / "file" / "cache")
    assert answer == 9.0
    assert said.count(NOT_KEPT) == 1
    assert len(said.splitlines()) == 2  # that it compiles, and that it will again


def test_a_read_only_package_without_a_home(package: Path, tmp_path: Path) -> None:
    for folder in [package, *(one for one in package.rglob("*") if one.is_dir())]:
        (folder / "__pycache__").write_text("no folder can be made here, whoever asks")
    answer, said = run(package, TOY, None, HOME="")
    assert answer == 9.0
    assert said.count(NOT_KEPT) == 1


def test_the_home_is_where_it_is_kept_and_the_package_stays_as_it_was(package: Path, tmp_path: Path) -> None:
    before = sorted(package.rglob("*"))
    run(package, TOY, None, HOME=str(tmp_path / "home"), XDG_CACHE_HOME=str(tmp_path / "home" / "kept"))
    assert list((tmp_path / "home" / "kept" / "animato" / "kernels" / "animato.toy").glob("*/turned-*.nbc"))
    assert sorted(package.rglob("*")) == before


def test_keys_of_old_sources_are_thrown_away(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    module = cache / "kernels" / "animato.toy"
    for number in range(20):
        (module / f"{number:032x}").mkdir(parents=True)
        os.utime(module / f"{number:032x}", (number, number))
    run(package, TOY, cache)
    assert len(list(module.iterdir())) < 20
    assert run(package, TOY, cache) == (9.0, "")
