#ifndef CFILESTATUS_H
#define CFILESTATUS_H

#include <stdint.h>

/// Which file it is, and how long.
struct cfile_status {
  uint64_t device;
  uint64_t inode;
  int64_t size;
};

/// Looks at a file, not through a link, without asking when it was changed; 0, or errno.
///
/// Where times are kept finely (Linux 6.13 and later), one that was asked for is kept anew with the
/// next write, and some file systems then write the file's inode with each sync of its data.
int cfile_look(const char *path, struct cfile_status *found);

#endif
