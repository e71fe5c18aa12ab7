// libFuzzer as a library: it comes with the Swift toolchain and has no header of its own.
#ifndef LIBFUZZER_H
#define LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

// Runs libFuzzer with the arguments of its command line, and calls back with each input. Gives the exit code.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*callback)(const uint8_t *data, size_t count));

#endif
