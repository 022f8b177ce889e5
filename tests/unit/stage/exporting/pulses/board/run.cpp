// Runs a sketch for so many milliseconds and prints every pulse: time [us], channel, what it was told.
#include <stdio.h>
#include <stdlib.h>
#include "Arduino.h"
uint32_t clock_us = 4294000000UL;  // the board's clock starts over while the clip plays
int light_changes = 0;
bool card_is_in = true;
static uint64_t since = 0;
void pulse_made(int channel, int told) { printf("%llu %d %d\n", (unsigned long long)since, channel, told); }
#include SKETCH
#ifdef CARD
Card SD;
#endif
int main(int argc, char **argv) {
  uint64_t end = 1000ULL * atol(argv[1]), pulled = 1000ULL * atol(argv[2]);
  uint32_t step = argc > 3 ? atol(argv[3]) : 97;
  setup();
  for (; since < end; since += step, clock_us += step) {
    if (pulled && since >= pulled) card_is_in = false;
    loop();
  }
  fprintf(stderr, "%d\n", light_changes);
}
