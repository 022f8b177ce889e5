"""The course of a design on the terminal: one line an iteration."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from animato.design.solve import Iteration

_HEADS = ("iteration", "objective", "targets", "largest row", "step", "seconds")
_SHOWN = 12  # rows of a table that grows in place


class DesignProgress:
    """Told of every iteration. A table that grows in place on a terminal, plain lines anywhere else."""

    def __init__(self, console: Console) -> None:
        """Args: console: Where to."""
        self.console = console
        self.rows: list[tuple[str, ...]] = []
        self._live: Any = None

    def __enter__(self) -> DesignProgress:
        if self.console.is_terminal:
            from rich.live import Live

            self._live = Live(self._table(), console=self.console, refresh_per_second=10)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, iteration: Iteration) -> None:
        """Shows an iteration."""
        row = (
            str(iteration.number),
            f"{iteration.objective:.6g}",
            f"{iteration.tracking:.6g}",
            f"{iteration.violation:.1e}",
            f"{iteration.step:.3g}",
            f"{iteration.seconds:.2f}",
        )
        if self._live is not None:
            self.rows.append(row)
            self._live.update(self._table())
            return
        if not self.rows:
            self.console.print(_aligned(_HEADS), markup=False, soft_wrap=True)
        self.rows.append(row)
        self.console.print(_aligned(row), markup=False, soft_wrap=True)

    def _table(self) -> Any:
        from rich.table import Table

        table = Table(*_HEADS, title="placing the joints", box=None, title_justify="left")
        for column in table.columns:
            column.justify = "right"
        for row in self.rows[-_SHOWN:]:
            table.add_row(*row)
        return table


def _aligned(cells: tuple[str, ...]) -> str:
    return "  ".join(cell.rjust(max(len(head), 11)) for cell, head in zip(cells, _HEADS, strict=True))
