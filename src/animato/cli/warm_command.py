"""`animato warm`."""

from __future__ import annotations

from animato.cli.line import FITS, say, working


def warm() -> int:
    """Compile everything now, so that no command has to wait for it later."""
    from animato.gallery import warm as warm_up
    from animato.kernels.cache import kernels_folder

    with working("compiling") as progress:
        seconds = warm_up(progress)
    say(f"All kernels are compiled, in {seconds:.0f} s, and kept in {kernels_folder()}.")
    return FITS
