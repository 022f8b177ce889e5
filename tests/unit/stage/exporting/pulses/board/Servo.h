// The library Servo as AVR boards have it: clips to 544 and 2400 until it is attached with other ends.
#pragma once
void pulse_made(int channel, int told);
class Servo {
 public:
  int pin = -1, least = 544, most = 2400, told = 1500;
  void attach(int to, int lowest, int highest) { pin = to; least = lowest; most = highest; pulse_made(pin, told); }
  void writeMicroseconds(int us) {
    told = us < least ? least : us > most ? most : us;
    if (pin >= 0) pulse_made(pin, told);
  }
};
