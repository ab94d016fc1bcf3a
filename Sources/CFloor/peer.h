// What the loops of `drive.c` know of a connection to a server.
#pragma once
#include "CFloor.h"

enum { payload = 64, slots = 1000, most_subscribers = 128, patience_ms = 5000 };

struct peer {
  /// Queues one action, whose bytes begin with its number and its slot.
  void (*send)(struct peer *, const unsigned char *body);
  /// Lets go what is queued.
  void (*flush)(struct peer *);
  /// Takes what has come; waits for more, at most so long, if nothing had, and also for the timer.
  /// Positive if there was something or may be now, 0 if the time is up, -1 if it failed.
  int (*step)(struct peer *, long milliseconds);
  void (*close)(struct peer *);
  int subscribers;
  /// Of an open loop; -1 otherwise.
  int timer;
  uint64_t sent, answered, seen[most_subscribers];
};

/// What a subscriber got: the update's first bytes are its action's number.
void peer_note(struct peer *peer, int subscriber, const unsigned char *update);
