"""The evaluation sweep: counts, enumeration, and runs that can be stopped and gone on with."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np
import pytest

from animato.batch.sweeping import run_sweep, stored_sweep
from animato.errors import OptionError, UnknownNameError
from animato.express.facing.problem import build_facing_problem
from animato.express.facing.solver import solve_facing
from animato.express.options import Method
from animato.express.published.erik.solver import build_erik, solve_erik_batch
from animato.express.sweep.exclusion import EXCLUSION, errors_without_posture, without_excluded
from animato.express.sweep.part import Solver, SweepOptions, chosen_samples
from animato.express.sweep.samples import (
    Sweep,
    build_sweep,
    grid_union,
    random_samples,
    samples,
    samples_at,
    swept_postures,
    swept_targets,
)
from animato.express.sweep.solvers import sweep_solver
from animato.express.sweep.statistics import (
    EDGES,
    SweepStatistics,
    empty_statistics,
    merged,
    plain_statistics,
    read_statistics,
    statistics_of,
)
from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics.chains import Chain, build_chain
from animato.spatial import quaternions

PUBLISHED_POSTURES = {"a": 33, "b": 377, "c": 3789, "d": 3789, "e": 3789, "f": 8305, "g": 19657}
SAME = [name for name in EDGES if name != "time_ms"]


@functools.cache
def chain_of(skeleton: str) -> Chain:
    return build_chain(load_character(f"skeleton_{skeleton}"), "tip")


@functools.cache
def tiny() -> tuple[Sweep, Solver]:
    sweep = build_sweep(chain_of("c"), divisions=2, target_divisions=(2, 2, 2))
    return sweep, functools.partial(solve_erik_batch, build_erik(chain_of("c")))


def assert_same(a: SweepStatistics, b: SweepStatistics) -> None:
    for name in SAME:
        assert (a[name].count, a[name].mean, a[name].square_sum) == (b[name].count, b[name].mean, b[name].square_sum)
        assert (a[name].least, a[name].most) == (b[name].least, b[name].most)
        assert np.array_equal(a[name].histogram, b[name].histogram)


@pytest.mark.parametrize("skeleton", PUBLISHED_POSTURES)
def test_posture_counts_are_those_published(skeleton: str) -> None:
    postures = swept_postures(chain_of(skeleton))
    assert len(postures) == PUBLISHED_POSTURES[skeleton]
    arrays = chain_of(skeleton).arrays
    assert np.all(postures[:, [0, -1]] == 0.0)
    np.testing.assert_allclose(postures[:, 1:-1].min(axis=0), arrays.lower[1:-1], atol=1e-12)
    np.testing.assert_allclose(postures[:, 1:-1].max(axis=0), arrays.upper[1:-1], atol=1e-12)
    assert len(np.unique(np.round(postures, 9), axis=0)) == len(postures)


def test_targets_are_two_short_of_the_published_count() -> None:
    targets = swept_targets()
    assert len(targets) == 7607  # published: 7609
    np.testing.assert_allclose(np.linalg.norm(targets, axis=1), 1.0, atol=1e-12)
    facing = quaternions.rotate(targets, (0.0, 0.0, 1.0))
    for axis in np.vstack([np.eye(3), -np.eye(3)]):
        assert np.max(facing @ axis) > 1.0 - 1e-12  # all six main directions are among them


def test_grids_hold_both_ends_and_no_point_twice() -> None:
    points = grid_union((3, 1))
    assert points.tolist() == [[x, y] for x in (0.0, 1 / 3, 0.5, 2 / 3, 1.0) for y in (0.0, 1.0)]


def test_samples_are_the_same_however_they_are_cut() -> None:
    sweep = build_sweep(chain_of("c"))
    assert sweep.count == 3789 * 7607
    whole = samples(sweep, 7500, 7800)
    parts = [samples(sweep, 7500, 7607), samples(sweep, 7607, 7800)]
    assert np.array_equal(whole.postures, np.concatenate([part.postures for part in parts]))
    assert np.array_equal(whole.targets_wxyz, np.concatenate([part.targets_wxyz for part in parts]))
    assert np.array_equal(samples_at(sweep, np.array([7607])).postures[0], sweep.postures[1])
    assert len(samples(sweep, sweep.count - 5, sweep.count + 5).indices) == 5


def test_random_samples_follow_their_seed() -> None:
    sweep = build_sweep(chain_of("g"))
    first = random_samples(sweep, 50, seed=3)
    assert np.array_equal(first.indices, random_samples(sweep, 50, seed=3).indices)
    assert not np.array_equal(first.indices, random_samples(sweep, 50, seed=4).indices)
    assert len(set(first.indices.tolist())) == 50
    with pytest.raises(OptionError, match="149530799"):
        random_samples(sweep, 10**10, seed=0)


def test_merged_statistics_are_those_of_all_samples(rng: np.random.Generator) -> None:
    values = {name: rng.uniform(0.0, 1.3, 1000) for name in EDGES}
    whole = statistics_of(values)
    total = empty_statistics()
    for first in range(0, 1000, 137):
        part = statistics_of({name: one[first : first + 137] for name, one in values.items()})
        total = merged(total, read_statistics(json.loads(json.dumps(plain_statistics(part)))))
    for name in EDGES:
        assert total[name].mean == pytest.approx(np.mean(values[name]), rel=1e-12)
        assert total[name].deviation == pytest.approx(np.std(values[name]), rel=1e-12)
        assert (total[name].least, total[name].most) == (np.min(values[name]), np.max(values[name]))
        assert np.array_equal(total[name].histogram, whole[name].histogram)
        assert total[name].histogram.sum() == 1000


def test_a_run_that_was_killed_goes_on(tmp_path: Path) -> None:
    sweep, solver = tiny()
    options = SweepOptions(chunk=100)
    whole = run_sweep(sweep, solver, tmp_path / "whole", name="erik", options=options)
    assert whole.count == sweep.count

    part = run_sweep(sweep, solver, tmp_path / "part", name="erik", options=options, most_chunks=3)
    assert part.count == 300
    # a kill while a chunk was written, and a disk that filled up
    (tmp_path / "part" / ".chunk_000007.json.abc").write_text("{")
    (tmp_path / "part" / "chunk_000001.json").write_text('{"combined": ')
    calls: list[int] = []
    again = run_sweep(
        sweep, solver, tmp_path / "part", name="erik", options=options, progress=lambda step: calls.append(step.number)
    )
    assert_same(again, whole)
    assert calls == list(range(3, 3 + len(calls))) and len(calls) == -(-sweep.count // 100) - 2

    def never(_postures: np.ndarray, _targets: np.ndarray) -> object:
        raise AssertionError("nothing is left to solve")

    assert_same(run_sweep(sweep, never, tmp_path / "part", name="erik", options=options), whole)  # type: ignore[arg-type]


def test_joblib_gives_the_same_statistics(tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    sweep, solver = tiny()
    options = SweepOptions(start=50, stop=650, chunk=150)
    serial = run_sweep(sweep, solver, tmp_path / "serial", name="erik", options=options)
    parallel = run_sweep(sweep, solver, tmp_path / "joblib", name="erik", options=options, backend="joblib", workers=2)
    assert serial.count == 600
    assert_same(serial, parallel)
    assert parallel["time_ms"].least > 0.0


def test_dask_gives_the_same_statistics(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    sweep, solver = tiny()
    options = SweepOptions(stop=300, chunk=100)
    serial = run_sweep(sweep, solver, tmp_path / "serial", name="erik", options=options)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        dask = run_sweep(
            sweep,
            solver,
            tmp_path / "dask",
            name="erik",
            options=options,
            backend="dask",
            scheduler=cluster.scheduler_address,
        )
    assert_same(serial, dask)


def test_a_folder_belongs_to_one_sweep(tmp_path: Path) -> None:
    sweep, solver = tiny()
    run_sweep(sweep, solver, tmp_path, name="erik", options=SweepOptions(stop=10, chunk=10))
    with pytest.raises(OptionError, match="different: solver"):
        run_sweep(sweep, solver, tmp_path, name="other", options=SweepOptions(stop=10, chunk=10))
    with pytest.raises(OptionError, match="different: chunk"):
        run_sweep(sweep, solver, tmp_path, name="erik", options=SweepOptions(stop=10, chunk=5))


def test_wrong_options_are_named(tmp_path: Path) -> None:
    sweep, solver = tiny()
    with pytest.raises(OptionError, match="cannot run from 5 to 5"):
        run_sweep(sweep, solver, tmp_path, name="erik", options=SweepOptions(start=5, stop=5))
    with pytest.raises(UnknownNameError, match="serial"):
        run_sweep(sweep, solver, tmp_path, name="erik", backend="ray")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="at least 1 division"):
        swept_postures(chain_of("c"), 0)


def test_every_method_runs_a_sweep(tmp_path: Path) -> None:
    chain = build_chain(load_character("skeleton_c"), "tip")
    sweep = build_sweep(chain)
    part = SweepOptions(start=7500, stop=7700, chunk=70)  # two postures
    means = {}
    methods: tuple[Method, ...] = ("animato", "dls", "erik")
    for method in methods:
        solver = sweep_solver(chain, method)
        means[method] = run_sweep(sweep, solver, tmp_path / method, name=method, options=part)["combined"].mean
    assert means["animato"] <= min(means.values())
    some = samples(sweep, 7605, 7608)
    expected = [
        solve_facing(build_facing_problem(chain, posture), target).positions
        for posture, target in zip(some.postures, some.targets_wxyz, strict=True)
    ]
    answers = sweep_solver(chain, "animato")(some.postures, some.targets_wxyz)
    np.testing.assert_array_equal(answers.positions, expected)
    with pytest.raises(UnknownNameError, match="magic"):
        sweep_solver(chain, "magic")  # type: ignore[arg-type]


def test_an_even_share_has_all_postures_and_all_targets_alike() -> None:
    sweep = build_sweep(chain_of("c"))
    chosen = np.array(chosen_samples(sweep, SweepOptions(start=5, every=1009)))
    postures, targets = np.divmod(chosen, len(sweep.targets_wxyz))
    of_posture = np.bincount(postures, minlength=len(sweep.postures))
    of_target = np.bincount(targets, minlength=len(sweep.targets_wxyz))
    assert of_posture.max() - of_posture.min() <= 1
    assert of_target.max() - of_target.min() <= 1
    part = samples(sweep, 5, sweep.count, 1009)
    np.testing.assert_array_equal(part.indices, chosen)


def test_shares_together_are_the_whole(tmp_path: Path) -> None:
    sweep, solver = tiny()
    whole = run_sweep(sweep, solver, tmp_path / "whole", name="erik", options=SweepOptions(chunk=100))
    every = 4 if len(sweep.targets_wxyz) % 2 else 5
    for start in range(every):
        part = SweepOptions(start=start, every=every, chunk=100)
        run_sweep(sweep, solver, tmp_path / "shares" / str(start), name="erik", options=part)
    together = stored_sweep(tmp_path / "shares")
    for name in SAME:
        assert together[name].count == whole[name].count
        np.testing.assert_allclose(together[name].mean, whole[name].mean, rtol=1e-12)
        np.testing.assert_array_equal(together[name].histogram, whole[name].histogram)
    assert stored_sweep(tmp_path / "nothing").count == 0


def test_a_share_of_few_targets_is_refused(tmp_path: Path) -> None:
    sweep, solver = tiny()
    every = len(sweep.targets_wxyz)
    with pytest.raises(OptionError, match="`every` must have no factor in common"):
        run_sweep(sweep, solver, tmp_path, name="erik", options=SweepOptions(every=every))


def test_the_share_within_a_threshold_is_counted() -> None:
    values = {name: np.array([0.0, 0.0399, 0.0401, 0.3]) for name in EDGES}
    found = statistics_of(values)
    assert found.share_within("combined", 0.04) == 0.5
    assert found.share_within("posture", 0.2) == 0.75
    assert empty_statistics().share_within("combined", 0.04) == 0.0


def test_what_the_baseline_cannot_face_alone_is_left_out() -> None:
    sweep = build_sweep(chain_of("a"), divisions=1, target_divisions=(4, 4, 2))  # which cannot look down
    errors, kept = errors_without_posture(sweep), without_excluded(sweep)
    assert 0.1 < np.mean(errors > EXCLUSION) < 0.9
    np.testing.assert_array_equal(kept.targets_wxyz, sweep.targets_wxyz[errors <= EXCLUSION])
    assert len(kept.postures) == len(sweep.postures)
