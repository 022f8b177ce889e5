"""Everything that is served, and under which address."""

from __future__ import annotations

import contextlib
import itertools
import json

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from animato.errors import AnimatoError
from animato.studio.serving.guarded import Guarded
from animato.studio.serving.opened import Opening
from animato.studio.serving.page_files import icon, index, page_files, player
from animato.studio.serving.socket_page import TOO_SLOW, SocketPage
from animato.studio.serving.uploads import Uploads
from animato.version import __version__
from animato.view.browser import Guard

MOST_PAGES = 32
"""That look at the same time."""

_FAILED = 1011


def make_app(opening: Opening, guard: Guard, *, most_pages: int = MOST_PAGES) -> ASGIApp:
    """The studio as an ASGI application.

    | address | what |
    |---|---|
    | `/` | the page |
    | `/page/...` | its files |
    | `/player.js` | the player's scripts |
    | `/ws` | the web socket: see `SocketPage` |
    | `/upload` | takes a file into the project: see `Uploads` |
    | `/download/...` | gives a file of the project's folder `exports` |
    | `/health` | whether it lives |

    The page and its files are there at once; whoever asks for more waits until the studio is open.

    Args:
        opening: Gives the desk and the folder of the project as soon as they are there.
        guard: Asked before anything else.
        most_pages: That may be connected at the same time.
    """
    numbers, pages = itertools.count(1), set[str]()

    async def socket(websocket: WebSocket) -> None:
        try:
            opened = await opening.opened()
        except AnimatoError as error:
            await _turn_away(websocket, str(error))
            opening.told()
            return
        await websocket.accept()
        if len(pages) >= most_pages:
            await websocket.close(TOO_SLOW, f"{most_pages} pages look already; close one.")
            return
        page = SocketPage(f"page-{next(numbers)}", websocket, opened.desk)
        pages.add(page.name)
        try:
            await page.run()
        finally:
            pages.discard(page.name)

    async def download(request: Request) -> Response:
        from animato.studio.project import EXPORTS, inside

        try:
            path = inside((await opening.opened()).folder, f"{EXPORTS}/{request.path_params['path']}")
        except AnimatoError as error:
            return PlainTextResponse(f"{error}\n", 403)
        if not path.is_file():
            return PlainTextResponse("There is no such file among the exports.\n", 404)
        # never shown in place: a page that was exported must not speak for the studio
        return FileResponse(path, media_type="application/octet-stream", filename=path.name)

    async def health(request: Request) -> Response:
        return JSONResponse({"well": True, "version": __version__, "pages": len(pages)})

    routes = [
        Route("/", index),
        Route("/player.js", player),
        Route("/favicon.ico", icon),
        Route("/health", health),
        Route("/download/{path:path}", download),
        Route("/upload", _Uploading(opening), methods=["POST"]),
        WebSocketRoute("/ws", socket),
        Mount("/page", page_files()),
    ]
    return Guarded(Starlette(routes=routes), guard)


class _Uploading:
    """Takes files into the project that is open."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            folder = (await self._opening.opened()).folder
        except AnimatoError as error:
            await PlainTextResponse(f"{error}\n", 503, {"Connection": "close"})(scope, receive, send)
            return
        await Uploads(folder)(scope, receive, send)


async def _turn_away(websocket: WebSocket, words: str) -> None:
    """Tells a page why there is no studio behind it."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # it may have gone, and so may the server
        await websocket.accept()
        await websocket.send_text(json.dumps({"say": "toast", "words": words, "kind": "bad"}))
        await websocket.close(_FAILED, "The studio could not be opened.")
