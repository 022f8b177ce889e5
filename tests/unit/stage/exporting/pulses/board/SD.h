// A card that is a folder, and can be pulled.
#pragma once
#include <stdint.h>
#include <stdio.h>
#define FILE_READ 0
extern bool card_is_in;
class File {
 public:
  FILE *stream = nullptr;
  explicit operator bool() const { return stream != nullptr; }
  bool operator!() const { return stream == nullptr; }
  int read(void *to, int count) { return card_is_in ? (int)fread(to, 1, count, stream) : -1; }
  uint32_t position() { return (uint32_t)ftell(stream); }
  bool seek(uint32_t at) { return card_is_in && fseek(stream, at, SEEK_SET) == 0; }
  uint32_t size() {
    long was = ftell(stream);
    fseek(stream, 0, SEEK_END);
    long end = ftell(stream);
    fseek(stream, was, SEEK_SET);
    return (uint32_t)end;
  }
};
class Card {
 public:
  bool begin(int) { return card_is_in; }
  File open(const char *name, int) { File one; one.stream = fopen(name, "rb"); return one; }
};
extern Card SD;
