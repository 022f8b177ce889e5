"""The check report for the terminal, as things that rich can print."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from animato.findings import (
    CheckResult,
    Finding,
    balance_sentence,
    checked_sentence,
    finding_sentence,
    percent,
    suggestions,
    verdict,
)
from animato.mechanics.limits import LIMIT_KINDS
from animato.report.kit import KIND_WORDS

OVER, NEAR, FITS, SOFT = "bold magenta", "yellow", "bold green", "dim"
LISTED_COUNT = 12


def check_text(result: CheckResult, *, table: bool = True) -> RenderableType:
    """The verdict, what is too much, what would help, and a table of all joints.

    Args:
        result: A check.
        table: Whether to add the table.
    """
    parts: list[RenderableType] = [_verdict(result)]
    if result.coverage is not None:
        parts.append(Padding(Text(checked_sentence(result)), (0, 0, 0, 2)))
    parts += _lines("Too much", too_much(result), "✕", OVER)
    parts += _lines("Close to a limit", close_calls(result), "!", NEAR)
    parts += _lines("What would help", list(suggestions(result)), "→", FITS)
    if table and result.worst:
        parts += [Text(), joint_table(result)]
    parts += _lines("Notes", list(result.notes), "·", SOFT)
    return Group(*parts)


def too_much(result: CheckResult) -> list[str]:
    """What does not fit, one sentence each, balance first."""
    balance = [balance_sentence(one) for one in (result.balance,) if one is not None and one.is_over]
    return balance + [finding_sentence(result, one) for one in result.findings]


def close_calls(result: CheckResult) -> list[str]:
    """What fits but only just, one sentence each, balance first."""
    balance = [balance_sentence(one) for one in (result.balance,) if one is not None and one.is_near]
    return balance + [finding_sentence(result, one) for one in result.near_misses]


def joint_table(result: CheckResult) -> Table:
    """One row a joint that has limits: the largest share of each."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("Joint", overflow="fold")
    for kind in LIMIT_KINDS:
        table.add_column(KIND_WORDS[kind], justify="right", no_wrap=True)
    for axis in result.usage.axes:
        worst = result.maxima[axis.name]
        if worst:
            over = any(finding.is_over for finding in worst.values())
            name = Text(result.labels[axis.name], style=OVER if over else "")
            table.add_row(name, *(_cell(worst.get(kind)) for kind in LIMIT_KINDS))
    return table


def _verdict(result: CheckResult) -> Text:
    mark, style = ("✓", FITS) if result.outcome.usable else ("✕", OVER)
    if not result.worst and result.balance is None:
        mark, style = "?", NEAR
    return Text.assemble((f"{mark} ", style), (verdict(result), "bold"))


def _lines(heading: str, sentences: list[str], mark: str, style: str) -> list[RenderableType]:
    """A heading and one line a sentence, as `Text` so that brackets in names are no markup."""
    if not sentences:
        return []
    shown = sentences[:LISTED_COUNT]
    lines = Table.grid(padding=(0, 1))
    for sentence in shown:
        lines.add_row(Text(mark, style=style), Text(sentence))
    if len(sentences) > len(shown):
        lines.add_row("", Text(f"and {len(sentences) - len(shown)} more", style=SOFT))
    return [Text(), Text(heading, style="bold"), Padding(lines, (0, 0, 0, 1))]


def _cell(finding: Finding | None) -> Text:
    if finding is None:
        return Text("-", style=SOFT)
    style = OVER if finding.is_over else NEAR if finding.is_near else ""
    mark = "✕ " if finding.is_over else "! " if finding.is_near else ""
    return Text(f"{mark}{percent(finding.share)}", style=style)
