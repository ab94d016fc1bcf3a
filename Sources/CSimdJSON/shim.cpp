// simdjson's assertions guard its own development; on hostile text they must not end the process.
#ifndef NDEBUG
#define NDEBUG
#endif
#define SIMDJSON_DEVELOPMENT_CHECKS 0
#define SIMDJSON_EXCEPTIONS 0

#include "CSimdJSON.h"
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <locale.h>
#include <new>
#include <utility>
#include <vector>

#define STATECAST_TEXT(x) #x
#define STATECAST_EXPANDED(x) STATECAST_TEXT(x)

using namespace simdjson;

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a token is a JSON number, and whether it is written as an integer. simdjson reads `-0`
/// as the integer 0 and refuses integers of more than 64 bits: the caller must see the form first.
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

/// Whether a number has more digits than 64 bits are sure to hold. Behind `0.` simdjson 3.0 does not
/// see that, and takes what an overflow leaves for the number.
bool is_long(std::string_view token) {
  return std::count_if(token.begin(), token.end(), is_digit) > 19;
}

/// The double nearest to a number, which something else follows in memory.
double nearest(std::string_view token) {
  static const locale_t c = newlocale(LC_ALL_MASK, "C", locale_t(0));
  return strtod_l(token.data(), nullptr, c);
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
    // At the root simdjson 3.0 refuses `null` before white space, and takes `nullu ` for it.
    if (without_space_behind(raw) == "null") {
      return raw.data() + raw.size() == text + copy.size() && push(STATECAST_JSON_NULL, raw.data());
    }
    // A long number is not consumed where simdjson takes it for one that is too large.
    bool integer;
    if (is_number(without_space_behind(raw), integer) && !integer && is_long(raw)) {
      return raw.data() + raw.size() == text + copy.size() &&
             push_float(raw.data(), nearest(raw));
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
      case 't':
      case 'f': {
        bool flag;
        if (item.get_bool().get(flag)) return false;
        return push(flag ? STATECAST_JSON_TRUE : STATECAST_JSON_FALSE, place);
      }
      case 'n': {
        bool null;
        return without_space_behind(raw) == "null" && !item.is_null().get(null) && null && push(STATECAST_JSON_NULL, place);
      }
      default: return number(item, without_space_behind(raw));
    }
  }

  template <typename Item>
  bool number(Item &item, std::string_view token) {
    bool integer = false;
    if (!is_number(token, integer)) return false;
    if (integer && token[0] != '-') {
      uint64_t value;
      if (!item.get_uint64().get(value)) {
        return push(STATECAST_JSON_UNSIGNED, token.data(), value);
      }
    } else if (integer && token != "-0") {
      int64_t value;
      if (!item.get_int64().get(value)) {
        return push(STATECAST_JSON_NEGATIVE, token.data(), uint64_t(~value));
      }
    }
    double value;
    bool failed = item.get_double().get(value);
    if (is_long(token)) {
      value = nearest(token);
    } else if (failed) {
      return false;
    }
    return push_float(token.data(), value);
  }

  bool push_float(const char *place, double value) {
    if (!std::isfinite(value)) return false;
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return push(STATECAST_JSON_FLOAT, place, bits);
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
