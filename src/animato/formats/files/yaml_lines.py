"""YAML as plain data that remembers its lines.

Every scalar stays the text that was written; what it means is decided where its type is known. So a
body may be called `on` or `007`, and `1e-5` is a number, which YAML 1.1 readers get wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from yaml import events

from animato.errors import FileFormatError
from animato.formats.files.units import shortened

MAX_DEPTH = 40
MAX_NODES = 300_000

PathInFile = tuple[str | int, ...]
Data = dict[str, "Data"] | list["Data"] | str | None


@dataclass(frozen=True)
class YamlDocument:
    """What a YAML file says, and on which line.

    Attributes:
        data: Mappings, lists and text; None for what is empty, `~` or `null`.
        lines: 1-based line of every key and list item, by its path.
    """

    data: Data
    lines: dict[PathInFile, int]


@dataclass
class _Node:
    """A mapping, list or scalar while it is read. Aliases share nodes; `plain` is text without quotes."""

    kind: str
    line: int
    text: str = ""
    plain: bool = False
    items: list[_Node] = field(default_factory=list)
    complete: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it is a way to write nothing."""
        return self.plain and self.text in ("", "~", "null", "Null", "NULL")


def parse_yaml(text: str, source: str | Path) -> YamlDocument:
    """Reads one YAML document.

    Anchors, aliases and `<<` merges work; tags do not. Depth and the number of nodes after all
    aliases are written out are bounded, so no file can exhaust the machine.

    Args:
        text: The document.
        source: Where it is from, for errors.

    Raises:
        FileFormatError: It is not YAML, a key stands twice, or it is nested or repeated beyond bounds.
    """
    root = _node_tree(text, source)
    if root is None or root.is_empty:
        raise FileFormatError(source, "the file is empty.")
    unfolding = _Unfolding(source)
    return YamlDocument(unfolding.plain(root, ()), unfolding.lines)


def _events(text: str, source: str | Path) -> Iterator[events.Event]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(part for part in (error.context, error.problem) if part) or "not YAML"
        if "\\t" in what or (mark is not None and _line(text, mark.line).lstrip(" ").startswith("\t")):
            what += ". Indent with spaces, not with tabs"
        raise FileFormatError(source, f"{what[:300]}.", mark.line + 1 if mark else None) from None
    except yaml.YAMLError as error:
        line = text.count("\n", 0, error.position) + 1 if isinstance(error, yaml.reader.ReaderError) else None
        raise FileFormatError(source, "it holds a character that is not allowed in YAML.", line) from None
    except (ValueError, OverflowError):
        # PyYAML's escape sequences go through chr(), which refuses numbers beyond Unicode.
        raise FileFormatError(source, "an escape sequence in quotes is not a character.") from None


def _line(text: str, number: int) -> str:
    lines = text.splitlines()
    return lines[number] if number < len(lines) else ""


def _node_tree(text: str, source: str | Path) -> _Node | None:
    """The nodes of the one document, built without recursion so that depth can be bounded."""
    root: _Node | None = None
    open_nodes: list[_Node] = []
    anchors: dict[str, _Node] = {}
    documents = count = 0
    for event in _events(text, source):
        line = event.start_mark.line + 1 if event.start_mark is not None else 1
        if isinstance(event, events.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise FileFormatError(source, "a second document starts here ('---'); a file holds one.", line)
            continue
        if isinstance(event, events.CollectionEndEvent):
            open_nodes.pop().complete = True
            continue
        if isinstance(event, events.AliasEvent):
            node = anchors.get(event.anchor or "")
            if node is None or not node.complete:
                why = "is not defined before" if node is None else "contains itself"
                raise FileFormatError(source, f"the alias '*{shortened(event.anchor or '')}' {why}.", line)
        elif isinstance(event, events.NodeEvent):
            node = _node_of(event, line, source)
            if event.anchor is not None:
                anchors[event.anchor] = node
        else:
            continue
        count += 1
        if count > MAX_NODES:
            raise FileFormatError(source, f"it holds more than {MAX_NODES} values. Is it the right file?", line)
        if open_nodes:
            open_nodes[-1].items.append(node)
        else:
            root = node
        if isinstance(event, events.CollectionStartEvent):
            open_nodes.append(node)
            if len(open_nodes) > MAX_DEPTH:
                raise FileFormatError(source, f"it is nested more than {MAX_DEPTH} levels deep.", line)
    return root


def _node_of(event: events.NodeEvent, line: int, source: str | Path) -> _Node:
    tag = getattr(event, "tag", None)
    if tag not in (None, "!"):
        raise FileFormatError(
            source, f"the tag '{shortened(str(tag))}' is not allowed; write the value without it.", line
        )
    if isinstance(event, events.ScalarEvent):
        return _Node("scalar", line, event.value, event.style not in ("'", '"', "|", ">"), complete=True)
    return _Node("mapping" if isinstance(event, events.MappingStartEvent) else "list", line)


class _Unfolding:
    """Turns nodes into data, counting what aliases and merges repeat."""

    def __init__(self, source: str | Path) -> None:
        self.source = source
        self.lines: dict[PathInFile, int] = {}
        self.count = 0

    def plain(self, node: _Node, path: PathInFile) -> Data:
        self._check_bounds(node, len(path))
        self.lines.setdefault(path, node.line)
        if node.kind == "scalar":
            return None if node.is_empty else node.text
        if node.kind == "list":
            return [self.plain(item, (*path, index)) for index, item in enumerate(node.items)]
        return self._mapping(node, path, 0)

    def _check_bounds(self, node: _Node, depth: int) -> None:
        self.count += 1
        if self.count > MAX_NODES:
            raise FileFormatError(self.source, f"its aliases repeat more than {MAX_NODES} values.", node.line)
        if depth > MAX_DEPTH:
            raise FileFormatError(self.source, f"it is nested more than {MAX_DEPTH} levels deep.", node.line)

    def _mapping(self, node: _Node, path: PathInFile, merge_depth: int) -> dict[str, Data]:
        self._check_bounds(node, merge_depth)
        data: dict[str, Data] = {}
        merged: list[_Node] = []
        for key, value in zip(node.items[::2], node.items[1::2], strict=True):
            if key.kind != "scalar":
                raise FileFormatError(self.source, "a key must be a word, not a list or mapping.", key.line)
            if key.text == "<<" and key.plain:
                merged += value.items if value.kind == "list" else [value]
                continue
            here = (*path, key.text)
            if key.text in data:
                raise FileFormatError(
                    self.source,
                    f"the key '{shortened(key.text)}' stands twice, first on line {self.lines[here]}.",
                    key.line,
                )
            self.lines.setdefault(here, key.line)
            data[key.text] = self.plain(value, here)
        for other in merged:
            if other.kind != "mapping":
                raise FileFormatError(self.source, "'<<' takes the alias of a mapping, or a list of them.", other.line)
            # What a mapping says itself counts before what is merged into it.
            data = {**self._mapping(other, path, merge_depth + 1), **data}
        return data
