#define _GNU_SOURCE
#include "CFileStatus.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

int cfile_look(const char *path, struct cfile_status *found) {
  struct statx status;
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_SIZE, &status) != 0) return errno;
  found->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
  found->inode = status.stx_ino;
  found->size = (int64_t)status.stx_size;
  return 0;
}
