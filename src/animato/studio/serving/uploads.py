"""Files that a page sends: counted while they come, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import IO

import anyio
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from animato.errors import AnimatoError
from animato.studio.serving.file_names import safe_name

MOST_BYTES = 200_000_000
"""Of a file."""

IMPORTS = "imports"
"""Folder of a project for files that are read once and become something else there."""

_FOLDERS = {"capture": "captures", "clip": IMPORTS, "character": IMPORTS, "strokes": IMPORTS}
_MOTIONS = (".npz", ".npy", ".csv", ".tsv", ".bvh", ".amc", ".asf", ".glb", ".trc", ".c3d")
_ENDINGS = {
    "capture": _MOTIONS,
    "clip": _MOTIONS,
    "character": (".yaml", ".yml", ".urdf", ".xml", ".mjcf", ".usd", ".usda", ".usdc", ".usdz"),
    "strokes": (".json", ".csv", ".tsv", ".svg", ".npz", ".bvh", ".glb", ".trc"),
}
_PART = ".upload-*.part"  # what has not come whole yet
_AT_ONCE = 1 << 20  # bytes that are written together
_LISTENED = 4 << 20  # bytes that are still read after a refusal, so that a browser hears it before the line is cut
_PATIENCE_S = 1.0


class _RefusedError(Exception):
    """A file that is not taken."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class Uploads:
    """`POST /upload?purpose=...&name=...` with the bytes of a file as the body; the answer is `{"file": ...}`."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        """Into a project.

        Args:
            folder: Its folder.
            most_bytes: Of a file.
        """
        self._project, self._most_bytes = folder, most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        request = Request(scope, receive)
        try:
            path = await self._taken(request)
        except ClientDisconnect:
            return
        except _RefusedError as refusal:
            await _refuse(request, send, refusal.status, str(refusal))
        except AnimatoError as error:
            await _refuse(request, send, 400, str(error))
        except OSError as error:
            await _refuse(request, send, 507, f"The file cannot be kept: {error.strerror or error}.")
        else:
            await JSONResponse({"file": path})(scope, receive, send)

    async def _taken(self, request: Request) -> str:
        """Writes the file; its path inside the project."""
        from animato.studio.project import free_place, inside

        purpose, name = self._asked(request)
        folder = inside(self._project, _FOLDERS[purpose])
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / _PART.replace("*", secrets.token_hex(8))
        try:
            with temporary.open("xb") as file:
                await self._copy(request, file)
            path = free_place(folder, Path(name).stem, Path(name).suffix.lower())
            temporary.replace(path)
        except BaseException:  # whoever goes away in the middle leaves nothing behind either
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        return path.relative_to(self._project).as_posix()

    def _asked(self, request: Request) -> tuple[str, str]:
        """What the file is for and what it is called."""
        purpose = request.query_params.get("purpose", "")
        if purpose not in _FOLDERS:
            raise _RefusedError(400, f"`purpose` is one of {', '.join(_FOLDERS)}; given {purpose[:40]!r}.")
        name = safe_name(request.query_params.get("name", ""), purpose)
        if Path(name).suffix.lower() not in _ENDINGS[purpose]:
            allowed = ", ".join(_ENDINGS[purpose])
            raise _RefusedError(415, f"'{name}' is no file that can be read here. Allowed: {allowed}.")
        stated = request.headers.get("content-length", "0")
        if not stated.isdecimal() or int(stated) > self._most_bytes:
            raise self._too_long()
        return purpose, name

    async def _copy(self, request: Request, file: IO[bytes]) -> None:
        count, waiting = 0, bytearray()
        async for part in request.stream():
            count += len(part)
            if count > self._most_bytes:
                raise self._too_long()
            waiting += part
            if len(waiting) >= _AT_ONCE:
                await anyio.to_thread.run_sync(file.write, bytes(waiting))
                waiting.clear()
        if not count:
            raise _RefusedError(400, "The file is empty.")
        await anyio.to_thread.run_sync(file.write, bytes(waiting))
        await anyio.to_thread.run_sync(_to_disk, file)

    def _too_long(self) -> _RefusedError:
        return _RefusedError(413, f"A file may have {self._most_bytes / 1e6:g} MB at most; this one has more.")


def clear_parts(project: Path) -> None:
    """Takes away what was coming when a studio was ended by force.

    Args:
        project: Its folder; nobody else works in it.
    """
    for name in set(_FOLDERS.values()):
        for part in (project / name).glob(_PART):
            with contextlib.suppress(OSError):
                part.unlink()


def _to_disk(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


async def _refuse(request: Request, send: Send, status: int, words: str) -> None:
    """Says why, listens a little longer, and closes the connection.

    A connection that is cut while a browser still sends is for it a network that failed: it would not see the sentence.
    """
    response = JSONResponse({"error": words}, status)
    response.headers["Connection"] = "close"
    await send({"type": "http.response.start", "status": status, "headers": response.raw_headers})
    await send({"type": "http.response.body", "body": response.body, "more_body": True})
    heard = 0
    with contextlib.suppress(ClientDisconnect, RuntimeError), anyio.move_on_after(_PATIENCE_S):
        while heard < _LISTENED:
            message = await request.receive()
            heard += len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body"):
                break
    await send({"type": "http.response.body", "body": b"", "more_body": False})
