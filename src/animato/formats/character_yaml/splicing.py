"""Entries of one section of a YAML file changed in its text: what else stands there stays byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from animato.errors import AnimatoError
from animato.formats.files import Value, yaml_text


class SpliceError(AnimatoError):
    """The text is written in a way in which single entries cannot be changed."""


@dataclass(frozen=True)
class _Entry:
    """Where a key and its value stand in the text, from its first letter to behind its last."""

    name: str
    start: int
    found_end: int
    column: int
    value: yaml.Node

    @property
    def end(self) -> int:
        """Behind its last letter."""
        if self.found_end < self.start:  # the value stands where its anchor is
            raise SpliceError(f"An alias stands at '{self.name}', which cannot be changed alone; write it out.")
        return self.found_end


def with_entries(text: str, section: str, changes: Mapping[str, Mapping[str, Value] | None]) -> str:
    """The text with some entries of a top-level section written anew.

    Comments, order and spelling of all others are kept. An entry that is not there yet goes behind the last one, a
    section that is not there behind everything.

    Args:
        text: A YAML document whose whole is a mapping.
        section: Its key.
        changes: What is to stand under each name of the section; None takes it out.

    Raises:
        SpliceError: The document or the section is written in braces or with an alias, as JSON is for instance.
    """
    if not changes:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise SpliceError("The file is written in braces, so that no section of it can be changed alone.")
    found = [one for one in _entries(root) if one.name == section]
    if not found:
        written: dict[str, Value] = {name: dict(entry) for name, entry in changes.items() if entry is not None}
        lines = _lines({section: written}, 0, root.start_mark.column) if written else []
        gap = "" if not lines or text.endswith("\n") else newline
        return text + gap + "".join(line + newline for line in lines)
    value = found[0].value
    if not isinstance(value, yaml.MappingNode) or value.flow_style:
        if isinstance(value, yaml.MappingNode) and value.value:
            raise SpliceError(
                f"The section '{section}' is written in braces; write one entry a line, or take the section out."
            )
        written = {name: dict(entry) for name, entry in changes.items() if entry is not None}
        lines = _lines({section: written}, 0, found[0].column) if written else []
        return text[: found[0].start] + newline.join(lines).lstrip() + text[found[0].end :]
    return _changed(text, _entries(value), changes, newline)


def _changed(text: str, entries: list[_Entry], changes: Mapping[str, Mapping[str, Value] | None], newline: str) -> str:
    """The text with the entries of a block changed, from the last to the first so that places stay right."""
    known = {entry.name for entry in entries}
    new = {name: entry for name, entry in changes.items() if name not in known and entry is not None}
    last = entries[-1]
    end = _line_end(text, last.end)
    lines = [line for name, entry in new.items() for line in _lines({name: dict(entry)}, 2, last.column)]
    if lines:
        gap = "" if text[:end].endswith("\n") else newline
        text = text[:end] + gap + "".join(line + newline for line in lines) + text[end:]
    for entry in reversed(entries):
        if entry.name not in changes:
            continue
        wanted = changes[entry.name]
        if wanted is None:
            if len(entries) == 1 and not new:
                raise SpliceError("The last entry of a section cannot be taken out alone; take out the section.")
            text = text[: entry.start - entry.column] + text[_line_end(text, entry.end) :]
        else:
            lines = _lines({entry.name: dict(wanted)}, 2, entry.column)
            text = text[: entry.start] + newline.join(lines).lstrip() + text[entry.end :]
    return text


def _entries(node: yaml.MappingNode) -> list[_Entry]:
    return [
        _Entry(str(key.value), key.start_mark.index, _end(value), key.start_mark.column, value)
        for key, value in node.value
    ]


def _end(node: yaml.Node) -> int:
    """Behind the last letter of a value: a block's own end is where the next key begins, behind comments."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return max(_end(value) for _, value in node.value)
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return max(_end(value) for value in node.value)
    return int(node.end_mark.index)


def _line_end(text: str, index: int) -> int:
    """Behind the line break of the line in which a place is."""
    at = text.find("\n", index)
    return len(text) if at < 0 else at + 1


def _lines(value: dict[str, Value], indent: int, column: int) -> list[str]:
    """A mapping as lines, moved to a column; what is deeper than the top is short where it fits."""
    nested: dict[str, Value] = {"_": value} if indent else value
    lines = yaml_text(nested).splitlines()[1 if indent else 0 :]
    return [" " * column + line[indent:] for line in lines]
