// Pulses from the board's own pins, by the library Servo: to the microsecond.
#pragma once
#if defined(ESP32)
#include <ESP32Servo.h>
#else
#include <Servo.h>
#endif

#include "player.h"

Servo pins[MAX_SERVOS];
uint8_t pins_used = 0;
uint8_t channel_of[MAX_SERVOS];

void begin_driver() {}

void make_pulse(uint8_t channel, uint16_t quarter_us) {
  int us = (quarter_us + 2) / 4;
  for (uint8_t n = 0; n < pins_used; n++) {
    if (channel_of[n] == channel) {
      pins[n].writeMicroseconds(us);
      return;
    }
  }
  if (pins_used >= MAX_SERVOS) return;
  channel_of[pins_used] = channel;
  pins[pins_used].writeMicroseconds(us);      // before it is attached, so that its first pulse is not the middle
  pins[pins_used].attach(channel, 400, 2600);  // ranges are kept by the player
  pins[pins_used].writeMicroseconds(us);
  pins_used++;
}
