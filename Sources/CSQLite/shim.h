#pragma once
#include <sqlite3.h>
// SQLITE_TRANSIENT is a cast of -1 to a function pointer, a macro that Swift does not import.
static inline sqlite3_destructor_type statecast_sqlite_transient(void) { return SQLITE_TRANSIENT; }
// sqlite3_db_config is variadic, which Swift does not import. With this a closing connection leaves
// the write-ahead log as it is, also when it is the last one.
static inline int statecast_sqlite_keep_wal_on_close(sqlite3 *db, int keep) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}
