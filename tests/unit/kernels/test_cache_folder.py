from __future__ import annotations

import os
from pathlib import Path

import pytest

from animato.kernels.cache_folder import DAY_S, KEYS_A_MODULE, UNUSED_DAYS, cache_root, clean_module, sweep

NOW_S = 1_800_000_000.0


@pytest.mark.parametrize(
    ("environment", "platform", "place"),
    [
        ({"ANIMATO_CACHE_DIR": "/a", "NUMBA_CACHE_DIR": "/n", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "linux", "/a"),
        ({"NUMBA_CACHE_DIR": "/n", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "linux", "/n/animato"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "linux", "/x/animato"),
        ({"XDG_CACHE_HOME": "not/whole", "HOME": "/h"}, "linux", "/h/.cache/animato"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Caches/animato"),
        ({"LOCALAPPDATA": "/local", "HOME": "/h"}, "win32", "/local/animato/Cache"),
        ({"HOME": ""}, "linux", None),
    ],
)
def test_the_place_is_where_each_system_keeps_such_things(
    environment: dict[str, str], platform: str, place: str | None
) -> None:
    assert cache_root(environment, platform) == (None if place is None else Path(place))


def test_a_user_whom_the_system_does_not_know_has_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", unknown)
    assert cache_root({}, "linux") is None


def key(module: Path, number: int, unused_s: float) -> Path:
    """A key's folder that was last used so long ago [s]."""
    folder = module / f"{number:032x}"
    folder.mkdir(parents=True)
    (folder / "f-1-0.nbc").write_bytes(b"code")
    os.utime(folder, (NOW_S - unused_s, NOW_S - unused_s))
    return folder


def test_of_many_keys_the_ones_used_last_stay(tmp_path: Path) -> None:
    keys = [key(tmp_path, number, unused_s=100.0 * number) for number in range(KEYS_A_MODULE + 3)]
    (tmp_path / "notes").mkdir()
    clean_module(tmp_path)
    assert [one.exists() for one in keys] == [True] * KEYS_A_MODULE + [False] * 3
    assert (tmp_path / "notes").is_dir()


def test_keys_that_nobody_uses_go_after_a_month(tmp_path: Path) -> None:
    old = key(tmp_path / "animato.gone", 1, unused_s=(UNUSED_DAYS + 1) * DAY_S)
    new = key(tmp_path / "animato.here", 2, unused_s=(UNUSED_DAYS - 1) * DAY_S)
    sweep(tmp_path, NOW_S)
    assert not old.parent.exists()
    assert new.is_dir()


def test_the_sweep_comes_once_a_day(tmp_path: Path) -> None:
    sweep(tmp_path, NOW_S)
    old = key(tmp_path / "animato.gone", 1, unused_s=(UNUSED_DAYS + 1) * DAY_S)
    sweep(tmp_path, NOW_S + 0.9 * DAY_S)
    assert old.is_dir()
    sweep(tmp_path, NOW_S + 1.1 * DAY_S)
    assert not old.exists()


def test_a_place_that_is_not_there_is_no_failure(tmp_path: Path) -> None:
    clean_module(tmp_path / "nothing")
    sweep(tmp_path / "nothing", NOW_S)
    assert list(tmp_path.iterdir()) == []  # and nothing is made
