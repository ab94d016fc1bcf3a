#pragma once
#include <histedit.h>
#include <stdio.h>
#include <sys/eventfd.h>

// el_set and history are variadic, which Swift does not import; stdin and stdout are macros or
// shared state to it. One function for each use.

static inline EditLine *statecast_el_open(const char *program) {
  return el_init(program, stdin, stdout, stderr);
}
static inline void statecast_el_prompt(EditLine *line, char *(*prompt)(EditLine *)) {
  el_set(line, EL_PROMPT, prompt);
}
static inline void statecast_el_read(EditLine *line, int (*read)(EditLine *, wchar_t *)) {
  el_wset(line, EL_GETCFN, read);
}
static inline void statecast_el_complete(EditLine *line, unsigned char (*complete)(EditLine *, int)) {
  el_set(line, EL_ADDFN, "statecast-complete", "complete an action", complete);
  el_set(line, EL_BIND, "^I", "statecast-complete", NULL);
}
static inline void statecast_el_defaults(EditLine *line) {
  el_set(line, EL_EDITOR, "emacs");
}
// Takes the terminal for editing, or gives it back as it was.
static inline void statecast_el_prepare(EditLine *line, int edits) { el_set(line, EL_PREP_TERM, edits); }
static inline void statecast_el_refresh(EditLine *line) { el_set(line, EL_REFRESH, NULL); }
static inline void statecast_el_history(EditLine *line, History *past) {
  el_set(line, EL_HIST, history, past);
}
static inline void statecast_history_size(History *past, int size) {
  HistEvent event;
  history(past, &event, H_SETSIZE, size);
}
static inline void statecast_history_enter(History *past, const char *text) {
  HistEvent event;
  history(past, &event, H_ENTER, text);
}
// Erases the line being edited, so that something can be printed above it.
static inline void statecast_el_erase(void) {
  fputs("\r\033[J", stdout);
  fflush(stdout);
}
static inline void statecast_print(const char *text) {
  fputs(text, stdout);
  fputc('\n', stdout);
  fflush(stdout);
}
