#pragma once
#include <stdint.h>
void pulse_made(int channel, int told);
class Adafruit_PWMServoDriver {
 public:
  explicit Adafruit_PWMServoDriver(uint8_t) {}
  void begin() {}
  void setOscillatorFrequency(uint32_t) {}
  void setPWMFreq(float) {}
  void setPWM(uint8_t channel, uint16_t, uint16_t off) { pulse_made(channel, off); }
};
