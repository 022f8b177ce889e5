// Plays CLIP.ANI from an SD card. What the servos are stands in the file, so another clip is another file.
@ABOUT@
#include <SD.h>
#include <SPI.h>

#include "@DRIVER@"

#ifndef LED_BUILTIN
#define LED_BUILTIN 2
#endif

const uint8_t CARD_PIN = @CARD_PIN@;
const char *const CLIP_FILE = "CLIP.ANI";

File clip;
uint32_t frames_begin = 0;

uint16_t two(const uint8_t *from) { return (uint16_t)(from[0] | ((uint16_t)from[1] << 8)); }
uint32_t four(const uint8_t *from) { return two(from) | ((uint32_t)two(from + 2) << 16); }

bool read_frame(uint32_t number, uint16_t *told) {
  uint8_t row[2 * MAX_SERVOS];
  int wanted = 2 * servo_count;
  uint32_t at = frames_begin + number * (uint32_t)wanted;
  if (clip.position() != at && !clip.seek(at)) return false;
  if (clip.read(row, wanted) != wanted) return false;
  for (uint8_t n = 0; n < servo_count; n++) told[n] = two(row + 2 * n);
  return true;
}

bool open_clip() {
  uint8_t head[32];
  if (!SD.begin(CARD_PIN)) return false;
  clip = SD.open(CLIP_FILE, FILE_READ);
  if (!clip || clip.read(head, 32) != 32 || memcmp(head, "ANIMATO1", 8) != 0) return false;
  frames_begin = two(head + 8);
  uint16_t count = two(head + 10);
  frame_count = four(head + 12);
  period_us = four(head + 16);
  repeats = head[24] != 0;
  if (count == 0 || count > MAX_SERVOS || frame_count == 0 || period_us == 0) return false;
  if (clip.size() != frames_begin + frame_count * 2UL * count) return false;  // cut off while it was copied
  for (uint8_t n = 0; n < count; n++) {
    if (clip.read(head, 32) != 32) return false;
    servos[n].channel = head[0];
    servos[n].neutral = two(head + 2);
    servos[n].lowest = two(head + 4);
    servos[n].highest = two(head + 6);
    servos[n].step = two(head + 8);
    servos[n].start_step = two(head + 10);
    if (servos[n].step == 0 || servos[n].start_step == 0) return false;
  }
  servo_count = (uint8_t)count;
  return true;
}

void setup() {
  if (!open_clip()) {  // no card, no file, or not a whole one: nothing moves, the light blinks
    pinMode(LED_BUILTIN, OUTPUT);
    return;
  }
  begin_driver();
  begin_playing();
}

void loop() {
  if (servo_count == 0) digitalWrite(LED_BUILTIN, (millis() / 250) % 2 ? HIGH : LOW);
  keep_playing();
}
