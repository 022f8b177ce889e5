// A hand with a mouse, as a browser tells of it on any machine: one event a picture, and with it all places where the
// mouse was since the last one, at their own times and in whole pixels. `places` [pixel], `times` [s].
async ({ places, times }) => {
  const canvas = document.querySelector(".stage-picture"), begin = performance.now() + 20;
  const eventOf = (kind, n, more = {}) => {
    const event = new PointerEvent(kind, { clientX: Math.round(places[n][0]), clientY: Math.round(places[n][1]), pointerId: 9, pointerType: "mouse", isPrimary: true, buttons: kind === "pointerup" ? 0 : 1, pressure: kind === "pointerup" ? 0 : 0.5, bubbles: true, cancelable: true, ...more });
    Object.defineProperty(event, "timeStamp", { value: begin + 1000 * times[n] });
    return event;
  };
  const picture = () => new Promise((done) => requestAnimationFrame(done));
  canvas.dispatchEvent(eventOf("pointerdown", 0));
  for (let next = 1; next < times.length;) {
    await picture();
    const coalescedEvents = [];
    while (next < times.length && begin + 1000 * times[next] <= performance.now()) coalescedEvents.push(eventOf("pointermove", next++));
    if (coalescedEvents.length) canvas.dispatchEvent(eventOf("pointermove", next - 1, { coalescedEvents }));
  }
  await picture();
  canvas.dispatchEvent(eventOf("pointerup", times.length - 1));
}
