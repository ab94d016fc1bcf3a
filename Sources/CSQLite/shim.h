#pragma once
#include <sqlite3.h>
// SQLITE_TRANSIENT is a cast of -1 to a function pointer, a macro that Swift does not import.
static inline sqlite3_destructor_type statecast_sqlite_transient(void) { return SQLITE_TRANSIENT; }
