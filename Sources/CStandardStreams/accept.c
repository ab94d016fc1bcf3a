// libzmq 4.3.4 aborts its process when accepting a connection on ipc finds no descriptor left
// (ipc_listener.cpp: EMFILE is not among the errors that it knows, ENFILE is), and where it does not
// abort it asks again at once, for as long as the connection waits. The daemon counts connections and
// throws out those beyond a limit, but a burst may be accepted before it gets to that, and descriptors
// may be short for other reasons.
//
// So one descriptor is kept in reserve: with it a connection that there is no descriptor for is taken
// and closed, and libzmq is told "the system has none left", which it knows. Its peer tries again later.
//
// The program's own `accept4` stands before the C library's for every library that it is linked with.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int reserve = -1;

static void refill_reserve(void) {
  if (reserve < 0) reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

// Takes the connection that waits and closes it. False where another thread has got the descriptor.
static int turn_away(int socket) {
  if (reserve < 0) return 0;
  close(reserve);
  reserve = -1;
  int descriptor = (int)syscall(SYS_accept4, socket, NULL, NULL, SOCK_CLOEXEC);
  int is_taken = descriptor >= 0 || errno != EMFILE;
  if (descriptor >= 0) close(descriptor);
  refill_reserve();
  return is_taken;
}

__attribute__((visibility("default"))) int accept4(
    int socket, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
  int descriptor = (int)syscall(SYS_accept4, socket, address, length, flags);
  int error = errno;
  pthread_mutex_lock(&lock);
  refill_reserve();
  // Without the reserve the listener's thread would ask as fast as it can: it asks once a millisecond.
  if (descriptor < 0 && error == EMFILE && !turn_away(socket)) poll(NULL, 0, 1);
  pthread_mutex_unlock(&lock);
  errno = error == EMFILE ? ENFILE : error;
  return descriptor;
}
