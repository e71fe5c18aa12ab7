#include <sys/prctl.h>

// Names the calling thread for debuggers: the first 15 bytes. `prctl` is variadic, which Swift does not import.
static inline void shim_name_thread(const char *name) { prctl(PR_SET_NAME, name); }
