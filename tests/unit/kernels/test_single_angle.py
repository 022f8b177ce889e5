from __future__ import annotations

import numpy as np

from animato.kernels.single_angle import cosine_and_sine


def test_cosine_and_sine_together() -> None:
    for angle in np.concatenate([np.linspace(-40.0, 40.0, 4001), (0.0, 1e-300, -1e-9, 1e5, np.pi, 0.5 * np.pi)]):
        expected = (np.cos(angle), np.sin(angle))
        np.testing.assert_allclose(cosine_and_sine(float(angle)), expected, atol=2.3e-16, rtol=0.0)
