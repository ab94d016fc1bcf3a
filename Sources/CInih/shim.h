#pragma once
#include <ini.h>

/// Parses with what a configuration file of one key a line needs: libinih's continuation lines would
/// take an indented key for more of the value above. A setting of the whole process, which Swift
/// refuses as shared state; nothing else here uses libinih.
static inline int cinih_parse(ini_reader reader, void *lines, ini_handler handler, void *user) {
  ini_allow_multiline = false;
  return ini_parse_stream(reader, lines, handler, user);
}
