// simdjson's assertions guard its own development; on hostile text they must not end the process.
#ifndef NDEBUG
#define NDEBUG
#endif
#define SIMDJSON_DEVELOPMENT_CHECKS 0
#define SIMDJSON_EXCEPTIONS 0

#include "CSimdJSON.h"
#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <locale.h>
#include <new>
#include <string>
#include <utility>
#include <vector>

#define STATECAST_TEXT(x) #x
#define STATECAST_EXPANDED(x) STATECAST_TEXT(x)

using namespace simdjson;

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a token is a JSON number, and whether it is written as an integer.
bool is_number(std::string_view token, bool &integer) {
  size_t i = 0, n = token.size();
  auto digits = [&] {
    size_t start = i;
    while (i < n && is_digit(token[i])) i++;
    return i > start;
  };
  if (i < n && token[i] == '-') i++;
  if (i < n && token[i] == '0') {
    i++;
  } else if (!digits()) {
    return false;
  }
  integer = i == n;
  if (i < n && token[i] == '.') {
    i++;
    if (!digits()) return false;
  }
  if (i < n && (token[i] == 'e' || token[i] == 'E')) {
    i++;
    if (i < n && (token[i] == '+' || token[i] == '-')) i++;
    if (!digits()) return false;
  }
  return i == n;
}

/// The double nearest to a number; infinite where it is too large.
///
/// Not simdjson's: 3.0 does not see that digits behind `0.` are more than 64 bits hold, and takes what
/// an overflow leaves.
double nearest(std::string_view token) {
  double value;
  auto read = std::from_chars(token.data(), token.data() + token.size(), value);
  if (read.ec == std::errc()) return value;
  // Too large, or nearer to zero than any: which of both is not told.
  static const locale_t c = newlocale(LC_ALL_MASK, "C", locale_t(0));
  return strtod_l(std::string(token).c_str(), nullptr, c);
}

std::string_view without_space_behind(std::string_view token) {
  size_t n = token.size();
  while (n > 0 && (token[n - 1] == ' ' || token[n - 1] == '\t' || token[n - 1] == '\n' ||
                   token[n - 1] == '\r'))
    n--;
  return token.substr(0, n);
}

/// Walks simdjson's on-demand parser over a whole text and writes the tape. (Its DOM parser refuses
/// integers beyond 64 bits, which here become the nearest double.) Each step is false at a fault.
class Reader {
 public:
  explicit Reader(size_t depth_limit) : depth_limit(depth_limit) {}

  std::vector<statecast_json_token> tokens;
  std::vector<uint8_t> arena;

  bool read(const padded_string &copy) {
    text = copy.data();
    // An unescaped text is never longer than its source: one allocation holds them all.
    arena.reserve(copy.size());
    ondemand::parser parser;
    ondemand::document document;
    if (parser.iterate(copy).get(document)) return false;
    std::string_view raw;
    if (document.raw_json_token().get(raw)) return false;
    if (!raw.empty() && !std::strchr("[{\"", raw[0])) {
      // At the root simdjson 3.0 reads numbers and words otherwise than elsewhere, and mistakes some
      // before white space.
      return raw.data() + raw.size() == text + copy.size() && scalar(without_space_behind(raw));
    }
    if (!value(document, raw)) return false;
    // A document that was read to its end has no current location any more; where it has one,
    // something follows.
    const char *rest;
    return document.current_location().get(rest) == OUT_OF_BOUNDS;
  }

 private:
  const char *text = nullptr;
  size_t depth = 0;
  size_t depth_limit;

  bool push(uint8_t kind, const char *place, uint64_t bits = 0, uint32_t length = 0) {
    tokens.push_back({bits, uint32_t(place - text), length, kind});
    return true;
  }

  template <typename Item>
  bool value(Item &item, std::string_view raw) {
    const char *place = raw.data();
    switch (raw.empty() ? 0 : raw[0]) {
      case '[': return array(item, place);
      case '{': return object(item, place);
      case '"': {
        std::string_view content;
        return !item.get_string().get(content) && string(STATECAST_JSON_TEXT, place, content);
      }
      default: return scalar(without_space_behind(raw));
    }
  }

  /// A word or a number, which simdjson passes by itself.
  bool scalar(std::string_view token) {
    if (token == "null") return push(STATECAST_JSON_NULL, token.data());
    if (token == "true") return push(STATECAST_JSON_TRUE, token.data());
    if (token == "false") return push(STATECAST_JSON_FALSE, token.data());
    bool integer = false;
    if (!is_number(token, integer)) return false;
    const char *end = token.data() + token.size();
    if (integer && token[0] != '-') {
      uint64_t value;
      if (std::from_chars(token.data(), end, value).ec == std::errc())
        return push(STATECAST_JSON_UNSIGNED, token.data(), value);
    } else if (integer && token != "-0") {
      int64_t value;
      if (std::from_chars(token.data(), end, value).ec == std::errc())
        return push(STATECAST_JSON_NEGATIVE, token.data(), uint64_t(~value));
    }
    double value = nearest(token);
    if (!std::isfinite(value)) return false;
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return push(STATECAST_JSON_FLOAT, token.data(), bits);
  }

  bool string(uint8_t kind, const char *place, std::string_view content) {
    // Versions of simdjson differ in which halves of surrogate pairs they let through, as bytes
    // that are not UTF-8: Swift would replace them silently.
    if (!validate_utf8(content.data(), content.size())) return false;
    size_t start = arena.size();
    arena.insert(arena.end(), content.begin(), content.end());
    return push(kind, place, start, uint32_t(content.size()));
  }

  template <typename Item>
  bool array(Item &item, const char *place) {
    if (depth == depth_limit) return false;
    depth++;
    size_t head = tokens.size();
    push(STATECAST_JSON_ARRAY, place);
    ondemand::array elements;
    if (item.get_array().get(elements)) return false;
    uint64_t count = 0;
    for (auto element : elements) {
      ondemand::value child;
      if (std::move(element).get(child) || !value(child, child.raw_json_token())) return false;
      count++;
    }
    tokens[head].bits = count;
    depth--;
    return push(STATECAST_JSON_ARRAY_END, place);
  }

  template <typename Item>
  bool object(Item &item, const char *place) {
    if (depth == depth_limit) return false;
    depth++;
    size_t head = tokens.size();
    push(STATECAST_JSON_OBJECT, place);
    ondemand::object members;
    if (item.get_object().get(members)) return false;
    uint64_t count = 0;
    for (auto member : members) {
      ondemand::field field;
      if (std::move(member).get(field)) return false;
      // The key's raw content begins behind its quotation mark.
      const char *key_place = field.key().raw() - 1;
      std::string_view key;
      if (field.unescaped_key().get(key) || !string(STATECAST_JSON_KEY, key_place, key)) {
        return false;
      }
      ondemand::value child = field.value();
      if (!value(child, child.raw_json_token())) return false;
      count++;
    }
    tokens[head].bits = count;
    depth--;
    return push(STATECAST_JSON_OBJECT_END, place);
  }
};

/// Each level is a C++ call.
constexpr size_t deepest = 1024;

}  // namespace

extern "C" {

statecast_json_tape statecast_json_parse(const uint8_t *text, size_t length, size_t depth) {
  statecast_json_tape tape{};
  tape.outcome = STATECAST_JSON_NO_MEMORY;
  // Offsets are of 32 bits, here and in simdjson.
  if (length > SIMDJSON_MAXSIZE_BYTES) return tape;
  padded_string copy(reinterpret_cast<const char *>(text), length);
  Reader *reader = new (std::nothrow) Reader(depth < deepest ? depth : deepest);
  if (reader == nullptr || (length > 0 && copy.data() == nullptr)) {
    delete reader;
    return tape;
  }
  tape.outcome = reader->read(copy) ? STATECAST_JSON_OK : STATECAST_JSON_REFUSED;
  tape.tokens = reader->tokens.data();
  tape.count = reader->tokens.size();
  tape.arena = reader->arena.data();
  tape.arena_length = reader->arena.size();
  tape.owner = reader;
  return tape;
}

void statecast_json_free(statecast_json_tape tape) { delete static_cast<Reader *>(tape.owner); }

const char *statecast_simdjson_version(void) { return STATECAST_EXPANDED(SIMDJSON_VERSION); }

}  // extern "C"
