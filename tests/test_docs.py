"""Every code block of the docs and the README runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md"])
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [code for kind, code in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_blocks_run_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number, text in enumerate(code for code in blocks(page, "yaml") if code.startswith("animato:")):
        (tmp_path / f"character{number}.yaml").write_text(text, encoding="utf-8")
    scope: dict[str, object] = {"__name__": page.stem}
    for code in blocks(page, "python"):
        exec(compile(code, str(page), "exec"), scope)
    assert scope["__name__"] == page.stem


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_character_blocks_load(page: Path, tmp_path: Path) -> None:
    from animato.formats.character_files import load_character

    for code in (code for code in blocks(page, "yaml") if code.startswith("animato:")):
        file = tmp_path / "character.yaml"
        file.write_text(code, encoding="utf-8")
        assert load_character(str(file)).bodies


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_shell_blocks_name_real_commands(page: Path) -> None:
    from animato.cli import COMMANDS

    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for line in (line for code in blocks(page, "sh") for line in code.splitlines() if line.strip()):
        program, *words = line.split("#")[0].split()
        if program == "animato":
            assert words[0].startswith("-") or words[0] in COMMANDS, line
        elif program == "make":
            assert words[0] in targets, line
        else:
            assert program in ("pip", "python", "git", "cd"), line
