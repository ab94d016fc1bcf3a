#pragma once
// The floor that Statecast is measured against: the same closed loop on libzmq alone, in C, with no
// layer of ours. An action is done when its reply is in and every subscriber has its update.

/// Serves until SIGTERM. `file` null: reply and publish at once. Otherwise drain what waits, append
/// 100 bytes an action, one fdatasync, then publish and reply (group commit).
int floor_serve(const char *requests, const char *updates, const char *file);

struct floor_figures {
  double p50_us;
  double p99_us;
  double per_second;
};

/// Drives a server for `seconds` one action at a time and for `seconds` with `window` actions open,
/// each after a warm-up of half of that. 0, or -1 when an update was lost or nothing came for 5 s.
int floor_drive(const char *requests, const char *updates, int subscribers, int window,
                double seconds, struct floor_figures *figures);

/// Ends this process with the one that started it, however that ends.
void floor_end_with_parent(void);
