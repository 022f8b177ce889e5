"""Before OpenUSD sees a file in this process: is it safe to open?

OpenUSD has no bounds of its own. A file of a few lines can name itself or others so often that composing it takes all
memory, and a damaged binary file can end the process. A small text that names nothing outside itself and copies nothing
is looked through here; any other file is opened in a second process first, with bounds on its memory and time, which
costs about as long as OpenUSD takes to load (half a second).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from animato.errors import FileFormatError
from animato.formats.files import decoded, shortened
from animato.formats.usd.probe import REFUSED

PROBE_MEMORY = 1 << 30  # bytes beyond what OpenUSD itself needs
PROBE_SECONDS = 6  # of processor time
MAX_PRIMS = 200_000
MAX_DEPTH = 100
_SMALL = 4_000_000  # bytes of text that is looked through here
_ARCS = re.compile(
    r"@|\b(?:references|payload|inherits|specializes|variantSets?|subLayers|instanceable|clips|relocates)\b"
)
_QUOTED = re.compile(r"\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#[^\n]*", re.DOTALL)
_PLACE = re.compile(r"[^'\n]*?:(\d+)(?::\d+)?: ([^\n]*)")
_BRACKET = re.compile(r"[{}()\[\]]")


class Rehearsal:
    """A file that is being tried; `finish` says what came of it."""

    def __init__(self, path: str | Path, data: bytes) -> None:
        """Begins.

        Args:
            path: The file.
            data: Its content.

        Raises:
            FileFormatError: It is text that is not UTF-8, or nested too deeply.
        """
        self.path = path
        self._process: subprocess.Popen[bytes] | None = None
        if not is_plain_text(data, path):
            probe = Path(__file__).with_name("probe.py")
            numbers = (PROBE_MEMORY, PROBE_SECONDS, MAX_PRIMS)
            command = [sys.executable, "-I", str(probe), str(Path(path).absolute()), *map(str, numbers)]
            # with one thread: where memory ends OpenUSD's other threads would wait for ever
            surroundings = {**os.environ, "PXR_WORK_THREAD_LIMIT": "1"}
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=surroundings,
            )

    def finish(self) -> None:
        """Waits for the second process.

        Raises:
            FileFormatError: OpenUSD did not survive the file, or needed too much for it.
        """
        if self._process is None:
            return
        try:
            _, said = self._process.communicate(timeout=5 * PROBE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            said = b""
        code = self._process.returncode
        if code == 0:
            return
        bounds = f"{PROBE_MEMORY >> 20} MB of memory and {PROBE_SECONDS} s"
        message = said.decode("utf-8", "replace")
        if code == REFUSED and "bad_alloc" not in message:
            raise explained(message.rpartition("\0")[2], self.path)
        raise FileFormatError(
            self.path,
            f"OpenUSD does not get through it with {bounds}: it is damaged, or its references unfold into more than "
            "can be kept. Save the robot alone and flattened, as one layer.",
        )


def is_plain_text(data: bytes, path: str | Path) -> bool:
    """Whether a file is small text that composes nothing, so that OpenUSD only has to parse it.

    Raises:
        FileFormatError: It is text that is not UTF-8, or nested too deeply.
    """
    if not data.startswith(b"#usda"):
        return False
    text = decoded(data, path)
    depth = 0
    bare = _QUOTED.sub(" ", text)
    for found in _BRACKET.finditer(bare):
        depth += 1 if found[0] in "{([" else -1
        if depth > MAX_DEPTH:
            line = bare.count("\n", 0, found.start()) + 1
            raise FileFormatError(path, f"it is nested more than {MAX_DEPTH} levels deep.", line)
    return len(data) <= _SMALL and _ARCS.search(bare) is None


def explained(message: str, path: str | Path) -> FileFormatError:
    """The reason that OpenUSD gives, with the line where it gives one."""
    quoted = re.findall(r": '(.*?)'\s*(?:\n\t|$)", message, re.DOTALL)
    reason = next((one for one in quoted if not one.startswith("Failed to open layer")), "")
    found = _PLACE.match(" ".join(reason.split()))
    if found and len(found[1]) < 10:
        return FileFormatError(
            path, f"OpenUSD cannot read it: {shortened(found[2].strip().rstrip('.'))}.", int(found[1])
        )
    reason = " ".join(reason.split())[:200].rstrip(".") or "it is no USD file"
    return FileFormatError(path, f"OpenUSD cannot read it: {reason}.")
