"""Products x^T m of tall matrices whose columns lie in lanes."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.kernels.lanes import LANES, lanes, put_lanes, spread


@kernel
def gram(first: np.ndarray, last: np.ndarray, row: np.ndarray, x: np.ndarray, m: np.ndarray, out: np.ndarray) -> None:
    """Out = x^T m with lanes of columns; x, m [row * blocks + block, LANES], out [col * blocks + block, LANES].

    For every block of x and pair of blocks of m, row[first .. last] are the rows in which both are not zero.
    Eight sums stay in registers: four columns of x by two blocks of m.
    """
    blocks = round((len(out) / LANES) ** 0.5)  # out has blocks * LANES columns of as many blocks
    pairs = (blocks + 1) // 2
    for a in range(blocks):
        for pair in range(pairs):
            b = 2 * pair
            c = min(b + 1, blocks - 1)
            begin, end = first[a * pairs + pair], last[a * pairs + pair]
            for half in range(0, LANES, 4):
                s0, s1, s2, s3 = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
                t0, t1, t2, t3 = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
                for i in range(begin, end):
                    at = row[i] * blocks
                    left, right = lanes(m, at + b), lanes(m, at + c)
                    x0, x1, x2, x3 = x[at + a, half], x[at + a, half + 1], x[at + a, half + 2], x[at + a, half + 3]
                    s0, s1, s2, s3 = s0 + x0 * left, s1 + x1 * left, s2 + x2 * left, s3 + x3 * left
                    t0, t1, t2, t3 = t0 + x0 * right, t1 + x1 * right, t2 + x2 * right, t3 + x3 * right
                to = (a * LANES + half) * blocks
                put_lanes(out, to + c, t0)
                put_lanes(out, to + b, s0)
                put_lanes(out, to + blocks + c, t1)
                put_lanes(out, to + blocks + b, s1)
                put_lanes(out, to + 2 * blocks + c, t2)
                put_lanes(out, to + 2 * blocks + b, s2)
                put_lanes(out, to + 3 * blocks + c, t3)
                put_lanes(out, to + 3 * blocks + b, s3)
