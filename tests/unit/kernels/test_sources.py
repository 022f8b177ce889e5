from __future__ import annotations

import os
from pathlib import Path

import pytest

import animato
from animato.kernels.cache import source_tree
from animato.kernels.sources import SourceTree

FILES = {
    "__init__.py": "",
    "compiled.py": "import numba\n",
    "signs.py": "SIGN = 1.0\n",
    "turned.py": "from toy.signs import SIGN\n",
    "deep/__init__.py": "from toy.deep.inner import value\n",
    "deep/inner.py": "value = 2\n",
    "deep/other.py": "other = 3\n",
    "lazy/__init__.py": "def __getattr__(name): ...\n",
    "lazy/hidden.py": "hidden = 1\n",
    "apart.py": "",
}
"""A package: one module that teaches numba, a constant, and packages that hand names on."""


def toy(folder: Path, using: str) -> SourceTree:
    """The package with one more module, `kernel.py`, that says what is given."""
    for name, text in {**FILES, "kernel.py": using, "deep/near.py": using}.items():
        path = folder / "toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return SourceTree.read(folder / "toy")


@pytest.mark.parametrize(
    ("using", "wanted"),
    [
        ("from toy.turned import SIGN\n", {"toy.turned", "toy.signs"}),
        ("from toy.turned import (\n    SIGN,  # why\n)\n", {"toy.turned", "toy.signs"}),
        ("from toy.turned \\\n    import SIGN\n", {"toy.turned", "toy.signs"}),
        ("def f():\n    from toy.signs import SIGN\n", {"toy.signs"}),
        ("x = 1; from toy.signs import SIGN\n", {"toy.signs"}),
        ("from toy import signs\n", {"toy", "toy.signs"}),
        ("from toy.deep import value\n", {"toy.deep", "toy.deep.inner"}),
        ("from toy.deep import inner as i, other\n", {"toy.deep", "toy.deep.inner", "toy.deep.other"}),
        ("from toy.deep import *\n", {"toy.deep", "toy.deep.inner", "toy.deep.other", "toy.deep.near"}),
        ("from toy.deep import (\n    value,  # :)\n    other)\n", {"toy.deep.other"}),
        ("import toy.deep.other as o\n", {"toy.deep.other"}),
        ("import toy.deep\n", {"toy.deep", "toy.deep.inner", "toy.deep.other"}),
        ("from toy.lazy import hidden_name\n", {"toy.lazy", "toy.lazy.hidden"}),
        ("import_module('toy.signs')\n", {"toy.signs"}),
        ("import toy as t\n", {"toy.apart", "toy.lazy.hidden"}),
        ("import_module(name)\n", {"toy.apart", "toy.lazy.hidden"}),
    ],
)
def test_whatever_a_module_may_use_counts(using: str, wanted: set[str], tmp_path: Path) -> None:
    closure = set(toy(tmp_path, using).closure("toy.kernel"))
    assert closure >= wanted | {"toy.kernel", "toy.compiled"}


@pytest.mark.parametrize("using", ["from .other import other\n", "from . import other\n", "from .. import deep\n"])
def test_relative_imports_count_too(using: str, tmp_path: Path) -> None:
    assert "toy.deep.other" in toy(tmp_path, using).closure("toy.deep.near")


def test_what_a_module_does_not_use_does_not_count(tmp_path: Path) -> None:
    closure = toy(tmp_path, "from toy.turned import SIGN\n").closure("toy.kernel")
    assert closure == ("toy.compiled", "toy.kernel", "toy.signs", "toy.turned")


def test_the_digest_follows_the_text_of_all_that_counts_and_of_nothing_else(tmp_path: Path) -> None:
    using = "from toy.turned import SIGN\n"
    before = toy(tmp_path, using).digest("toy.kernel")
    assert toy(tmp_path, using).digest("toy.kernel") == before
    (tmp_path / "toy" / "apart.py").write_text("changed = True\n")
    assert SourceTree.read(tmp_path / "toy").digest("toy.kernel") == before
    (tmp_path / "toy" / "signs.py").write_text("SIGN = -1.\n")
    assert SourceTree.read(tmp_path / "toy").digest("toy.kernel") != before


def test_a_file_that_changed_since_it_was_read_is_noticed(tmp_path: Path) -> None:
    tree = toy(tmp_path, "from toy.turned import SIGN\n")
    assert tree.unchanged("toy.kernel")
    os.utime(tmp_path / "toy" / "apart.py", (1, 1))
    assert tree.unchanged("toy.kernel")
    os.utime(tmp_path / "toy" / "signs.py", (1, 1))
    assert not tree.unchanged("toy.kernel")
    (tmp_path / "toy" / "signs.py").unlink()
    assert not tree.unchanged("toy.kernel")


def test_sources_that_are_not_plain_files_make_an_empty_tree(tmp_path: Path) -> None:
    (tmp_path / "package.zip").write_bytes(b"")
    assert SourceTree.read(tmp_path / "package.zip" / "toy").files == {}


def test_a_source_that_cannot_be_read_counts_as_changed(tmp_path: Path) -> None:
    toy(tmp_path, "from toy.gone import SIGN\n")
    (tmp_path / "toy" / "gone.py").symlink_to(tmp_path / "nowhere.py")
    tree = SourceTree.read(tmp_path / "toy")
    assert "toy.gone" in tree.closure("toy.kernel")
    assert not tree.unchanged("toy.kernel")


def test_the_lanes_count_for_kernels_that_never_name_them() -> None:
    tree = source_tree()
    lanes = next(name for name in tree.files if name.endswith(".lanes"))
    silent = [name for name, file in tree.files.items() if lanes not in file.modules]
    assert silent
    assert all(lanes in tree.closure(name) for name in silent)


@pytest.mark.parametrize("module", ["mechanics.tree.rnea_kernel", "express.facing.kernel", "view.raster.shading"])
def test_an_edit_of_a_page_or_a_command_compiles_nothing_anew(module: str) -> None:
    """The front door and its lazy names do not tie kernels to all that can be reached through them."""
    tree = SourceTree.read(Path(animato.__file__).parent)
    closure = tree.closure(f"animato.{module}")
    assert "animato.kernels.lanes" in closure and len(closure) > 20
    assert not [name for name in closure if name.split(".")[1] in ("report", "cli", "gallery", "formats", "design")]
