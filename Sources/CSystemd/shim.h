#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

// GNU extension, which the headers show only with _GNU_SOURCE.
int pipe2(int ends[2], int flags);

// What a service asks of the system in structures that Swift can only fill through pointers.

static int csystemd_signal_pipe = -1;

static inline void csystemd_pass_signal(int number) {
  int before = errno;
  unsigned char byte = (unsigned char)number;
  // Full: enough of them wait to be read.
  ssize_t written = write(csystemd_signal_pipe, &byte, 1);
  (void)written;
  errno = before;
}

/// Passes the signals that end or refresh a service into a pipe, ignores SIGPIPE, and returns the
/// pipe's end to read; -1 with errno otherwise. Once a process, from one Swift file.
///
/// Not a signalfd: that needs the signals blocked in every thread, and the main thread of an async
/// Swift program waits in a sigsuspend of libdispatch's that lets them all through.
static inline int csystemd_open_signals(void) {
  int ends[2];
  if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) return -1;
  csystemd_signal_pipe = ends[1];
  struct sigaction action = {.sa_handler = csystemd_pass_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGTERM, &action, NULL) || sigaction(SIGINT, &action, NULL) ||
      sigaction(SIGHUP, &action, NULL))
    return -1;
  signal(SIGPIPE, SIG_IGN);
  return ends[0];
}

/// The next signal that came; 0 if none did.
static inline int csystemd_next_signal(int descriptor) {
  unsigned char number;
  return read(descriptor, &number, 1) == 1 ? number : 0;
}

/// Whether somebody listens on a socket's path: 0 if so, otherwise the errno of connecting. Does not
/// wait: a listener whose queue is full says EAGAIN.
static inline int csystemd_probe(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return ENAMETOOLONG;
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return errno;
  int failure = connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
  close(descriptor);
  return failure;
}
