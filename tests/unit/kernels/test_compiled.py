from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = "import numpy as np; from animato.spatial import quaternions as q; q.multiply(np.eye(4), np.eye(4))"


def test_the_first_compile_is_announced_and_the_second_run_is_not(tmp_path: Path) -> None:
    environment = {**os.environ, "ANIMATO_CACHE_DIR": str(tmp_path)}
    runs = [
        subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert runs[0].stderr.count("compiling kernels") == 1
    assert runs[1].stderr == ""
