#include "CSimdJSON.h"
#include <simdjson.h>
#define STATECAST_TEXT(x) #x
#define STATECAST_EXPANDED(x) STATECAST_TEXT(x)
extern "C" const char *statecast_simdjson_version(void) { return STATECAST_EXPANDED(SIMDJSON_VERSION); }
