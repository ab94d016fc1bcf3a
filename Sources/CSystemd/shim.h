#pragma once
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

// What a service asks of the system in structures that Swift can only fill through pointers.

static inline sigset_t csystemd_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  return signals;
}

/// Blocks the signals that end or refresh a service, for this thread and those it starts, and
/// ignores SIGPIPE; 0, or -1 with errno.
static inline int csystemd_hold_back_signals(void) {
  sigset_t signals = csystemd_signals();
  signal(SIGPIPE, SIG_IGN);
  return sigprocmask(SIG_BLOCK, &signals, NULL);
}

/// Blocks them, and returns a descriptor that tells them; -1 with errno otherwise.
static inline int csystemd_open_signals(void) {
  sigset_t signals = csystemd_signals();
  if (csystemd_hold_back_signals() != 0) return -1;
  return signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

/// The next signal that came; 0 if none did.
static inline int csystemd_next_signal(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
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
