// A board that is not there: what sketches call, with a clock that tests turn by hand.
#pragma once
#include <stdint.h>
#include <string.h>
#define PROGMEM
#define LED_BUILTIN 13
#define OUTPUT 1
#define HIGH 1
#define LOW 0
typedef uint8_t byte;
extern uint32_t clock_us;
extern int light_changes;
inline uint16_t pgm_read_word(const void *from) { uint16_t word; memcpy(&word, from, 2); return word; }
inline uint32_t micros() { return clock_us; }
inline uint32_t millis() { return clock_us / 1000; }
inline void pinMode(int, int) {}
inline void digitalWrite(int, int) { light_changes++; }
