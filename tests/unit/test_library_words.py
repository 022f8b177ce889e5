from __future__ import annotations

import re
from pathlib import Path

import animato

PACKAGE = Path(animato.__file__).parent
ABOVE = ("cli", "report", "gallery")  # they speak to people at a terminal or with a page


def test_the_library_names_parameters_and_leaves_flags_to_the_command_line() -> None:
    """`duration_s` in backticks; the command line makes --duration-s of it."""
    for file in sorted(PACKAGE.rglob("*.py")):
        if file.relative_to(PACKAGE).parts[0] in ABOVE or file.parent.name == "emulated":  # a program of its own
            continue
        text = re.sub(r'""".*?"""', "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.search(r"(?<![\w-])--[a-z][a-z-]+(?![\w-])", text), file  # with _ it is another program's


def test_options_are_written_out() -> None:
    """An editor completes what it can see."""
    for file in sorted(PACKAGE.rglob("*.py")):
        assert not re.search(r"\*\*\w+: Any\b", file.read_text(encoding="utf-8")), file
