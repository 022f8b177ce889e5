"""What several tests need."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest_plugins = ["tests.real_time"]

SHARED_DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real clips and robots beside the checkout; tests that need them skip where they are absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip("real clips and robots are not on this machine (a folder shared/data beside the checkout)")
    return SHARED_DATA


@pytest.fixture
def rng() -> np.random.Generator:
    """Seeded randomness."""
    return np.random.default_rng(20260607)
