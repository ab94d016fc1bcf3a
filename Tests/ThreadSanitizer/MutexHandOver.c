// Shows ThreadSanitizer how Swift's `Mutex` is handed from one thread to another.
//
// Two threads that meet at a `Mutex` go through three functions of the toolchain's runtime, and the
// kernel passes the lock on. The runtime is not instrumented: ThreadSanitizer sees neither who gave
// nor who got, and reports whatever the lock protects as a race. These functions have the names of
// the runtime's, so a program that is linked with them calls them first; each calls the runtime's
// own, and says what has happened. The lock itself remains the one that is shipped.
//
// Only `make tsan` links this. Where a later toolchain names its functions otherwise, nothing here
// is called, and the false reports are back: a loud failure, not a silent one.
// For RTLD_NEXT.
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Absent in what is linked without the sanitizer, such as a macro.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

// As Swift passes them: the lock, which is `self`, goes in the context's register.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *lock

typedef SWIFT void LockSlow(uint32_t thread, SELF);
typedef SWIFT bool TryLockSlow(SELF);
typedef SWIFT void UnlockSlow(SELF);

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void *runtimes(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

SWIFT void lockSlow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT void lockSlow(uint32_t thread, SELF) {
  ((LockSlow *)runtimes(LOCK_SLOW))(thread, lock);
  if (__tsan_acquire) __tsan_acquire(lock);
}

SWIFT bool tryLockSlow(SELF) __asm__(TRY_LOCK_SLOW);
SWIFT bool tryLockSlow(SELF) {
  bool taken = ((TryLockSlow *)runtimes(TRY_LOCK_SLOW))(lock);
  if (taken && __tsan_acquire) __tsan_acquire(lock);
  return taken;
}

SWIFT void unlockSlow(SELF) __asm__(UNLOCK_SLOW);
SWIFT void unlockSlow(SELF) {
  if (__tsan_release) __tsan_release(lock);
  ((UnlockSlow *)runtimes(UNLOCK_SLOW))(lock);
}
