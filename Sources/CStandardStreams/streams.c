// A program that was started with its output closed gives that number to the next file it opens: lines
// for a person would be written into a lock, a socket, the wake-up of an event loop. In C, because
// Swift's runtime opens files of its own before `main`.

#include "CStandardStreams.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int closed_at_start[STDERR_FILENO + 1];

__attribute__((constructor(101))) void cstandardstreams_open(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
    // The lowest free number is this one: those below it are open by now.
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
      closed_at_start[descriptor] = open("/dev/null", O_RDWR) == descriptor;
  }
}

int cstandardstreams_was_closed(int descriptor) {
  return descriptor >= 0 && descriptor <= STDERR_FILENO && closed_at_start[descriptor];
}
