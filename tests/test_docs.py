"""Every code block of the docs and the README runs."""

from __future__ import annotations

import functools
import re
import shlex
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from markdown import markdown

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


@pytest.mark.parametrize("file", [*PAGES, *sorted((ROOT / "examples").glob("*.py"))], ids=lambda file: file.stem)
def test_it_imports_animato_once(file: Path) -> None:
    code = file.read_text(encoding="utf-8") if file.suffix == ".py" else "\n".join(blocks(file, "python"))
    lines = re.findall(r"^ *(?:from|import) +animato\b.*$", code, re.MULTILINE)
    assert lines in ([], ["import animato as an"])


def test_the_readme_is_short_and_its_first_command_works_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from animato.cli import run

    (code,) = blocks(ROOT / "README.md", "python")
    assert len(code.strip().splitlines()) <= 6
    line = next(one for one in "".join(blocks(ROOT / "README.md", "sh")).splitlines() if "animato " in one)
    program, *words = line.split("#")[0].split()
    assert program == ".venv/bin/animato"  # where `make demo` puts it
    assert ["animato", *words] == shlex.split(FIRST)  # and no other test runs it
    monkeypatch.chdir(tmp_path)
    assert run(words) == 0  # pico can do it now
    assert (tmp_path / "fixed.csv").exists() and (tmp_path / "fixed.html").exists()


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
        if program.removeprefix(".venv/bin/") == "animato":
            assert words[0].startswith("-") or words[0] in COMMANDS, line
        elif program == "make":
            assert words[0] in targets, line
        else:
            assert program in ("pip", "python", "git", "cd"), line


def shell_lines(page: Path) -> list[str]:
    """Lines of a page that call animato, without their comments and without where it is installed."""
    every = (line.split("  #")[0].strip() for code in blocks(page, "sh") for line in code.splitlines())
    return [line.removeprefix(".venv/bin/") for line in every if line.removeprefix(".venv/bin/").startswith("animato ")]


LINES = [(page.stem, line) for page in PAGES for line in shell_lines(page)]
NOT_RUN = {
    r" demo |^animato view .*--out|^animato simulate|^animato steady|^animato mimic|^animato design": "takes too long",
    r"--udp|--targets -|--live|^animato studio": "runs until it is stopped",
    r"^animato play|^animato show|^animato servos|--to servos": "moves servos",
    r"63_01\.bvh|robot\.urdf|swing\.c3d|^animato batch": "needs a file of somebody else",
}
"""Lines that are parsed and not run, by what is in them; their verbs run in tests of their own."""


def reason_not_to_run(line: str) -> str | None:
    return next((reason for pattern, reason in NOT_RUN.items() if re.search(pattern, line)), None)


@pytest.mark.parametrize(("page", "line"), LINES)
def test_shell_lines_are_understood(page: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every flag exists and every value is one: the line gets as far as the command, which is not run here."""
    from animato import cli

    reached = []
    for name, command in cli.COMMANDS.items():

        @functools.wraps(command)
        def stand_in(*_given: object, _name: str = name, **_options: object) -> int:
            reached.append(_name)
            return 0

        monkeypatch.setitem(cli.COMMANDS, name, stand_in)
    words = shlex.split(line)[1:]
    try:
        cli.run(words)
    except SystemExit as end:
        assert words[-1] == "--help" and end.code == 0, line
    else:
        assert reached == [words[0]] or words == ["--version"], line


def make_files(folder: Path) -> None:
    """What lines of the docs name and a reader has at hand."""
    (folder / "signature.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200"><path d="M0 0C100 100 200-100 400 100"/>'
        '<circle cx="100" cy="150" r="40" transform="rotate(5)"/></svg>',
        encoding="utf-8",
    )
    (folder / "moth.txt").write_text("".join(f"1 {0.01 * n} 0.4\n" for n in range(10)), encoding="utf-8")


FIRST = shell_lines(ROOT / "README.md")[0]
"""What a newcomer types first; it has a test of its own."""
RUN = {line: page for page, line in reversed(LINES) if line != FIRST and reason_not_to_run(line) is None}
"""The other lines that are run, once each however many pages say them, with the first page that does."""


@pytest.mark.parametrize(("page", "line"), [(page, line) for line, page in reversed(RUN.items())])
def test_shell_lines_run(page: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from animato.cli import run

    make_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    try:
        status = run(shlex.split(line)[1:])
    except SystemExit as end:  # help and version
        status = int(end.code or 0)
    assert status in (0, 1), line  # done, or the robot cannot do it


def hook(name: str) -> ModuleType:
    """A file of docs/hooks, which is no package."""
    spec = spec_from_file_location(name, ROOT / "docs" / "hooks" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page_html(text: str) -> str:
    """HTML of a page as MkDocs makes it, formulas typeset."""
    extensions = ["tables", "pymdownx.superfences", "pymdownx.arithmatex"]
    options = {"pymdownx.arithmatex": {"generic": True, "preview": False}}
    html: str = hook("mathml").with_mathml(markdown(text, extensions=extensions, extension_configs=options), "page.md")
    return html


def test_formulas_become_mathml() -> None:
    html = page_html("With $q_1^\\top$, so\n\n$$\n\\begin{aligned} a &= b \\\\ c &< d \\end{aligned}\n$$\n\nthe end.\n")
    assert "<msubsup><mi>q</mi><mn>1</mn><mi>\u22a4</mi></msubsup></math>,</span>" in html  # the comma stays with it
    assert html.count("<mtr>") == 2 and 'display="block"' in html and "<mo>&lt;</mo>" in html
    assert "$" not in html and "arithmatex" not in html


def test_primes_are_not_raised_twice() -> None:
    assert '<mrow><mi>p</mi><mo lspace="0" rspace="0">\u2032</mo></mrow>' in page_html("$p'$")
    assert '<msup><mrow><mi>s</mi><mo lspace="0" rspace="0">\u2032</mo></mrow><mn>2</mn></msup>' in page_html("$s'^2$")
    assert '<mrow><msub><mi>f</mi><mi>k</mi></msub><mo lspace="0" rspace="0">\u2033</mo></mrow>' in page_html("$f_k''$")


def test_dollars_in_code_stay() -> None:
    html = page_html("```sh\necho $HOME $PATH\n```\n\nand `$x$`")
    assert "<math" not in html and "$x$" in html


@pytest.mark.parametrize("tex", [r"\no_such_command x", r"\frac{1}{2", r"\begin{bmatrix} a"])
def test_a_formula_that_is_wrong_is_a_warning(tex: str, caplog: pytest.LogCaptureFixture) -> None:
    assert "<math" not in page_html(f"$$\n{tex}\n$$\n")
    assert [record.levelname for record in caplog.records] == ["WARNING"] and tex in caplog.text


def test_brackets_of_docstrings_are_no_links() -> None:
    assert hook("brackets").literal("places [frame, 3] [m], as `a[0][m]`") == r"places \[frame, 3] \[m], as `a[0][m]`"


def test_the_architecture_page_names_every_room() -> None:
    tree = next(code for code in blocks(ROOT / "docs" / "architecture.md", "text") if code.startswith("src/animato/"))
    named = set(re.findall(r"([a-z_]+)/", tree))
    rooms = {file.parent.name for file in (ROOT / "src" / "animato").rglob("__init__.py")}
    assert rooms - named == set(), "rooms that the page does not name"
    assert named - rooms == {"src"}, "rooms that are not there"
