#pragma once
// Inlined: a digest hashes many items of a few bytes, where a call costs more than the hash.
#define XXH_INLINE_ALL
#include <xxhash.h>
static inline unsigned long long statecast_xxh3_64(const void *bytes, size_t count) { return XXH3_64bits(bytes, count); }
static inline XXH128_hash_t statecast_xxh3_128(const void *bytes, size_t count) { return XXH3_128bits(bytes, count); }
