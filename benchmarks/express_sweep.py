"""The whole evaluation sweep of Ribeiro and Paiva (2019), 302 million samples, or an even share of it, in chunks.

    python -m benchmarks.express_sweep FOLDER --methods animato erik --every 41 --passes 4
    python -m benchmarks.express_sweep FOLDER --methods dls100 dls200 dls400 dls100_nopost --skeletons C --every 211

Every pass of `--every 41` is another 41st of all postures with all targets; the default is the whole sweep. A folder
that was left half done, even by a kill, is gone on with. What is there is printed as the paper's Tables 8 and 9;
`python -m benchmarks.express_figures FOLDER` draws it.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Column, Table

from animato.batch.sweeping import BACKENDS, run_sweep, stored_sweep
from animato.errors import AnimatoError
from animato.express.options import Method
from animato.express.published.dls import DlsTuning
from animato.express.published.methods import DEFAULT_DLS
from animato.express.sweep.exclusion import THRESHOLD, WITHOUT_POSTURE, without_excluded
from animato.express.sweep.part import SweepOptions
from animato.express.sweep.samples import Sweep, build_sweep
from animato.express.sweep.solvers import sweep_solver
from animato.express.sweep.statistics import SweepStatistics
from animato.outcome import Iteration
from benchmarks.express_samples import SKELETONS, chain_of

CHUNK = 50_000
POSTURE_WEIGHT = 0.2


@dataclass(frozen=True)
class Variant:
    """A method as the paper's tables name it.

    Attributes:
        method: Of `sweep_solver`.
        dls: Options of the baseline.
        filtered: Whether the targets of the exclusion rule are left out.
    """

    method: Method
    dls: DlsTuning = DEFAULT_DLS
    filtered: bool = False


VARIANTS = {
    "animato": Variant("animato"),
    "erik": Variant("erik"),
    "dls100": Variant("dls", DlsTuning(iterations=100), filtered=True),
    "dls200": Variant("dls", DlsTuning(iterations=200), filtered=True),
    "dls400": Variant("dls", DlsTuning(iterations=400), filtered=True),
    "dls400_all": Variant("dls", DlsTuning(iterations=400)),
    "dls400_unstopped": Variant("dls", DlsTuning(iterations=400, threshold=-1.0), filtered=True),
    "dls400_printed": Variant("dls", DlsTuning(iterations=400, posture_gain=1.0), filtered=True),
    "dls100_nopost": Variant("dls", WITHOUT_POSTURE, filtered=True),
}


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.express_sweep", description=__doc__)
    parser.add_argument("folder", type=Path, help="where finished chunks are kept, as METHOD/SKELETON/START")
    parser.add_argument("--skeletons", default=SKELETONS, help="letters of A to G")
    parser.add_argument("--methods", nargs="*", choices=VARIANTS, default=["animato"], help="none: only print")
    parser.add_argument("--every", type=int, default=1, help="only each so many-th sample, an even share")
    parser.add_argument("--passes", type=int, default=1, help="how many such shares, one after the other")
    parser.add_argument("--backend", choices=BACKENDS, default="joblib")
    parser.add_argument("--workers", type=int, help="processes; all cores where not given")
    parser.add_argument("--scheduler", help="address of a Dask scheduler; a cluster on this machine where not given")
    parser.add_argument("--chunk", type=int, default=CHUNK, help="samples that a kill may lose")
    parser.add_argument("--most-chunks", type=int, help="of each share in this run; all where not given")
    options = parser.parse_args()
    unknown = set(options.skeletons) - set(SKELETONS)
    if unknown:
        parser.error(f"there is no skeleton {', '.join(sorted(unknown))}; there are {', '.join(SKELETONS)}")
    return options


def main() -> None:
    """Runs what is missing and prints what there is."""
    options = parsed()
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)  # tables for documents are not broken
    for part in range(options.passes):
        for name in options.methods:
            for letter in options.skeletons:
                run_part(options, console, name, letter, part * options.every // options.passes)
    console.print(counts_table(options.folder))
    console.print(errors_table(options.folder))


def run_part(options: argparse.Namespace, console: Console, name: str, letter: str, start: int) -> None:
    """One share of one skeleton by one method."""
    variant, sweep = VARIANTS[name], swept(name, letter)
    with console.status(f"{name}, skeleton {letter}") as status:

        def told(step: Iteration) -> None:
            status.update(f"{name}, skeleton {letter}, from {start}: {step.number} of {step.total} {step.stage}")

        run_sweep(
            sweep,
            sweep_solver(sweep.chain, variant.method, variant.dls),
            options.folder / name / letter / f"{start}",
            name=name,
            options=SweepOptions(start=start, every=options.every, chunk=options.chunk),
            backend=options.backend,
            workers=options.workers,
            scheduler=options.scheduler,
            most_chunks=options.most_chunks,
            progress=told,
        )


def swept(name: str, letter: str) -> Sweep:
    """All samples of a skeleton that a method is run on."""
    sweep = build_sweep(chain_of(letter))
    return without_excluded(sweep) if VARIANTS[name].filtered else sweep


def found_in(folder: Path) -> list[tuple[str, str, SweepStatistics]]:
    """Skeleton, method and statistics of all that a folder has, skeletons first."""
    every = [(letter, name, stored_sweep(folder / name / letter)) for letter in SKELETONS for name in VARIANTS]
    return [one for one in every if one[2].count]


def counts_table(folder: Path) -> Table:
    """The paper's Table 8. Times are means of blocks of 64 samples, so their extremes are those of blocks."""
    figures = ("min", "max", "mean", "SD")
    table = Table(
        "skeleton",
        "method",
        *(Column(name, justify="right") for name in ("samples", "share")),
        *(Column(f"iter. {one}", justify="right") for one in figures),
        *(Column(f"ms {one}", justify="right") for one in figures),
        title="Table 8",
        box=MARKDOWN,
    )
    for letter, name, found in found_in(folder):
        iterations, time = found["iterations"], found["time_ms"]
        share = found.count / swept(name, letter).count
        table.add_row(
            letter,
            name,
            f"{found.count}",
            f"{100.0 * share:.3g} %",
            f"{iterations.least:.0f}",
            f"{iterations.most:.0f}",
            f"{iterations.mean:.2f}",
            f"{iterations.deviation:.2f}",
            *(f"{value:.3f}" for value in (time.least, time.most, time.mean, time.deviation)),
        )
    return table


def errors_table(folder: Path) -> Table:
    """The paper's Table 9 for all skeletons, and the share within the threshold; posture errors weigh 0.2."""
    heads = [f"{kind} {figure}" for kind in ("combined", "orientation", "posture") for figure in ("mean", "SD", "max")]
    columns = (Column(one, justify="right") for one in (*heads, "within .04"))
    table = Table("skeleton", "method", *columns, title="Table 9", box=MARKDOWN)
    for letter, name, found in found_in(folder):
        cells = []
        for kind, weight in (("combined", 1.0), ("orientation", 1.0), ("posture", POSTURE_WEIGHT)):
            one = found[kind]
            cells += [f"{weight * value:.5f}" for value in (one.mean, one.deviation, one.most)]
        table.add_row(letter, name, *cells, f"{100.0 * found.share_within('combined', THRESHOLD):.2f} %")
    return table


if __name__ == "__main__":
    try:
        main()
    except AnimatoError as error:
        raise SystemExit(f"express_sweep: {error}") from None
