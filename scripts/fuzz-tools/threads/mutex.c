// Tells the thread sanitizer what Swift's Mutex does where it cannot see it.
//
// Locking without contention is inlined into the program and is instrumented. With contention libswiftSynchronization.so
// does it, with a priority-inheriting futex: the kernel hands the lock over, no instrumented instruction does, and the
// sanitizer takes all that the lock orders for races. This library is loaded before that one, stands in for its three
// functions, and says what they order. It hides nothing: an access without the lock is still found.
//
// For x86-64 and arm64 with a clang that knows Swift's calls.

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define HANDLE "$s15Synchronization12_MutexHandleV"
#define LOCK HANDLE "9_lockSlowyys6UInt32VF"
#define TRY_LOCK HANDLE "12_tryLockSlowSbyF"
#define UNLOCK HANDLE "11_unlockSlowyyF"

// The sanitizer's, when the process has it: the library is loaded into `swift` and its children too.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

// The handle begins with the futex, by whose address the instrumented accesses are known.
static void acquired(void *handle) {
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF void *handle) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF void *handle) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
  SWIFT void (*next)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
  next(thread, handle);
  acquired(handle);
}

SWIFT bool try_lock_slow(SELF void *handle) {
  SWIFT bool (*next)(SELF void *) = dlsym(RTLD_NEXT, TRY_LOCK);
  bool locked = next(handle);
  if (locked) acquired(handle);
  return locked;
}

SWIFT void unlock_slow(SELF void *handle) {
  SWIFT void (*next)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(handle);
  next(handle);
}
