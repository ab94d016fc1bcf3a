#pragma once
// A plain C face of simdjson's parser: Swift does not import its C++ templates. A text is parsed
// into a flat tape of tokens, with the byte offset of each.
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a token is, and what its `bits` hold.
enum {
  STATECAST_JSON_NULL = 0,
  STATECAST_JSON_FALSE = 1,
  STATECAST_JSON_TRUE = 2,
  /// `bits`: the integer, 0...2^64-1.
  STATECAST_JSON_UNSIGNED = 3,
  /// `bits`: n of the negative integer -1 - n.
  STATECAST_JSON_NEGATIVE = 4,
  /// `bits`: the double's.
  STATECAST_JSON_FLOAT = 5,
  /// `bits`: where its unescaped UTF-8 begins in the arena; `length`: how many bytes.
  STATECAST_JSON_TEXT = 6,
  /// As a text; the member's value follows.
  STATECAST_JSON_KEY = 7,
  /// `bits`: how many elements follow, up to the matching end.
  STATECAST_JSON_ARRAY = 8,
  STATECAST_JSON_ARRAY_END = 9,
  /// `bits`: how many members follow, up to the matching end.
  STATECAST_JSON_OBJECT = 10,
  STATECAST_JSON_OBJECT_END = 11
};

/// What became of a text. Where a refused one is wrong, and why, is not this shim's to say: the
/// parser does not know it for most faults (`JSONFault` in Swift reads the text again for that).
enum {
  STATECAST_JSON_OK = 0,
  STATECAST_JSON_REFUSED = 1,
  STATECAST_JSON_NO_MEMORY = 2
};

typedef struct {
  uint64_t bits;
  uint32_t offset;
  uint32_t length;
  uint8_t kind;
} statecast_json_token;

typedef struct {
  const statecast_json_token *tokens;
  size_t count;
  const uint8_t *arena;
  size_t arena_length;
  int outcome;
  void *owner;
} statecast_json_tape;

/// Parses a text; containers may nest `depth` deep, at most 1024. Duplicate keys pass: the reader
/// of the tape sorts the members and meets them there.
statecast_json_tape statecast_json_parse(const uint8_t *text, size_t length, size_t depth);

/// Gives a tape's memory back.
void statecast_json_free(statecast_json_tape tape);

/// The version of simdjson this was built with.
const char *statecast_simdjson_version(void);

#ifdef __cplusplus
}
#endif
