// What stands in a film beside its figures: one function a kind. Each takes what was sent and gives a function that
// draws it at a time into `out`, a list of strokes and areas.
const INKS = [{ sight: [0.88, 0.54, 0], target: [0.76, 0, 0.42], good: [0.0, 0.5, 0.33], bad: [0.75, 0.0, 0.42] },
  { sight: [1, 0.71, 0.3], target: [1, 0.44, 0.72], good: [0.4, 0.83, 0.65], bad: [1, 0.45, 0.72] }]; // on light, on dark
const MIX = (a, b, share) => a.map((value, n) => value + share * (b[n] - value));

class Strokes {
  constructor(pixel) { this.list = []; this.areas = []; this.pixel = pixel; }
  // Thickness in pixels of the page, or below 0 in metres; dash in pixels of the page.
  line(a, b, colour, opacity, thick, dash = 0, from = 0) {
    this.list.push(...a, ...b, ...colour, opacity, thick > 0 ? thick * this.pixel : thick, dash * this.pixel, from);
  }
  dot(a, colour, opacity, thick) { this.line(a, a, colour, opacity, thick); }
  ring(a, colour, opacity, across, wide) { this.list.push(...a, ...a, ...colour, opacity, across * this.pixel, -wide * this.pixel, 0); }
  area(corners, z, colour, opacity) {
    for (let n = 4; n + 1 < corners.length; n += 2) {
      for (const k of [0, n - 2, n]) this.areas.push(corners[k], corners[k + 1], z, ...colour, opacity);
    }
  }
}

const pointsOf = (sent, numbers) => {
  const tracks = tracksOf(sent, numbers, 3);
  return { ...tracks, place: (n, moment, time) => (sent.known && stepAt(sent.known[n], time) === 0 ? null : tracks.at(n, moment, [0, 0, 0])) };
};

const THINGS = {
  trail(sent, numbers, film) {
    const points = pointsOf(sent.points, numbers), moments = points.moments(0), all = [];
    for (const moment of moments) all.push({ moment, place: points.place(0, moment, film.timeOf(moment)) });
    return ({ moment, time, dark, seen }, out) => {
      const colour = dark ? MIX(sent.colour, [1, 1, 1], 0.25) : sent.colour;
      let before = null, from = 0;
      const add = (place) => {
        if (before && place) {
          out.line(before, place, colour, sent.dashed ? 0.75 : 0.95, sent.dashed ? 1.6 : 2.4, sent.dashed ? 5 : 0, from);
          if (sent.dashed) from += Math.hypot(...seen(place).map((value, n) => value - seen(before)[n]));
        }
        before = place;
      };
      const oldest = sent.growing && sent.lasting ? film.momentOf(time - sent.lasting) : -1;
      if (oldest > 0) add(points.place(0, oldest, time - sent.lasting));
      for (const one of all) {
        if (sent.growing && one.moment > moment) break;
        if (one.moment > oldest) add(one.place);
      }
      const now = points.place(0, moment, time);
      if (sent.growing) add(now);
      if (now && !sent.dashed) out.dot(now, colour, 1, 7);
    };
  },
  line(sent, numbers) {
    const { counts, middle, spread } = sent.line, rows = numbers(sent.line.rows, Int16Array), pieces = [];
    let at = 0;
    for (const count of counts) {
      const piece = [];
      for (let n = 0; n < count; n++, at += 3) piece.push([0, 1, 2].map((k) => middle[k] + spread * rows[at + k] / 32767));
      pieces.push(piece);
    }
    return ({ dark, seen }, out) => {
      const colour = dark ? MIX(sent.colour, [1, 1, 1], 0.35) : sent.colour;
      for (const piece of pieces) {
        let from = 0;
        for (let n = 1; n < piece.length; n++) {
          out.line(piece[n - 1], piece[n], colour, sent.dashed ? 0.75 : 0.85, sent.dashed ? 1.6 : 2, sent.dashed ? 5 : 0, from);
          if (sent.dashed) from += Math.hypot(...seen(piece[n]).map((value, k) => value - seen(piece[n - 1])[k]));
        }
      }
    };
  },
  ball(sent, numbers) {
    const points = pointsOf(sent.points, numbers);
    return ({ moment, time, dark }, out) => {
      const place = points.place(0, moment, time);
      if (!place) return;
      out.dot(place, [1, 1, 1], 0.9, -2.3 * sent.radius);
      out.dot(place, dark ? MIX(sent.colour, [1, 1, 1], 0.2) : sent.colour, 1, -2 * sent.radius);
    };
  },
  pins(sent) {
    return ({ dark, poseOf }, out) => {
      for (const [body, a, b, c, d, e, f, ...colour] of sent.pins) {
        const pose = poseOf(sent.figure, body);
        if (!pose) return;
        const [start, end, middle] = [[a, b, c], [d, e, f], [(a + d) / 2, (b + e) / 2, (c + f) / 2]].map(pose.place), ink = dark ? MIX(colour, [1, 1, 1], 0.3) : colour;
        if (a !== d || b !== e || c !== f) out.line(start, end, ink, 0.95, sent.dashed ? 1.6 : 3, sent.dashed ? 4 : 0);
        if (!sent.dashed) out.dot(middle, [1, 1, 1], 0.9, 9);
        if (!sent.dashed) out.dot(middle, ink, 1, 7);
      }
    };
  },
  arrow(sent, numbers) {
    const points = pointsOf(sent.points, numbers);
    return ({ moment, time, view }, out) => {
      const tail = points.place(0, moment, time), head = points.place(1, moment, time);
      if (tail && head) arrowTo(out, tail, head, sent.colour, view, 2.6);
    };
  },
  sticks(sent, numbers) {
    const points = pointsOf(sent.points, numbers), bits = sent.present && numbers(sent.present.bits, Uint8Array), stride = sent.present ? sent.present.bits[2] : 0;
    return ({ moment, time, share }, out) => {
      const places = [];
      for (let n = 0; n < points.count; n++) places.push(points.place(n, moment, time));
      const frame = sent.present ? Math.round(share * (sent.present.count - 1)) : 0;
      sent.edges.forEach(([a, b], n) => {
        if (bits && !(bits[frame * stride + (n >> 3)] & (1 << (n & 7)))) return;
        if (places[a] && places[b]) out.line(places[a], places[b], sent.ink || [0.5, 0.52, 0.58], sent.ink ? 0.7 : 0.45, 1);
      });
      for (const [a, b, ...colour] of sent.bones) if (places[a] && places[b]) out.line(places[a], places[b], colour, 1, -2 * sent.thickness);
      if (sent.dots) for (const place of places) if (place) out.dot(place, sent.dots, 1, -3 * sent.thickness);
    };
  },
  polygon(sent, numbers, film) {
    const points = pointsOf(sent.points, numbers);
    return ({ moment, time, dark, top }, out) => {
      const corners = stepAt(sent.outlines, time) || [], z = sent.height + 0.002 * film.size, inks = INKS[dark ? 1 : 0];
      const colour = stepAt(sent.inside, time) === 0 ? inks.bad : inks.good, place = points.place(0, moment, time);
      if (corners.length >= 6) out.area(corners, z, colour, 0.22);
      for (let n = 0; n < corners.length; n += 2) {
        const m = (n + 2) % corners.length;
        out.line([corners[n], corners[n + 1], z], [corners[m], corners[m + 1], z], colour, 0.9, 1.6);
      }
      if (!place) return;
      place[2] = z;
      top.dot(place, [1, 1, 1], 0.95, 11); // feet do not hide it
      top.dot(place, colour, 1, 8);
    };
  },
  gaze(sent, numbers, film) {
    const points = pointsOf(sent.points, numbers);
    return ({ moment, time, dark, view, poseOf }, out) => {
      const kind = stepAt(sent.kinds, time) || 0, inks = INKS[dark ? 1 : 0], pose = poseOf(sent.figure, sent.body);
      if (!pose) return;
      const eye = pose.place(sent.place), forward = pose.turn(sent.forward), target = kind ? points.place(0, moment, time) : null;
      const reach = kind === 1 && target ? Math.hypot(...target.map((value, n) => value - eye[n])) : 0.8 * film.size;
      arrowTo(out, eye, eye.map((value, n) => value + 0.98 * reach * forward[n]), inks.sight, view, 2.4, kind === 1);
      if (kind === 1) {
        out.dot(target, [1, 1, 1], 0.9, 17);
        out.dot(target, inks.target, 1, 13);
      } else if (kind === 2) arrowTo(out, eye, target, inks.target, view, 2, false, 6);
    };
  },
  readout(sent, numbers) {
    const values = numbers(sent.values, Int16Array), known = numbers(sent.known, Uint8Array);
    return ({ share }, out) => {
      const n = Math.round(share * (values.length - 1));
      if (known[n]) out.told.push(`${sent.before}${(sent.largest * values[n] / 32767).toFixed(sent.digits)}${sent.after}`);
    };
  },
};

const arrowTo = (out, tail, head, colour, view, thick, bare = false, dash = 0) => {
  out.line(tail, head, colour, 0.95, thick, dash);
  if (bare) return;
  const along = head.map((value, n) => value - tail[n]), length = Math.hypot(...along) || 1, side = unit(cross(along, view.forward));
  const barb = Math.min(0.05 * view.size, 0.3 * length);
  for (const sign of [1, -1]) out.line(head, head.map((value, n) => value - barb * along[n] / length + 0.45 * sign * barb * side[n]), colour, 0.95, thick);
};
