"""A page with a canvas and a slider, served as the studio is served: Starlette, uvicorn, websockets, no library.

Run as a program, with the port as its argument.
"""

from __future__ import annotations

import json
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><canvas width="960" height="720"></canvas>
<input type="range" min="0" max="1" step="0.01"><script type="module">
const socket = new WebSocket(`ws://${location.host}/ws`);
socket.binaryType = "arraybuffer";
let pong = () => {}, posed = () => {};
socket.onmessage = ({ data }) => (typeof data === "string" ? pong : posed)(data);
window.ping = (n) => new Promise((done) => { pong = done; socket.send(`{"ping": ${n}}`); });
window.poses = (count) => new Promise((done) => {
  let seen = 0;
  posed = (data) => { window.pose = new Float32Array(data); if (++seen === count) done(); };
  socket.send(`{"poses": ${count}}`);
});
socket.onopen = () => { window.ready = true; };
</script>"""


async def page(request: Request) -> Response:
    return HTMLResponse(PAGE)


async def talk(socket: WebSocket) -> None:
    """Answers a ping by a pong, and sends as many poses of 25 bodies as it is asked for."""
    from array import array

    await socket.accept()
    async for text in socket.iter_text():
        asked = json.loads(text)
        if "ping" in asked:
            await socket.send_text(json.dumps({"pong": asked["ping"]}))
        for n in range(asked.get("poses", 0)):
            await socket.send_bytes(array("f", [float(n)] * 175).tobytes())


if __name__ == "__main__":
    app = Starlette(routes=[Route("/", page), WebSocketRoute("/ws", talk)])
    uvicorn.run(app, port=int(sys.argv[1]), log_level="critical", ws="websockets-sansio", ws_per_message_deflate=False)
