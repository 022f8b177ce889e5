const FLOATS = 19; // of a corner of a look

// Vertices of a look: place and normal on a first and a second body, colour, the two bodies and the share of the second.
const meshOf = (parts, numbers) => {
  const vertices = [], solid = [], clear = [], starts = [];
  let start = 0;
  for (const part of parts) {
    const points = numbers(part.points, Int16Array), normals = numbers(part.normals, Int8Array);
    const faces = numbers(part.faces, part.faces[3] === 1 ? Uint8Array : Uint16Array), skin = part.skin;
    const far = skin && numbers(skin.points, Int16Array), farNormals = skin && numbers(skin.normals, Int8Array);
    const links = skin && numbers(skin.links, Uint16Array), weights = skin && numbers(skin.weights, Uint8Array);
    const value = parseInt(part.colour.slice(1), 16), colour = [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255, part.opacity];
    const count = points.length / 3, scale = part.extent / 32767, farScale = skin ? skin.extent / 32767 : 0;
    for (let n = 0; n < count; n++) {
      for (let k = 0; k < 3; k++) vertices.push(scale * points[3 * n + k]);
      for (let k = 0; k < 3; k++) vertices.push(normals[3 * n + k] / 127);
      for (let k = 0; k < 3; k++) vertices.push(skin ? farScale * far[3 * n + k] : 0);
      for (let k = 0; k < 3; k++) vertices.push(skin ? farNormals[3 * n + k] / 127 : 0);
      vertices.push(...colour, skin ? links[2 * n] : part.body, skin ? links[2 * n + 1] : part.body, skin ? weights[n] / 255 : 0);
    }
    starts.push(start);
    const kept = part.opacity >= 0.995 ? solid : clear;
    for (const corner of faces) kept.push(start + corner);
    start += count;
  }
  return { vertices: new Float32Array(vertices), faces: new Uint32Array([...solid, ...clear]), solid: solid.length, clear: clear.length, starts, skinned: parts.some((part) => part.skin) };
};

// Puts the pose of a body (x y z, w x y z of any length) among its rows, as the stage takes them: 3 rows of 4.
const putPose = (rows, body, [px, py, pz, a, b, c, d]) => {
  const norm = Math.hypot(a, b, c, d) || 1, w = a / norm, x = b / norm, y = c / norm, z = d / norm;
  rows.set([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), px, 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), py,
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), pz], 20 * body);
};

// Where a body is: ways and places of its own in the world.
const poseIn = (rows, body, shift = [0, 0, 0]) => {
  const at = 20 * body, turn = (p) => [0, 4, 8].map((k) => rows[at + k] * p[0] + rows[at + k + 1] * p[1] + rows[at + k + 2] * p[2]);
  return { turn, place: (p) => turn(p).map((value, n) => value + rows[at + 4 * n + 3] + shift[n]) };
};

// A film as it was sent, made ready: where figures are at a time, what they use, what else is seen.
const filmOf = (data) => {
  const numbers = numbersOf(data.numbers), [begin, end, count] = data.span, span = Math.max(end - begin, 1e-9);
  const film = { ...data, begin, end, timeOf: (moment) => begin + span * moment / (count - 1), momentOf: (time) => (time - begin) / span * (count - 1) };
  film.meshes = data.looks.map((parts) => meshOf(parts, numbers));
  film.cast = data.figures.map((sent) => {
    const tracks = tracksOf(sent.poses, numbers, 7), use = sent.use && { ...sent.use, colours: numbers(sent.use.colours, Uint8Array), palette: numbers(sent.use.palette, Uint8Array) };
    return { sent, look: sent.look, bodies: tracks.count, rows: new Float32Array(20 * tracks.count), tracks, use };
  });
  film.drawn = data.things.map((sent) => ({ sent, draw: THINGS[sent.kind](sent, numbers, film) }));
  const frames = data.frames; // [times] or first, step, count
  film.frameCount = frames.length === 1 ? frames[0].length : frames[2];
  film.frameTime = (n) => (frames.length === 1 ? frames[0][n] : frames[0] + frames[1] * n);
  film.frameAt = (time) => {
    if (frames.length === 3) return Math.min(Math.max(Math.round((time - frames[0]) / frames[1]), 0), frames[2] - 1);
    let low = 0, high = frames[0].length - 1;
    while (high - low > 1) { const mid = (low + high) >> 1; if (frames[0][mid] <= time) low = mid; else high = mid; }
    return time - frames[0][low] < frames[0][high] - time ? low : high;
  };
  const row = new Float32Array(7);
  // Puts poses and colours of all figures where the stage finds them.
  film.pose = (time, marked) => {
    const moment = film.momentOf(time);
    for (const figure of film.cast) {
      const { rows, use, tracks } = figure, bodies = use ? use.colours.length / use.colourRows : 0;
      const column = use ? Math.min(Math.max(Math.floor((time - use.span[0]) / Math.max(use.span[1] - use.span[0], 1e-9) * use.colourRows), 0), use.colourRows - 1) : 0;
      for (let n = 0; n < tracks.count; n++) {
        putPose(rows, n, tracks.at(n, moment, row));
        let red = 0.8, green = 0.81, blue = 0.83, share = 0, beyond = 0;
        if (n < bodies) {
          const index = use.colours[column * bodies + n];
          if (index < 128) [red, green, blue, share] = [0, 1, 2, 3].map((k) => use.palette[4 * index + k] / 255);
          beyond = index >= 64 && index < 128 ? 1 : 0;
        }
        rows.set([red, green, blue, share, beyond, figure === film.cast[0] && n === marked ? 1 : 0, 0, 0], 20 * n + 12);
      }
    }
  };
  for (const { use, sent } of film.cast) if (use) use.colourRows = sent.use.colours[1];
  film.poseOf = (figure, body, shift) => poseIn(film.cast[figure].rows, body, shift);
  // The box in which everything that casts a shadow moves; relative to the followed body where there is one.
  film.bounds = () => {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let n = 0; n <= 40; n++) {
      const time = begin + span * n / 40;
      film.pose(time, -1);
      const away = film.away(time);
      film.cast.forEach(({ rows, bodies, look }) => {
        const used = new Set(data.looks[look].map((part) => part.body));
        for (let body = 0; body < bodies; body++) {
          if (!used.has(body)) continue;
          const reach = Math.max(...data.looks[look].filter((part) => part.body === body).map((part) => part.extent), 0);
          for (let k = 0; k < 3; k++) {
            const place = rows[20 * body + 4 * k + 3] - (k < 2 ? away[k] : 0);
            low[k] = Math.min(low[k], place - reach);
            high[k] = Math.max(high[k], place + reach);
          }
        }
      });
    }
    return { middle: low.map((value, k) => (value + high[k]) / 2), reach: 0.5 * Math.hypot(...high.map((value, k) => value - low[k])) || data.size };
  };
  const reaches = data.looks.map((parts) => {
    const found = new Map();
    for (const part of parts) {
      for (const body of part.skin ? new Set(numbers(part.skin.links, Uint16Array)) : [part.body]) found.set(body, Math.max(found.get(body) || 0, part.extent));
    }
    return [...found];
  });
  // The box of the floor that figures can shade at this time, `shifts` beside their places; [low x, low y, high x, high y].
  film.shaded = (lamp, shifts, placing) => {
    const box = [Infinity, Infinity, -Infinity, -Infinity], slant = 1 / Math.max(lamp[2], 0.2);
    film.cast.forEach(({ rows, look }, figure) => {
      if (placing[figure] === "off") return;
      for (const [body, extent] of reaches[look]) {
        const reach = 1.8 * extent + 0.09 * data.size, [x, y, z] = [3, 7, 11].map((k, n) => rows[20 * body + k] + shifts[figure][n]), drop = Math.max(z - data.floor[0], 0) * slant;
        box[0] = Math.min(box[0], x - reach, x - drop * lamp[0] - reach * slant);
        box[1] = Math.min(box[1], y - reach, y - drop * lamp[1] - reach * slant);
        box[2] = Math.max(box[2], x + reach, x - drop * lamp[0] + reach * slant);
        box[3] = Math.max(box[3], y + reach, y - drop * lamp[1] + reach * slant);
      }
    });
    return box;
  };
  // How far the followed body has gone, smoothed over a second.
  film.away = (time) => {
    if (data.follow < 0) return [0, 0];
    const { tracks } = film.cast[0], first = Array.from(tracks.at(data.follow, 0, row)), sum = [0, 0];
    let weight = 0;
    for (let n = -5; n <= 5; n++) {
      const here = tracks.at(data.follow, film.momentOf(Math.min(Math.max(time + 0.1 * n, begin), end)), row), share = Math.cos(0.1 * n * Math.PI) + 1e-3;
      weight += share;
      for (let k = 0; k < 2; k++) sum[k] += share * (here[k] - first[k]);
    }
    return sum.map((value) => value / weight);
  };
  return film;
};
