#ifndef CPROCESSES_H
#define CPROCESSES_H

#include <sys/types.h>

/// Dies with the thread that started it (PR_SET_PDEATHSIG): start it from one that waits for its end.
#define CPROCESSES_ENDS_WITH_PARENT 1
/// Leads a session of its own: no terminal's signals reach it.
#define CPROCESSES_OWN_SESSION 2

/// Starts a program; -1 with errno in `failure` where that does not work.
///
/// Lists are words with a zero byte behind each. -1 in place of a descriptor is /dev/null.
pid_t cprocesses_start(
    const char *path, const char *words, size_t words_size, const char *environment,
    size_t environment_size, int input, int output, int error, int flags, int *failure);

/// Waits until a child has ended, and leaves it to be reaped: until then its number is nobody else's.
///
/// Returns its exit code, or the negative number of the signal that ended it; -1000 if it is no child
/// of this process (any more).
int cprocesses_wait(pid_t pid);

/// Takes away what is left of a child that has ended.
void cprocesses_reap(pid_t pid);

/// A descriptor of any process, which is readable once it has ended; -1 where there is none.
int cprocesses_watch(pid_t pid);

/// Waits until the process of such a descriptor has ended, for so long at most. 1 when it has, else 0.
int cprocesses_wait_watched(int descriptor, int milliseconds);

#endif
