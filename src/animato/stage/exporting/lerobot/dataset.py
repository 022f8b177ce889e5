"""Clips as a LeRobot dataset of version 3, one episode each.

The state is where the joints are, the action where they are a frame later: what a policy has to learn to command.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from animato.errors import OptionError, missing_dependency
from animato.loading import fingerprint
from animato.stage.exporting.folders import whole_folder
from animato.stage.exporting.lerobot.statistics import statistics_of
from animato.stage.exporting.lerobot.tables import WHOLE, data_table, episodes_table, tasks_table
from animato.stage.exporting.provenance import provenance_of
from animato.stage.exporting.take import Exported, Take

_BASE_NAMES = ("x", "y", "z", "qw", "qx", "qy", "qz")
_FILE_BYTES = 100 * 2**20
"""LeRobot begins a new file here."""
_FILES_A_CHUNK = 1000
_PLACE = "chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"

Columns = dict[str, np.ndarray]


def write(path: Path, take: Take, *, task: str | None = None) -> Exported:
    """Writes a dataset of one episode."""
    return write_many(path, [take], task=task)


def write_many(path: Path, takes: Sequence[Take], *, task: str | None = None) -> Exported:
    """Writes a dataset.

    Args:
        path: The folder.
        takes: One an episode, of one character and at one rate.
        task: What all of them do, in words; each motion's name where not given.
    """
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise missing_dependency("pyarrow", "lerobot", "Writing LeRobot datasets") from None
    if not joint_names(takes[0]):
        raise OptionError(f"'{takes[0].character.name}' has no joint; LeRobot wants a state of one number at least.")
    rate = takes[0].rate_hz
    if abs(rate - round(rate)) > 1e-9:
        raise OptionError(f"LeRobot has whole frames a second; given {rate:g}. Say a whole `rate_hz`.")
    if len({take.clip.has_base for take in takes}) > 1:
        raise OptionError("Some of the clips move the base and some do not; a dataset has the same columns throughout.")
    words = [task or take.name for take in takes]
    tasks = list(dict.fromkeys(words))
    about = provenance_of(takes[0], episodes=[_origin(take) for take in takes])
    with whole_folder(path, about) as folder:
        _write_tables(folder, takes, words, tasks)
    files = ("meta/info.json", "meta/episodes/chunk-000/file-000.parquet", "data/chunk-000/file-000.parquet")
    said = [
        "Numbers are float32.",
        "There are no pictures: a policy that looks cannot be trained on it.",
        "The action is where joints are a frame later; in the last frame, where they are.",
    ]
    passive = [name for name in takes[0].clip.names if name not in joint_names(takes[0])]
    if passive:
        said.append(f"Only what motors drive is in it; left out: {', '.join(passive)}.")
    return Exported((path, *(path / one for one in files)), tuple(said))


def _origin(take: Take) -> dict[str, Any]:
    """What is another one in every episode; the character is the same in all."""
    return {
        "motion": take.name,
        "motion_sha256": fingerprint(take.original),
        "frames": take.clip.frame_count,
        "notes": list(take.notes),
    }


def joint_names(take: Take) -> tuple[str, ...]:
    """What motors drive; everything where no motor is stated."""
    return take.character.actuated_coordinate_names or take.clip.names


def _columns(take: Take, episode: int, first: int, task: int) -> Columns:
    """The frames of an episode, by feature."""
    clip = take.clip.selected(joint_names(take))
    count = clip.frame_count
    state = clip.positions.astype(np.float32)
    columns = {"observation.state": state, "action": np.vstack([state[1:], state[-1:]])}
    if clip.base_positions is not None and clip.base_quaternions_wxyz is not None:
        base = np.hstack([clip.base_positions, clip.base_quaternions_wxyz])
        columns["observation.base_pose"] = base.astype(np.float32)
    return columns | {
        "timestamp": (np.arange(count) / take.rate_hz).astype(np.float32),
        "frame_index": np.arange(count),
        "episode_index": np.full(count, episode),
        "index": np.arange(first, first + count),
        "task_index": np.full(count, task),
    }


def _write_tables(folder: Path, takes: Sequence[Take], words: list[str], tasks: list[str]) -> None:
    import pyarrow.parquet as pq

    rows: list[dict[str, Any]] = []
    statistics, writer, size, number, first = [], None, 0, 0, 0
    totals: dict[str, list[np.ndarray]] = {}
    for episode, (take, word) in enumerate(zip(takes, words, strict=True)):
        columns = _columns(take, episode, first, tasks.index(word))
        table = data_table(columns)
        if writer is not None and size + table.nbytes > _FILE_BYTES:
            writer.close()
            writer, size, number = None, 0, number + 1
        chunk, file = divmod(number, _FILES_A_CHUNK)
        if writer is None:
            place = folder / "data" / _PLACE.format(chunk_index=chunk, file_index=file)
            place.parent.mkdir(parents=True, exist_ok=True)
            writer = pq.ParquetWriter(place, table.schema, compression="snappy")
        writer.write_table(table)  # a row group an episode
        size += table.nbytes
        count = take.clip.frame_count
        rows.append(
            {
                "episode_index": episode,
                "tasks": [word],
                "length": count,
                "data/chunk_index": chunk,
                "data/file_index": file,
                "dataset_from_index": first,
                "dataset_to_index": first + count,
                "meta/episodes/chunk_index": 0,
                "meta/episodes/file_index": 0,
            }
        )
        statistics.append(statistics_of(columns))
        for name, column in columns.items():
            totals.setdefault(name, []).append(column)
        first += count
    if writer is not None:
        writer.close()
    _write_meta(folder, takes, tasks, rows, statistics, {name: np.concatenate(one) for name, one in totals.items()})


def _write_meta(
    folder: Path,
    takes: Sequence[Take],
    tasks: list[str],
    rows: list[dict[str, Any]],
    statistics: list[Any],
    totals: Columns,
) -> None:
    import pyarrow.parquet as pq

    episodes = folder / "meta" / "episodes" / _PLACE.format(chunk_index=0, file_index=0)
    episodes.parent.mkdir(parents=True)
    pq.write_table(episodes_table(rows, statistics), episodes)
    pq.write_table(tasks_table(tasks), folder / "meta" / "tasks.parquet")
    named = {
        "observation.state": joint_names(takes[0]),
        "action": joint_names(takes[0]),
        "observation.base_pose": _BASE_NAMES,
    }
    features = {
        name: {
            "dtype": "int64" if name in WHOLE else "float32",
            "shape": [1] if column.ndim == 1 else [column.shape[1]],
            "names": list(named[name]) if name in named else None,
        }
        for name, column in totals.items()
    }
    info = {
        "codebase_version": "v3.0",
        "robot_type": takes[0].character.name,
        "total_episodes": len(takes),
        "total_frames": len(totals["index"]),
        "total_tasks": len(tasks),
        "chunks_size": _FILES_A_CHUNK,
        "data_files_size_in_mb": 100,
        "video_files_size_in_mb": 200,
        "fps": round(takes[0].rate_hz),
        "splits": {"train": f"0:{len(takes)}"},
        "data_path": "data/" + _PLACE,
        "video_path": None,
        "features": features,
    }
    for name, content in (("info", info), ("stats", statistics_of(totals))):
        (folder / "meta" / f"{name}.json").write_text(json.dumps(content, indent=4) + "\n", encoding="utf-8")
