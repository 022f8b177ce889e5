"""Compiles ahead of time what a first command would wait for.

Kernels are compiled when they are first called, for the types that they are called with. So everything that the
commands do is done once on small problems. There are two processes, each with a list of its own: what shares kernels
stands in the same list, in the order in which later steps need what earlier ones compiled.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread

from animato.errors import AnimatoError
from animato.kernels.cache import uncached
from animato.outcome import Iteration, Progress

Step = Callable[[Path], object]
"""Something small to do, with a folder for what it writes."""


def warm(progress: Progress | None = None) -> float:
    """Compiles all kernels that the commands use, and keeps them where `animato.kernels.cache_folder` says.

    Args:
        progress: Told of every step before it begins and after it is done.

    Returns:
        Seconds that it took [s].

    Raises:
        AnimatoError: A step failed, or there is no place where compiled kernels can be kept.
    """
    began = time.perf_counter()
    told: SimpleQueue[tuple[str, str]] = SimpleQueue()
    listeners = [Thread(target=_listen, args=(name, told), daemon=True) for name in LISTS]
    for listener in listeners:
        listener.start()
    done, total, ended = 0, sum(len(steps) for steps in LISTS.values()), 0
    failures = []
    while ended < len(LISTS):
        event, words = told.get()
        done += event == "done"
        ended += event == "end"
        if event == "failed":
            failures.append(words)
        elif progress is not None and words:
            progress(Iteration(stage=words, number=done, total=total, seconds=time.perf_counter() - began))
    if failures:
        raise AnimatoError(f"Not everything could be compiled ahead of time: {' '.join(failures)}")
    return time.perf_counter() - began


def _listen(name: str, told: SimpleQueue[tuple[str, str]]) -> None:
    """Runs one of the lists in a process of its own and hands on what it says."""
    with subprocess.Popen(_command(name), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        errors: list[str] = []
        reader = Thread(target=lambda: errors.extend(process.stderr or ()), daemon=True)
        reader.start()
        for line in process.stdout or ():
            event, _, words = line.rstrip("\n").partition("\t")
            told.put((event, words))
        reader.join()
    if process.returncode != 0:
        told.put(("failed", errors[-1].strip() if errors else f"The process of '{name}' ended by itself."))
    told.put(("end", ""))


def _command(name: str) -> list[str]:
    """What runs a list in another process."""
    return [sys.executable, "-c", f"from {run_list.__module__} import run_list; run_list({name!r})"]


def run_list(name: str) -> None:
    """Does the steps of a list one after the other; says on standard output when each begins and is done."""
    with TemporaryDirectory() as folder:
        for words, step in LISTS[name].items():
            print(f"begin\t{words}", flush=True)
            step(Path(folder))
            print(f"done\t{words}", flush=True)
    if uncached() is not None:
        sys.exit(uncached())


def _check(folder: Path) -> None:
    from animato.gallery.house import make_demo

    make_demo(folder)


def _design(folder: Path) -> None:
    from dataclasses import replace

    from animato.design import build, solve
    from animato.formats import load_character
    from animato.gallery.design import make_design_demo, shipped_targets

    make_design_demo("four_bar", folder)
    for name in ("kickbot", "biker"):  # with joints and targets of other kinds
        made = shipped_targets()[name]
        character = load_character(made.character)
        solve(build(character, made.motion(character), replace(made.options, iterations=1)))


def _fix_loop(folder: Path) -> None:
    import numpy as np

    from animato.fix import build, solve
    from animato.formats import load_character
    from animato.motion import Clip

    times = np.linspace(0.0, 0.6, 31)
    swing = 0.8 * np.sin(np.pi * times / 0.6) ** 2 * np.sin(9.0 * times)  # faster than its motor
    solve(build(load_character("four_bar"), Clip(times, ("crank_axle",), swing[:, None])))


def _trace_demo(name: str) -> Step:
    def run(folder: Path) -> None:
        from animato.gallery.trace import make_trace_demo

        make_trace_demo(name, folder)

    return run


def _steady(folder: Path) -> None:
    import numpy as np

    from animato.formats import load_character
    from animato.mechanics.simulation import simulate
    from animato.motion import Clip
    from animato.steady import Options, build, solve

    rod = load_character("rod")
    times = np.linspace(0.0, 0.4, 41)
    clip = Clip(times, ("motor",), 0.05 * np.clip(times - 0.1, 0.0, 0.2)[:, None] ** 2)
    solve(build(rod, clip, Options(iterations=1)))
    simulate(rod, clip)


def _mimic(folder: Path) -> None:
    from animato.mimic import Options, build, solve

    solution = solve(build("pico", "person_wave", Options(end_s=0.5, rounds=1)))
    solution.save_page(folder / "mimic.html")


def _face(folder: Path) -> None:
    from animato.gallery.express import make_express_demo

    make_express_demo(folder, samples=2, seconds=1.0)


def _face_live(folder: Path) -> None:
    from animato.express import Loop, build
    from animato.formats import load_character

    lamp = load_character("lamp")
    loop = Loop(build(lamp, lamp.postures[0].name), record=True)
    loop.submit((2.0, 0.5, 0.5))
    loop.play(seconds=0.5)


LISTS: dict[str, dict[str, Step]] = {
    "motion": {
        "checking a clip": _check,
        "tracing a stroke": _trace_demo("hello"),
        "placing joints": _design,
        "fixing what closes on itself": _fix_loop,
        "tracing in the plane": _trace_demo("planar"),
        "mimicking a person": _mimic,
    },
    "facing": {
        "facing": _face,
        "facing live": _face_live,
        "steadying what bends": _steady,
        "tracing with several points": _trace_demo("golf"),
    },
}
"""Steps by what they are for people, in the list of the process that does them."""
