// libFuzzer's driver, for a program that has a `main` of its own. The header that LLVM has for it
// declares nothing else.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*one_input)(const uint8_t *data, size_t size));
