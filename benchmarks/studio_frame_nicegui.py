"""The same page by NiceGUI: a canvas, a slider, a ping that is answered, poses of 25 bodies.

Run as a program by an interpreter that has NiceGUI, with the port as its argument.
"""

from __future__ import annotations

import sys

from nicegui import ui

SCRIPT = """<script>
let pong = () => {}, posed = () => {};
window.ping = (n) => new Promise((done) => { pong = done; emitEvent("ping", n); });
window.poses = (count) => new Promise((done) => {
  let seen = 0;
  posed = (numbers) => { window.pose = new Float32Array(numbers); if (++seen === count) done(); };
  emitEvent("poses", count);
});
window.onPong = () => pong();
window.onPose = (numbers) => posed(numbers);
</script>"""


@ui.page("/")  # type: ignore[untyped-decorator]
def page() -> None:
    ui.add_head_html(SCRIPT)
    ui.html('<canvas width="960" height="720"></canvas>', sanitize=False)
    ui.slider(min=0, max=1, step=0.01)
    client = ui.context.client

    def send_poses(count: int) -> None:
        for n in range(count):
            client.run_javascript(f"window.onPose({[float(n)] * 175})")

    ui.on("ping", lambda event: client.run_javascript("window.onPong()"))
    ui.on("poses", lambda event: send_poses(int(event.args)))


if __name__ in {"__main__", "__mp_main__"}:
    ui.run(port=int(sys.argv[1]), host="127.0.0.1", show=False, reload=False, show_welcome_message=False)
