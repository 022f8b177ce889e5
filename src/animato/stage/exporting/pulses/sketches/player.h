// Plays frames of pulses on hobby servos: starts softly, never faster than a servo may go, never out of its range,
// and holds where it ends. Positions are in quarter microseconds. Written by animato.
#pragma once
#include <Arduino.h>

const uint8_t MAX_SERVOS = 24;

struct ServoOnBoard {
  uint8_t channel;      // pin of the board, or channel of the PCA9685
  uint16_t neutral;     // where it stands before anything moves
  uint16_t lowest;      // never told less
  uint16_t highest;     // nor more
  uint16_t step;        // the farthest from one frame to the next
  uint16_t start_step;  // the same on the way to the first frame
};

ServoOnBoard servos[MAX_SERVOS];
uint8_t servo_count = 0;
uint32_t frame_count = 0;
uint32_t period_us = 20000;  // from frame to frame
bool repeats = false;

// What the sketch has to bring: reads a frame (false: cannot be read), and makes a pulse.
bool read_frame(uint32_t number, uint16_t *told);
void make_pulse(uint8_t channel, uint16_t quarter_us);

enum Phase : uint8_t { STARTING, PLAYING, HOLDING };

Phase phase = HOLDING;
uint16_t now_at[MAX_SERVOS], began_at[MAX_SERVOS], told[MAX_SERVOS];
uint32_t frame_number = 0, start_tick = 0, start_ticks = 0, last_us = 0;

void put(uint8_t n, uint16_t at) {
  at = at < servos[n].lowest ? servos[n].lowest : at;
  at = at > servos[n].highest ? servos[n].highest : at;
  now_at[n] = at;
  make_pulse(servos[n].channel, at);
}

// From wherever it was told last to the first frame, along 3 x^2 - 2 x^3, which is 1.5 times as fast as its mean.
void begin_start() {
  if (!read_frame(0, told)) {
    phase = HOLDING;
    return;
  }
  uint32_t ticks = 0;
  for (uint8_t n = 0; n < servo_count; n++) {
    began_at[n] = now_at[n];
    uint32_t way = told[n] > now_at[n] ? told[n] - now_at[n] : now_at[n] - told[n];
    uint32_t needs = (3 * way + 2 * servos[n].start_step - 1) / (2 * (uint32_t)servos[n].start_step);
    ticks = needs > ticks ? needs : ticks;
  }
  if (ticks > 0 && ticks < 1000000 / period_us) ticks = 1000000 / period_us;  // a second at least, unless it is there
  start_tick = 0;
  start_ticks = ticks;
  frame_number = 0;
  phase = ticks > 0 ? STARTING : PLAYING;
}

void tick_start() {
  start_tick++;
  uint32_t x = start_tick * 32768UL / start_ticks;
  uint32_t share = (((x * x) >> 15) * (98304UL - 2 * x)) >> 15;
  for (uint8_t n = 0; n < servo_count; n++) {
    int32_t way = (int32_t)told[n] - (int32_t)began_at[n];
    put(n, (uint16_t)((int32_t)began_at[n] + way * (int32_t)share / 32768));
  }
  if (start_tick >= start_ticks) phase = PLAYING;
}

void tick_frame() {
  if (!read_frame(frame_number, told)) {  // a card was pulled: stay
    phase = HOLDING;
    return;
  }
  for (uint8_t n = 0; n < servo_count; n++) {
    uint16_t at = told[n], was = now_at[n], most = servos[n].step;
    if (at > was && (uint16_t)(at - was) > most) at = was + most;
    if (at < was && (uint16_t)(was - at) > most) at = was - most;
    put(n, at);
  }
  frame_number++;
  if (frame_number < frame_count) return;
  if (repeats)
    begin_start();
  else
    phase = HOLDING;
}

void begin_playing() {
  for (uint8_t n = 0; n < servo_count; n++) put(n, servos[n].neutral);
  last_us = micros();
  begin_start();
}

// Call it from loop(), as often as can be. A frame that is late is played late; none is skipped, so nothing jumps.
void keep_playing() {
  if (phase == HOLDING) return;
  uint32_t now_us = micros();
  if ((uint32_t)(now_us - last_us) < period_us) return;
  last_us += period_us;
  if ((uint32_t)(now_us - last_us) >= period_us) last_us = now_us;
  if (phase == STARTING)
    tick_start();
  else
    tick_frame();
}
