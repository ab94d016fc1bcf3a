// Processes that the benchmark starts, and their end.
#define _GNU_SOURCE
#include "CFloor.h"

#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most_text = 4096, most_arguments = 64 };

/// Cuts a command into its lines.
static int cut(const char *command, char *text, char **arguments) {
  int count = 0;
  if (strlen(command) >= most_text) return -1;
  strcpy(text, command);
  for (char *rest = text; rest && count < most_arguments - 1;)
    arguments[count++] = strsep(&rest, "\n");
  arguments[count] = NULL;
  return 0;
}

int floor_become(const char *command) {
  char text[most_text], *arguments[most_arguments];
  return cut(command, text, arguments) ? -1 : execv(arguments[0], arguments);
}

int64_t floor_run(const char *command) {
  char text[most_text], *arguments[most_arguments];
  int status = -1;
  if (cut(command, text, arguments)) return -1;
  struct timespec start, end;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child;
  int failed = posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ);
  if (!failed) waitpid(child, &status, 0);
  clock_gettime(CLOCK_MONOTONIC, &end);
  posix_spawn_file_actions_destroy(&actions);
  if (failed || status != 0) return -1;
  return (end.tv_sec - start.tv_sec) * 1000000000L + end.tv_nsec - start.tv_nsec;
}
