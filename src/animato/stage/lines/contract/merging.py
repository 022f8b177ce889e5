"""The same sentence about several servos, said once."""

from __future__ import annotations

from collections.abc import Sequence


def merged(notes: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    """Sentences about servos: (1, "hot"), (2, "hot") and (5, "hot") become "Servos 1-2, 5: hot."."""
    ids: dict[str, list[int]] = {}
    for id, note in notes:
        ids.setdefault(note, []).append(id)
    return tuple(f"{'Servo' if len(who) == 1 else 'Servos'} {_spans(who)}: {note}." for note, who in ids.items())


def _spans(ids: Sequence[int]) -> str:
    spans: list[list[int]] = []
    for id in sorted(ids):
        if spans and id == spans[-1][-1] + 1:
            spans[-1].append(id)
        else:
            spans.append([id])
    return ", ".join(str(span[0]) if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans)
