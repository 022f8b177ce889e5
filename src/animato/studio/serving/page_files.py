"""The page itself: its files, and the player that it is built upon."""

from __future__ import annotations

import mimetypes
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from animato.report import player_sources

PAGE = Path(__file__).parent.parent / "page"
"""What is served under /page."""

for _suffix, _kind in ((".js", "text/javascript"), (".css", "text/css"), (".svg", "image/svg+xml")):
    mimetypes.add_type(_kind, _suffix)  # some systems say otherwise, and browsers then refuse to run a script


def page_files() -> StaticFiles:
    """The files of the page, and nothing outside their folder."""
    return StaticFiles(directory=PAGE, follow_symlink=True)  # some installers make each file a link to their own store


async def index(request: Request) -> Response:
    """The page."""
    return FileResponse(PAGE / "index.html")


async def player(request: Request) -> Response:
    """The player's scripts as one, which are not modules: what they define is seen by all modules of the page."""
    text = '"use strict";\n' + player_sources()
    tag = _tag(text)
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"ETag": tag})
    return Response(text, media_type="text/javascript", headers={"ETag": tag})


async def icon(request: Request) -> Response:
    """Browsers ask for one in any case, and complain where there is nothing."""
    return Response(status_code=204)


@lru_cache(maxsize=4)
def _tag(text: str) -> str:
    return f'"{sha256(text.encode()).hexdigest()[:20]}"'
