// Numbers of a film: inflated, summed up, and looked up between the moments that were sent.
const inflate = (source) => {
  // RFC 1951; the two bytes of a zlib header are skipped. Written out as not every browser inflates by itself.
  const EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
  const FAR = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
  const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  const bases = (extra, first) => { const out = []; let sum = first; for (const bits of extra) { out.push(sum); sum += 1 << bits; } return out; };
  const LENGTHS = bases(EXTRA, 3), DISTANCES = bases(FAR, 1);
  LENGTHS[28] = 258;
  let out = new Uint8Array(4 * source.length + 1024), size = 0, at = 2, held = 0, count = 0;
  const bits = (wanted) => {
    while (count < wanted) { held |= source[at++] << count; count += 8; }
    const value = held & ((1 << wanted) - 1);
    held >>>= wanted;
    count -= wanted;
    return value;
  };
  const room = (more) => {
    if (size + more <= out.length) return;
    const larger = new Uint8Array(2 * (size + more));
    larger.set(out);
    out = larger;
  };
  const treeOf = (lengths) => {
    const counts = new Uint16Array(16), starts = new Uint16Array(16), symbols = new Uint16Array(lengths.length);
    for (const length of lengths) counts[length]++;
    counts[0] = 0;
    for (let n = 1; n < 16; n++) starts[n] = starts[n - 1] + counts[n - 1];
    lengths.forEach((length, symbol) => { if (length) symbols[starts[length]++] = symbol; });
    return { counts, symbols };
  };
  const symbolOf = ({ counts, symbols }) => {
    let code = 0, first = 0, index = 0;
    for (let length = 1; length < 16; length++) {
      code |= bits(1);
      const many = counts[length];
      if (code - many < first) return symbols[index + code - first];
      index += many;
      first = (first + many) << 1;
      code <<= 1;
    }
    throw new Error("The film's numbers are damaged.");
  };
  const fixed = [...Array(144).fill(8), ...Array(112).fill(9), ...Array(24).fill(7), ...Array(8).fill(8)];
  for (let last = 0; !last;) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      held = count = 0;
      const length = source[at] | (source[at + 1] << 8);
      at += 4;
      room(length);
      out.set(source.subarray(at, at + length), size);
      size += length;
      at += length;
      continue;
    }
    let letters = null, distances = null;
    if (kind === 1) [letters, distances] = [treeOf(fixed), treeOf(Array(30).fill(5))];
    else {
      const many = bits(5) + 257, far = bits(5) + 1, own = bits(4) + 4, lengths = Array(19).fill(0), all = [];
      for (let n = 0; n < own; n++) lengths[ORDER[n]] = bits(3);
      const tree = treeOf(lengths);
      while (all.length < many + far) {
        const symbol = symbolOf(tree);
        if (symbol < 16) all.push(symbol);
        else {
          const value = symbol === 16 ? all[all.length - 1] : 0, times = symbol === 16 ? 3 + bits(2) : symbol === 17 ? 3 + bits(3) : 11 + bits(7);
          for (let n = 0; n < times; n++) all.push(value);
        }
      }
      [letters, distances] = [treeOf(all.slice(0, many)), treeOf(all.slice(many))];
    }
    for (let symbol = symbolOf(letters); symbol !== 256; symbol = symbolOf(letters)) {
      if (symbol < 256) { room(1); out[size++] = symbol; continue; }
      const length = LENGTHS[symbol - 257] + bits(EXTRA[symbol - 257]), step = symbolOf(distances);
      const back = DISTANCES[step] + bits(FAR[step]);
      room(length);
      for (let n = 0; n < length; n++, size++) out[size] = out[size - back];
    }
  }
  return out.subarray(0, size);
};

// Arrays by their places in the text; each comes back row by row.
const numbersOf = (text) => {
  const all = inflate(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  return ([first, rows, columns, width], Kind) => {
    const count = rows * columns, out = new Kind(count), mask = width === 1 ? 255 : 65535;
    for (let n = 0, sum = 0; n < count; n++) {
      sum = (sum + all[first + n] + (width === 2 ? all[first + count + n] << 8 : 0)) & mask;
      out[(n % rows) * columns + Math.floor(n / rows)] = sum;
    }
    return out;
  };
};

// Rows of several things, each with moments of its own; `at` gives one thing's row between two of them.
const tracksOf = (sent, numbers, columns) => {
  const moments = numbers(sent.moments, Uint16Array), rows = numbers(sent.rows, Int16Array), starts = [], last = [];
  let start = 0;
  for (const count of sent.counts) { starts.push(start); last.push(0); start += count; }
  const scale = sent.spread / 32767;
  return {
    count: sent.counts.length,
    at: (one, moment, out) => {
      const first = starts[one], many = sent.counts[one];
      let low = Math.min(last[one], many - 2);
      if (many < 2) low = 0;
      else {
        if (moments[first + low] > moment || (low < many - 2 && moments[first + Math.min(low + 8, many - 1)] <= moment)) {
          let high = many - 1;
          low = 0;
          while (high - low > 1) { const mid = (low + high) >> 1; if (moments[first + mid] <= moment) low = mid; else high = mid; }
        }
        while (low < many - 2 && moments[first + low + 1] <= moment) low++;
      }
      last[one] = low;
      const next = Math.min(low + 1, many - 1), from = moments[first + low], to = moments[first + next];
      const share = to > from ? Math.min(Math.max((moment - from) / (to - from), 0), 1) : 0;
      const a = columns * (first + low), b = columns * (first + next);
      for (let n = 0; n < columns; n++) out[n] = rows[a + n] + share * (rows[b + n] - rows[a + n]);
      for (let n = 0; n < 3; n++) out[n] = sent.middle[n] + scale * out[n];
      return out;
    },
    moments: (one) => moments.subarray(starts[one], starts[one] + sent.counts[one]),
  };
};

// What holds at a time of a list of [time, value].
const stepAt = (steps, time) => {
  let low = 0, high = steps.length;
  while (high - low > 1) { const mid = (low + high) >> 1; if (steps[mid][0] <= time + 1e-6) low = mid; else high = mid; }
  return steps.length && steps[low][0] <= time + 1e-6 ? steps[low][1] : undefined;
};
