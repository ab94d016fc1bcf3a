#pragma once
// How often a thread has asked for memory: the benchmark's program has these definitions in the
// place of the C library's, counts, and hands over to it. No other program has them.

#include <stdint.h>

/// Of the calling thread, since it began; 0 for ever in a build with a sanitizer, which has its own.
uint64_t allocations_count(void);
/// Bytes that were asked for.
uint64_t allocations_bytes(void);
