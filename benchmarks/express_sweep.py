"""The whole evaluation sweep of Ribeiro and Paiva (2019), 302 million samples, in chunks, here or on a Dask cluster.

    python -m benchmarks.express_sweep FOLDER --skeletons CG --method animato --backend joblib

A folder that was left half done, even by a kill, is gone on with; `--most-chunks` does a part.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from animato.errors import AnimatoError
from animato.express.published.methods import METHODS
from animato.express.sweep.run import BACKENDS, SweepOptions, run_sweep
from animato.express.sweep.samples import build_sweep
from animato.express.sweep.solvers import sweep_solver
from animato.express.sweep.statistics import SweepStatistics
from benchmarks.__main__ import WIDTH
from benchmarks.express_samples import SKELETONS, chain_of

CHUNK = 50_000


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.express_sweep", description=__doc__)
    parser.add_argument("folder", type=Path, help="where finished chunks are kept, a folder for each skeleton")
    parser.add_argument("--skeletons", default=SKELETONS, help="letters of A to G")
    parser.add_argument("--method", choices=METHODS, default="animato")
    parser.add_argument("--backend", choices=BACKENDS, default="joblib")
    parser.add_argument("--workers", type=int, help="processes; all cores where not given")
    parser.add_argument("--scheduler", help="address of a Dask scheduler; a cluster on this machine where not given")
    parser.add_argument("--chunk", type=int, default=CHUNK, help="samples that a kill may lose")
    parser.add_argument("--most-chunks", type=int, help="of each skeleton in this run; all where not given")
    return parser.parse_args()


def main() -> None:
    """Runs what is missing and prints what there is."""
    options = parsed()
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    table = Table("skeleton", "samples", "of", "combined", "orientation", "posture", "iterations", "ms", "seconds here")
    for letter in options.skeletons:
        if letter not in SKELETONS:
            raise AnimatoError(f"There is no skeleton '{letter}'; there are {', '.join(SKELETONS)}.")
        sweep, begun = build_sweep(chain_of(letter)), time.perf_counter()
        with console.status(f"skeleton {letter}") as status:

            def told(finished: int, chunks: int, letter: str = letter) -> None:
                status.update(f"skeleton {letter}: {finished} of {chunks} chunks")

            found = run_sweep(
                sweep,
                sweep_solver(chain_of(letter), options.method),
                options.folder / letter,
                name=options.method,
                options=SweepOptions(chunk=options.chunk),
                backend=options.backend,
                workers=options.workers,
                scheduler=options.scheduler,
                most_chunks=options.most_chunks,
                progress=told,
            )
        table.add_row(letter, *cells(found, sweep.count), f"{time.perf_counter() - begun:.1f}")
    console.print(table)


def cells(found: SweepStatistics, samples: int) -> list[str]:
    """Figures of a skeleton; the posture error with its weight, as in the paper."""
    errors = (found["combined"].mean, found["orientation"].mean, 0.2 * found["posture"].mean)
    return [
        f"{found.count}",
        f"{samples}",
        *(f"{error:.6f}" for error in errors),
        f"{found['iterations'].mean:.2f}",
        f"{found['time_ms'].mean:.4f}",
    ]


if __name__ == "__main__":
    try:
        main()
    except AnimatoError as error:
        raise SystemExit(f"express_sweep: {error}") from None
