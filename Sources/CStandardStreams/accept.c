// libzmq 4.3.4 aborts its process when accepting a connection on ipc finds no descriptor left
// (ipc_listener.cpp: EMFILE is not among the errors that it knows, ENFILE is). The daemon counts
// connections and throws out those beyond a limit, but a burst may be accepted before it gets to that:
// a flood of some hundred connections at once ended it. So "this process has none left" is told as
// "the system has none left", which libzmq waits out until the daemon has thrown some out.
//
// The program's own `accept4` stands before the C library's for every library that it is linked with.

#define _GNU_SOURCE
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default"))) int accept4(
    int socket, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
  int descriptor = (int)syscall(SYS_accept4, socket, address, length, flags);
  if (descriptor < 0 && errno == EMFILE) errno = ENFILE;
  return descriptor;
}
