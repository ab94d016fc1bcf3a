#pragma once
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <zmq.h>

// GNU extensions, which the headers show only with _GNU_SOURCE; a module cannot set that for headers
// that others import as well, so they are declared here.

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
int pthread_setname_np(unsigned long thread, const char *name);

/// poll(2) with a time-out in nanoseconds; a negative one waits for ever.
static inline int czmq_wait(struct pollfd *fds, nfds_t count, long long nanoseconds) {
  struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  return ppoll(fds, count, nanoseconds < 0 ? NULL : &time, NULL);
}

/// Names the calling thread, for people who look with ps or gdb; the kernel takes fifteen bytes.
static inline void czmq_name_thread(unsigned long thread, const char *name) {
  pthread_setname_np(thread, name);
}
