// How things are drawn: the light, the floor and the shadows of the pictures of animato.view. What a picture does not
// need is left out of its shaders and not only skipped, as processors that stand in for graphics cards take both ways
// of an `if`: SHADED where the lamps cast shadows, SKIN where bodies share a skin.
const COMMON = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DShadow;
`;
const LIGHT = `
#ifdef SHADED
uniform sampler2DShadow lampMap;
uniform sampler2D skyMap;
uniform mat4 toLamp, toSky;
uniform float size, skyDepth;
uniform int taps, skyTaps;
uniform vec2 lampDisc[10], skyDisc[10];
mat2 grain() { // turns the places that are asked, pixel by pixel: a fine grain in the place of steps
  float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))), c = cos(turn), s = sin(turn);
  return mat2(c, s, -s, c);
}
float lampShare(vec3 p, vec3 n) {
  vec3 place = (toLamp * vec4(p + 0.008 * size * n, 1.0)).xyz * 0.5 + 0.5;
  if (place.x <= 0.0 || place.y <= 0.0 || place.x >= 1.0 || place.y >= 1.0 || place.z >= 1.0) return 1.0;
  float lit = 0.0;
  mat2 reach = 0.018 * size * length(toLamp[0].xyz) * 0.5 * grain();
  for (int k = 0; k < taps; k++) lit += texture(lampMap, vec3(place.xy + reach * lampDisc[k], place.z - 0.0012));
  return lit / float(taps);
}
float skyShare(vec3 p, vec3 n) {
  if (skyTaps == 0) return 1.0;
  vec3 place = (toSky * vec4(p + 0.012 * size * n, 1.0)).xyz * 0.5 + 0.5;
  if (place.x <= 0.0 || place.y <= 0.0 || place.x >= 1.0 || place.y >= 1.0 || place.z >= 1.0) return 1.0;
  float dark = 0.0;
  mat2 reach = 0.075 * size * length(toSky[0].xyz) * 0.5 * grain();
  for (int k = 0; k < skyTaps; k++) {
    float gap = (place.z - textureLod(skyMap, place.xy + reach * skyDisc[k], 0.0).r) * skyDepth / size;
    dark += gap > 0.004 ? exp(-7.0 * gap) : 0.0;
  }
  return 1.0 - 0.85 * dark / float(skyTaps);
}
vec3 tone(vec3 v) { return mix(v, 0.7 + 0.3 * (1.0 - exp(-(v - 0.7) / 0.3)), step(0.7, v)); }
vec3 encoded(vec3 v) { v = clamp(v, 0.0, 1.0); return mix(12.92 * v, 1.055 * pow(v, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, v)); }
#else
float lampShare(vec3 p, vec3 n) { return 1.0; }
float skyShare(vec3 p, vec3 n) { return 1.0; }
vec3 tone(vec3 v) { // as above within 1/100, by roots and quotients, which take a processor little
  vec3 x = max(v - 0.7, 0.0) / 0.3;
  return min(v, 0.7) + 0.3 * (1.0 - 1.0 / (1.0 + x * (1.0 + x * (0.5 + x * 0.1667))));
}
vec3 encoded(vec3 v) { vec3 a = sqrt(clamp(v, 0.0, 1.0)), b = sqrt(a), c = sqrt(b); return clamp(0.585122381 * a + 0.783140355 * b - 0.368262736 * c, 0.0, 1.0); }
#endif
uniform vec3 key, fill, eye;
`;
const PLACED = `
in vec3 near, nearNormal, far, farNormal;
in vec4 colour;
in vec3 held;
uniform sampler2D bodies;
uniform mat4 camera;
uniform vec3 shift;
vec3 turned(float body, vec4 p) {
  int row = int(body);
  return vec3(dot(texelFetch(bodies, ivec2(0, row), 0), p), dot(texelFetch(bodies, ivec2(1, row), 0), p), dot(texelFetch(bodies, ivec2(2, row), 0), p));
}
vec3 place() {
  vec3 p = turned(held.x, vec4(near, 1.0));
#ifdef SKIN
  if (held.z > 0.0) p = mix(p, turned(held.y, vec4(far, 1.0)), held.z);
#endif
  return p + shift;
}
`;
const FLAT_BODY = { vertex: `${COMMON}${PLACED}
void main() { gl_Position = camera * vec4(place(), 1.0); }`, fragment: `${COMMON}void main() {}` };
// The shadow of a lamp that is far, on the floor: a body laid flat along the light.
const SHADE = { vertex: `${COMMON}${PLACED}
uniform vec4 light;
void main() {
  vec3 p = place();
  p -= light.xyz * (max(p.z - light.w, 0.0) / light.z);
  gl_Position = camera * vec4(p.xy, light.w, 1.0);
}`, fragment: `${COMMON}
uniform float dark;
out vec4 picture;
void main() { picture = vec4(0.0, 0.0, 0.0, dark); }` };
const LIT_BODY = { vertex: `${COMMON}${PLACED}
uniform float push, used;
uniform vec3 from;
out vec3 at, facing;
out vec4 paint;
out vec2 glow;
#ifdef SHADED
vec3 linear(vec3 v) { return mix(v / 12.92, pow((v + 0.055) / 1.055, vec3(2.4)), step(0.04045, v)); }
#else
vec3 linear(vec3 v) { return v * (v * (v * 0.305306011 + 0.682171111) + 0.012522878); } // as above within 1/500, which is seen nowhere
#endif
void main() {
  at = place();
  facing = turned(held.x, vec4(nearNormal, 0.0));
#ifdef SKIN
  if (held.z > 0.0) facing = mix(facing, turned(held.y, vec4(farNormal, 0.0)), held.z);
#endif
  vec4 use = texelFetch(bodies, ivec2(3, int(held.x)), 0);
  glow = texelFetch(bodies, ivec2(4, int(held.x)), 0).xy * vec2(used, 1.0);
  vec3 grey = vec3(0.44, 0.45, 0.47) + 0.40 * dot(colour.rgb, vec3(0.3, 0.59, 0.11)); // a face stays one
  paint = vec4(linear(mix(colour.rgb, mix(grey, use.rgb, use.a), used)), colour.a);
  gl_Position = camera * vec4(at + push * normalize(at - from), 1.0);
}`, fragment: `${COMMON}${LIGHT}
in vec3 at, facing;
in vec4 paint;
in vec2 glow;
uniform vec4 tint;
uniform float opacity;
uniform vec3 marked;
out vec4 picture;
void main() {
  vec3 n = normalize(facing), way = normalize(at - eye);
  if (!gl_FrontFacing && dot(n, way) > 0.0) n = -n;
  vec3 base = mix(paint.rgb, tint.rgb, tint.a);
  float light = 1.0, sky = 1.0;
  if (opacity >= 1.0) { light = lampShare(at, n); sky = skyShare(at, n); }
  float toKey = max(dot(n, key), 0.0) * light, toFill = max(dot(n, fill), 0.0) * sky, up = 0.5 + 0.5 * n.z;
  float edge = 1.0 - min(abs(dot(n, way)), 1.0), shine = 0.07 * edge * edge * edge * edge * up * sky;
  float gloss = max(dot(n, normalize(key - way)), 0.0);
  gloss *= gloss; gloss *= gloss; gloss *= gloss; gloss *= gloss; // to the power of 16
  if (toKey > 0.0) shine += 0.16 * gloss * gloss * gloss * light;
  vec3 lit = base * (vec3(0.27, 0.26, 0.25) * sky + vec3(0.19, 0.22, 0.27) * up * sky + vec3(0.80, 0.77, 0.71) * toKey + vec3(0.10, 0.11, 0.14) * toFill) + shine;
  lit = mix(lit, base, 0.45 * glow.x);
  lit = mix(lit, marked, glow.y * 0.85 * edge * edge);
  picture = vec4(encoded(tone(lit)), opacity >= 1.0 ? 1.0 : opacity * (0.75 + 0.5 * edge));
  picture.rgb *= picture.a;
}` };
const BACKDROP = { vertex: `${COMMON}
out vec2 where;
void main() { where = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID >> 1) * 4 - 1); gl_Position = vec4(where, 1.0, 1.0); }`, fragment: `${COMMON}${LIGHT}
in vec2 where;
uniform vec3 right, up, forward, top, bottom, ground;
uniform vec2 lens;
uniform vec4 floorAt, shaded;
uniform float grid, line, strength;
uniform mat4 camera;
out vec4 picture;
float lines(float place, float blur) {
  float thick = 0.012 * grid, off = abs(place / grid - floor(place / grid + 0.5)) * grid;
  blur = max(blur, 1e-9);
  return clamp((0.5 * (thick + blur) - off) / blur, 0.0, 1.0) * sqrt(min(thick / blur, 1.0));
}
void main() {
  float share = smoothstep(0.0, 1.0, 0.5 - 0.5 * where.y);
  vec3 seen = mix(top, bottom, share), way = forward + lens.x * where.x * right + lens.y * where.y * up;
  float depth = 1.0, t = (floorAt.x - eye.z) / way.z;
  vec3 p = eye + t * way;
  vec2 blur = fwidth(p.xy);
  if (eye.z > floorAt.x && way.z < 0.0) {
    vec2 off = (p.xy - floorAt.yz) / floorAt.w;
    float clear = exp(-1.8 * dot(off, off));
    seen = mix(seen, ground, clear);
    if (clear > 0.002) {
      float light = 1.0, sky = 1.0;
      if (p.x > shaded.x && p.y > shaded.y && p.x < shaded.z && p.y < shaded.w) {
        light = lampShare(p, vec3(0.0, 0.0, 1.0));
        sky = skyShare(p, vec3(0.0, 0.0, 1.0));
      }
      float dark = min(strength * (1.0 - light) + 0.5 * (1.0 - sky), 1.0) * min(1.6 * clear, 1.0);
      seen *= vec3(1.0 - dark, 1.0 - 0.97 * dark, 1.0 - 0.92 * dark);
      float veil = clear * max(lines(p.x, blur.x), lines(p.y, blur.y));
      seen = line > 0.0 ? mix(seen, vec3(1.0), line * veil) : seen * (1.0 + line * veil);
    }
    vec4 place = camera * vec4(p, 1.0);
    depth = clamp(0.5 + 0.5 * place.z / place.w, 0.0, 1.0);
  }
  gl_FragDepth = depth;
  picture = vec4(encoded(seen), 1.0);
}` };
// A backdrop that was drawn before.
const KEPT = { vertex: `${COMMON}
void main() { gl_Position = vec4((gl_VertexID & 1) * 4 - 1, (gl_VertexID >> 1) * 4 - 1, 1.0, 1.0); }`, fragment: `${COMMON}
uniform sampler2D kept;
out vec4 picture;
void main() { picture = texelFetch(kept, ivec2(gl_FragCoord.xy), 0); }` };
// The floor's depth alone, as far as anybody looks.
const GROUND = { vertex: `${COMMON}
uniform mat4 camera;
uniform vec4 floorAt;
void main() { gl_Position = camera * vec4(floorAt.yz + 40.0 * floorAt.w * vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID >> 1) * 2 - 1), floorAt.x, 1.0); }`, fragment: `${COMMON}void main() {}` };
// Strokes with round ends, four corners each; a dot is a stroke of no length. Thickness below 0 is in metres.
const STROKE = { vertex: `${COMMON}
in vec3 a, b;
in vec4 ink;
in vec3 stroke;
uniform mat4 camera;
uniform vec2 pixels;
uniform float focal;
flat out vec4 ends;
flat out vec4 colour;
flat out vec3 shape;
out vec2 at;
void main() {
  vec4 first = camera * vec4(a, 1.0), second = camera * vec4(b, 1.0);
  float nearest = 1e-4;
  if (first.w < nearest && second.w < nearest) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  if (first.w < nearest) first = mix(first, second, (nearest - first.w) / (second.w - first.w));
  if (second.w < nearest) second = mix(second, first, (nearest - second.w) / (first.w - second.w));
  vec2 p = 0.5 * pixels * (first.xy / first.w), q = 0.5 * pixels * (second.xy / second.w);
  int corner = gl_VertexID & 3;
  bool late = corner > 1;
  float radius = 0.5 * (stroke.x > 0.0 ? stroke.x : -stroke.x * focal / (late ? second.w : first.w));
  vec2 along = q - p, dir = length(along) > 1e-3 ? normalize(along) : vec2(1.0, 0.0), side = vec2(-dir.y, dir.x);
  float grow = radius + 1.5;
  at = (late ? q + grow * dir : p - grow * dir) + ((corner & 1) == 1 ? grow : -grow) * side;
  float depth = late ? second.z / second.w : first.z / first.w;
  ends = vec4(p, q);
  colour = ink;
  shape = vec3(radius, stroke.yz);
  gl_Position = vec4(2.0 * at / pixels, depth - 2e-4, 1.0);
}`, fragment: `${COMMON}
flat in vec4 ends;
flat in vec4 colour;
flat in vec3 shape;
in vec2 at;
out vec4 picture;
void main() {
  vec2 along = ends.zw - ends.xy;
  float span = dot(along, along), t = span > 1e-6 ? clamp(dot(at - ends.xy, along) / span, 0.0, 1.0) : 0.0;
  float off = distance(at, ends.xy + t * along), there = clamp(shape.x - off + 0.5, 0.0, 1.0);
  if (shape.y < 0.0) there *= clamp(off - (shape.x + shape.y) + 0.5, 0.0, 1.0);
  if (shape.y > 0.0) { float place = mod(shape.z + t * sqrt(span), 2.0 * shape.y); there *= clamp(shape.y - place + 0.5, 0.0, 1.0); }
  if (there <= 0.0) discard;
  picture = vec4(colour.rgb * colour.a * there, colour.a * there);
}` };
const AREA = { vertex: `${COMMON}
in vec3 place;
in vec4 ink;
uniform mat4 camera;
out vec4 colour;
void main() { colour = ink; gl_Position = camera * vec4(place, 1.0); }`, fragment: `${COMMON}
in vec4 colour;
out vec4 picture;
void main() { picture = vec4(colour.rgb * colour.a, colour.a); }` };
