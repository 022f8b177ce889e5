"""LeRobot datasets, read back by pyarrow as LeRobot's reader does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.errors import OptionError
from animato.formats import load_character
from animato.motion import Clip
from animato.stage.exporting import export, export_many, take_of
from animato.stage.exporting.lerobot import dataset
from tests.export_builders import floating, swing
from tests.joining_builders import hinge

pq = pytest.importorskip("pyarrow.parquet")

FRAME_COLUMNS = {"timestamp", "frame_index", "episode_index", "index", "task_index"}
EPISODE_COLUMNS = {
    *("episode_index", "tasks", "length", "data/chunk_index", "data/file_index", "dataset_from_index"),
    *("dataset_to_index", "meta/episodes/chunk_index", "meta/episodes/file_index"),
}


def checked(root: Path) -> tuple[dict[str, Any], dict[str, np.ndarray], list[dict[str, Any]]]:
    """Reads a dataset by its own description and refuses what LeRobot 0.4 would: info, frames, episodes."""
    info = json.loads((root / "meta/info.json").read_text())
    assert info["codebase_version"] == "v3.0"
    assert isinstance(info["fps"], int)
    features = info["features"]
    assert set(features) >= FRAME_COLUMNS
    files = sorted((root / "data").glob("*/*.parquet"))
    tables = [pq.read_table(one) for one in files]
    columns: dict[str, np.ndarray] = {}
    for name, feature in features.items():
        width = feature["shape"][0]
        for table in tables:
            kind = table.schema.field(name).type
            inner = kind.value_type if width > 1 else kind
            assert str(inner) == {"float32": "float", "int64": "int64"}[feature["dtype"]]
            if width > 1:
                assert kind.list_size == width == len(feature["names"])
        columns[name] = np.array([row for table in tables for row in table.column(name).to_pylist()])
    assert all(set(table.column_names) == set(features) for table in tables)
    assert len(columns["index"]) == info["total_frames"]
    assert np.array_equal(columns["index"], np.arange(info["total_frames"]))
    episodes = pq.read_table(root / "meta/episodes/chunk-000/file-000.parquet").to_pylist()
    assert len(episodes) == info["total_episodes"]
    stats = json.loads((root / "meta/stats.json").read_text())
    for row in episodes:
        assert set(row) >= EPISODE_COLUMNS
        rows = slice(row["dataset_from_index"], row["dataset_to_index"])
        assert row["length"] == rows.stop - rows.start
        assert np.all(columns["episode_index"][rows] == row["episode_index"])
        file = root / info["data_path"].format(chunk_index=row["data/chunk_index"], file_index=row["data/file_index"])
        assert row["episode_index"] in pq.read_table(file).column("episode_index").to_pylist()
        np.testing.assert_allclose(row["stats/action/mean"], columns["action"][rows].mean(axis=0), atol=1e-6)
        assert row["stats/action/count"] == [row["length"]]
        steps = np.diff(columns["timestamp"][rows])
        np.testing.assert_allclose(steps, 1.0 / info["fps"], atol=1e-4)  # LeRobot's own tolerance
    for name in features:
        assert set(stats[name]) == {*("min", "max", "mean", "std", "count"), *("q01", "q10", "q50", "q90", "q99")}
        flat = columns[name].reshape(len(columns[name]), -1)
        np.testing.assert_array_equal(stats[name]["max"], flat.max(axis=0))
    tasks = pq.read_table(root / "meta/tasks.parquet")
    assert json.loads(tasks.schema.metadata[b"pandas"])["index_columns"] == ["task"]
    assert tasks.column("task_index").to_pylist() == list(range(info["total_tasks"]))
    return info, columns, episodes


def test_states_are_the_clip_in_single_precision_and_actions_a_frame_ahead(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    clip = swing(lamp, rate_hz=30.0)
    export(tmp_path / "set", lamp, clip, to="lerobot", task="look around")
    info, columns, episodes = checked(tmp_path / "set")
    single = clip.positions.astype(np.float32)
    assert np.array_equal(columns["observation.state"].astype(np.float32), single)
    assert np.array_equal(columns["action"][:-1], columns["observation.state"][1:])
    assert info["features"]["action"]["names"] == list(clip.names)
    assert info["robot_type"] == "lamp"
    assert episodes[0]["tasks"] == ["look around"]
    assert json.loads((tmp_path / "set" / "about.json").read_text())["episodes"][0]["motion_sha256"]


def test_several_clips_are_episodes_and_files_are_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "_FILE_BYTES", 9_000)
    lamp = load_character("lamp")
    clips = [swing(lamp, rate_hz=30.0, seconds=1.0 + n) for n in range(4)]
    export_many(tmp_path / "set", lamp, clips, to="lerobot", names=["a", "b", "a", "c"])
    info, columns, episodes = checked(tmp_path / "set")
    assert [one["length"] for one in episodes] == [31, 61, 91, 121]
    assert info["total_tasks"] == 3
    assert episodes[2]["tasks"] == ["a"]
    assert len({one["data/file_index"] for one in episodes}) > 1
    rows = slice(episodes[2]["dataset_from_index"], episodes[2]["dataset_to_index"])
    assert np.array_equal(columns["observation.state"][rows].astype(np.float32), clips[2].positions.astype(np.float32))


def test_a_base_is_a_column_of_its_own(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    clip = floating(swing(lamp, rate_hz=30.0))
    export(tmp_path / "set", lamp, clip, to="lerobot")
    info, columns, _ = checked(tmp_path / "set")
    assert info["features"]["observation.base_pose"]["names"] == ["x", "y", "z", "qw", "qx", "qy", "qz"]
    assert clip.base_positions is not None
    assert np.array_equal(columns["observation.base_pose"][:, :3].astype("f4"), clip.base_positions.astype("f4"))
    with pytest.raises(OptionError, match="same columns"):
        export_many(tmp_path / "no", lamp, [clip, swing(lamp, rate_hz=30.0)], to="lerobot")


def test_what_it_cannot_hold_is_refused(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    with pytest.raises(OptionError, match="whole frames"):
        export(tmp_path / "set", lamp, swing(lamp), to="lerobot", rate_hz=29.97)
    with pytest.raises(OptionError, match="one motion"):
        export_many(tmp_path / "set", lamp, [swing(lamp)] * 2, to="ros2-mcap")
    assert not list(tmp_path.iterdir())
    assert take_of(lamp, swing(lamp), rate_hz=30.0).clip.frame_count == 61


def test_a_robot_of_one_motor_has_single_numbers(tmp_path: Path) -> None:
    nodding = hinge(velocity=5.0)
    times = np.arange(31) / 30.0
    export(tmp_path / "nods", nodding, Clip(times, ("elbow",), 0.3 * np.sin(times)[:, None]), to="lerobot")
    info, columns, _ = checked(tmp_path / "nods")
    assert info["features"]["action"]["shape"] == [1]
    np.testing.assert_array_equal(columns["observation.state"], (0.3 * np.sin(times)).astype(np.float32))
