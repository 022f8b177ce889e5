// Pulses from a PCA9685 at address 0x40, by the library Adafruit PWM Servo Driver: to 4.9 microseconds.
#pragma once
#include <Adafruit_PWMServoDriver.h>
#include <Wire.h>

#include "player.h"

Adafruit_PWMServoDriver board = Adafruit_PWMServoDriver(0x40);

void begin_driver() {
  board.begin();
  board.setOscillatorFrequency(27000000);  // boards differ by some percent: measure a pulse and write yours
  board.setPWMFreq(50);
}

void make_pulse(uint8_t channel, uint16_t quarter_us) {
  uint32_t ticks = ((uint32_t)quarter_us * 4096UL + 40000UL) / 80000UL;  // 4096 ticks are 20 ms
  board.setPWM(channel, 0, (uint16_t)ticks);
}
