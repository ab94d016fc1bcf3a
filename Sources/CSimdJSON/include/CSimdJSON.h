#pragma once
// A plain C face of simdjson's parser: Swift does not import its C++ templates.
#ifdef __cplusplus
extern "C" {
#endif
/// The version of simdjson this was built with.
const char *statecast_simdjson_version(void);
#ifdef __cplusplus
}
#endif
