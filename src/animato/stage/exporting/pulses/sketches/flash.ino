// Plays a clip from the board's own memory.
@ABOUT@
#include "@DRIVER@"
#include "clip.h"

bool read_frame(uint32_t number, uint16_t *told) {
  for (uint8_t n = 0; n < CLIP_SERVOS; n++)
    told[n] = pgm_read_word(&CLIP_FRAMES[number * CLIP_SERVOS + n]);
  return true;
}

void setup() {
  servo_count = CLIP_SERVOS;
  frame_count = CLIP_FRAME_COUNT;
  period_us = CLIP_PERIOD_US;
  repeats = CLIP_REPEATS;
  for (uint8_t n = 0; n < CLIP_SERVOS; n++) {
    servos[n].channel = (uint8_t)pgm_read_word(&CLIP_SERVO_DATA[n][0]);
    servos[n].neutral = pgm_read_word(&CLIP_SERVO_DATA[n][1]);
    servos[n].lowest = pgm_read_word(&CLIP_SERVO_DATA[n][2]);
    servos[n].highest = pgm_read_word(&CLIP_SERVO_DATA[n][3]);
    servos[n].step = pgm_read_word(&CLIP_SERVO_DATA[n][4]);
    servos[n].start_step = pgm_read_word(&CLIP_SERVO_DATA[n][5]);
  }
  begin_driver();
  begin_playing();
}

void loop() { keep_playing(); }
