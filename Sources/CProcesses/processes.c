// Starting a program and hearing of its end, in the calls that Swift can only make through pointers,
// and, between fork and exec, in what may be called there at all.

#define _GNU_SOURCE
#include "CProcesses.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// From linux/close_range.h, which older kernel headers lack.
#define CLOSE_ON_EXEC (1U << 2)

/// Pointers to the words of a list, and NULL behind them; to be freed.
static char **pointers(const char *words, size_t size) {
  size_t count = 0;
  for (size_t place = 0; place < size; place++) count += words[place] == 0;
  char **list = malloc((count + 1) * sizeof *list);
  if (!list) return NULL;
  for (size_t index = 0; index < count; index++) {
    list[index] = (char *)words;
    words += strlen(words) + 1;
  }
  list[count] = NULL;
  return list;
}

/// In the new process: becomes the program, or returns why not. Only what a signal handler may call.
static int become(
    const char *path, char **words, char **environment, int descriptors[3], int flags, pid_t parent) {
  if (flags & CPROCESSES_ENDS_WITH_PARENT) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    // It may have died before it was asked to tell.
    if (getppid() != parent) _exit(127);
  }
  if (flags & CPROCESSES_OWN_SESSION) setsid();
  // Above the three first: one of them may be the other's number.
  for (int number = 0; number < 3; number++) {
    descriptors[number] = descriptors[number] < 0 ? open("/dev/null", O_RDWR)
                                                  : fcntl(descriptors[number], F_DUPFD, 3);
    if (descriptors[number] < 0) return errno;
    if (descriptors[number] < 3 && (descriptors[number] = fcntl(descriptors[number], F_DUPFD, 3)) < 0)
      return errno;
  }
  for (int number = 0; number < 3; number++)
    if (dup2(descriptors[number], number) < 0) return errno;
  // What others in this process have open without close-on-exec is not the program's. A kernel before
  // 5.11 does not know it: then it has what exec leaves.
  syscall(SYS_close_range, 3U, ~0U, CLOSE_ON_EXEC);
  // A program expects to be told of a broken pipe by its death, and no signals to be held back.
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(path, words, environment);
  return errno;
}

pid_t cprocesses_start(
    const char *path, const char *words, size_t words_size, const char *environment,
    size_t environment_size, int input, int output, int error, int flags, int *failure) {
  int report[2];
  char **word_list = pointers(words, words_size);
  char **environment_list = pointers(environment, environment_size);
  pid_t child = -1;
  if (!word_list || !environment_list) {
    *failure = ENOMEM;
  } else if (pipe2(report, O_CLOEXEC) != 0) {
    *failure = errno;
  } else {
    pid_t parent = getpid();
    child = fork();
    if (child == 0) {
      // Not in the way of the three.
      int heard = fcntl(report[1], F_DUPFD_CLOEXEC, 3);
      int descriptors[3] = {input, output, error};
      int code = become(path, word_list, environment_list, descriptors, flags, parent);
      ssize_t written = write(heard, &code, sizeof code);
      (void)written;
      _exit(127);
    }
    *failure = child < 0 ? errno : 0;
    close(report[1]);
    ssize_t count;
    // Nothing comes where it became the program: that closed it.
    while (child > 0 && (count = read(report[0], failure, sizeof *failure)) < 0 && errno == EINTR) {
    }
    close(report[0]);
    if (child > 0 && *failure != 0) {
      cprocesses_reap(child);
      child = -1;
    }
  }
  free(word_list);
  free(environment_list);
  return child;
}

int cprocesses_wait(pid_t pid) {
  siginfo_t info = {0};
  while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0)
    if (errno != EINTR) return -1000;
  return info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
}

void cprocesses_reap(pid_t pid) {
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
  }
}

int cprocesses_watch(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int cprocesses_wait_watched(int descriptor, int milliseconds) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long end = now.tv_sec * 1000LL + now.tv_nsec / 1000000 + milliseconds;
  struct pollfd item = {.fd = descriptor, .events = POLLIN};
  for (;;) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    long long left = end - (now.tv_sec * 1000LL + now.tv_nsec / 1000000);
    int result = poll(&item, 1, left > 0 ? (int)left : 0);
    if (result > 0) return 1;
    if (result == 0 || errno != EINTR) return 0;
  }
}
