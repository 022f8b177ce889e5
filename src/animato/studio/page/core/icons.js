// Icons, drawn with a pen of 1.8 in a box of 24.
const DRAWN = {
  pose: "M12 5a2 2 0 1 0 .01 0M12 8v7M12 10 6 7M12 10l6-3M12 15l-4 6M12 15l4 6",
  draw: "M4 20c3-9 6-13 8-9s-3 8 0 8 4-6 8-11M17 4l3 3",
  face: "M3 12s3-6 9-6 9 6 9 6-3 6-9 6-9-6-9-6ZM12 9a3 3 0 1 0 .01 0",
  design: "M5 18 12 6l7 12ZM5 16a2 2 0 1 0 .01 0M12 4a2 2 0 1 0 .01 0M19 16a2 2 0 1 0 .01 0",
  capture: "M8 4a2 2 0 1 0 .01 0M8 8v6M8 10l4-2M8 14l-3 6M8 14l3 6M14 12h7M18 9l3 3-3 3",
  steady: "M3 12c2-8 4-8 5 0s3 6 4 0 2-4 3 0 2 2 3 0 2-1 3 0",
  undo: "M9 7 4 11l5 4M4 11h10a5 5 0 0 1 0 10h-3", redo: "M15 7l5 4-5 4M20 11H10a5 5 0 0 0 0 10h3",
  fix: "M5 13l4 4L19 6", export: "M12 3v12M7 10l5 5 5-5M4 20h16", help: "M8.5 8.5a3.5 3.5 0 1 1 5 3.2c-1.2.7-1.5 1.3-1.5 2.8M12 18.6v.01",
  theme: "M12 4a8 8 0 1 0 0 16ZM12 4a8 8 0 0 1 0 16", close: "M6 6l12 12M18 6 6 18", more: "M5 11.3a.7.7 0 1 0 .01 0M12 11.3a.7.7 0 1 0 .01 0M19 11.3a.7.7 0 1 0 .01 0", up: "M6 15l6-6 6 6",
  play: "M7 5l12 7-12 7Z", pause: "M8 5v14M16 5v14", loop: "M6 8h10l-3-3M18 16H8l3 3", key: "M12 5l6 7-6 7-6-7Z", trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  add: "M12 5v14M5 12h14", copy: "M8 8h11v12H8ZM5 16V4h11", mirror: "M12 3v18M9 7 4 17h5ZM15 7l5 10h-5Z", record: "M12 6a6 6 0 1 0 .01 0", stop: "M7 7h10v10H7Z",
  home: "M4 12 12 5l8 7M6 11v8h12v-8", ghost: "M6 20V11a6 6 0 0 1 12 0v9l-3-2-3 2-3-2ZM10 11h.01M14 11h.01", pin: "M12 3a5 5 0 0 1 5 5c0 4-5 13-5 13S7 12 7 8a5 5 0 0 1 5-5Z",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4", folder: "M3 6h6l2 2h10v11H3Z", import: "M12 15V3M7 8l5-5 5 5M4 20h16", eye: "M3 12s3-6 9-6 9 6 9 6-3 6-9 6-9-6-9-6ZM12 9a3 3 0 1 0 .01 0",
  front: "M6 9h10v10H6ZM6 9l3-4h10l-3 4M19 5v10l-3 4M8.5 11.5h5v5h-5Z", side: "M6 9h10v10H6ZM6 9l3-4h10l-3 4M19 5v10l-3 4M17.3 9.8v5", top: "M6 9h10v10H6ZM6 9l3-4h10l-3 4M19 5v10l-3 4M9.5 7h6", trail: "M4 18c4-10 7-10 9-4s4 3 7-7", heat: "M12 3c4 5 6 7 6 11a6 6 0 0 1-12 0c0-2 1-4 2-5 0 2 1 3 2 3 1-3 0-5 2-9Z", foot: "M8 3c4 0 5 4 5 8 0 3 3 3 3 6 0 3-2 4-5 4-4 0-5-3-5-8s-1-10 2-10Z", back: "M15 5l-7 7 7 7", forward: "M9 5l7 7-7 7",
};
const SPACE = "http://www.w3.org/2000/svg";

export const icon = (name) => {
  const svg = document.createElementNS(SPACE, "svg"), path = document.createElementNS(SPACE, "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "1.8", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" })) svg.setAttribute(key, value);
  path.setAttribute("d", DRAWN[name] || DRAWN.more);
  svg.append(path);
  return svg;
};
