// The loops, the same for every kind of server: closed ones, and one with fixed arrivals.
#include "peer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static uint64_t done(const struct peer *peer) {
  uint64_t least = peer->answered;
  for (int i = 0; i < peer->subscribers; i++)
    if (peer->seen[i] < least) least = peer->seen[i];
  return least;
}

void peer_note(struct peer *peer, int subscriber, const unsigned char *update) {
  uint64_t number;
  memcpy(&number, update, sizeof number);
  peer->seen[subscriber] = number + 1;
}

static void send_one(struct peer *peer) {
  unsigned char body[payload] = {0};
  uint32_t slot = (uint32_t)(peer->sent % slots);
  memcpy(body, &peer->sent, 8);
  memcpy(body + 8, &slot, 4);
  peer->send(peer, body);
  peer->sent++;
}

int peer_join(struct peer *peer) {
  for (int i = 0; i < 200; i++) {
    send_one(peer);
    peer->flush(peer);
    int64_t until = now() + 50000000;
    while (done(peer) < peer->sent && now() < until)
      if (peer->step(peer, 10) < 0) return -1;
    if (done(peer) == peer->sent) return 0;
  }
  return -1;
}

int peer_one_by_one(struct peer *peer, double seconds, int64_t *latencies, int most) {
  int64_t until = now() + (int64_t)(seconds * 1e9);
  int count = 0;
  while (count < most) {
    int64_t start = now();
    if (start > until) break;
    send_one(peer);
    peer->flush(peer);
    while (done(peer) < peer->sent)
      if (peer->step(peer, patience_ms) < 1) return -1;
    latencies[count++] = now() - start;
  }
  return count;
}

double peer_windowed(struct peer *peer, double seconds, int window) {
  int64_t start = now(), until = start + (int64_t)(seconds * 1e9);
  uint64_t first = peer->sent;
  for (;;) {
    uint64_t finished = done(peer);
    if (now() < until) {
      while (peer->sent - finished < (uint64_t)window) send_one(peer);
      peer->flush(peer);
    } else if (finished == peer->sent) {
      break;
    }
    if (peer->step(peer, patience_ms) < 1) return -1;
  }
  return (double)(peer->sent - first) / ((double)(now() - start) / 1e9);
}

static void arm(int timer, int64_t at) {
  struct itimerspec when = {.it_value = {at / 1000000000, at % 1000000000}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

int peer_open_loop(struct peer *peer, int64_t interval, int64_t *latencies, int count) {
  uint64_t first = peer->sent, recorded = 0, total = (uint64_t)count;
  int64_t begin = now() + interval;
  int result = -1;
  if ((peer->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) < 0) return -1;
  for (;;) {
    int64_t time = now();
    for (uint64_t finished = done(peer) - first; recorded < finished; recorded++)
      latencies[recorded] = time - (begin + (int64_t)recorded * interval);
    if (recorded == total) {
      result = 0;
      break;
    }
    while (peer->sent - first < total && begin + (int64_t)(peer->sent - first) * interval <= time)
      send_one(peer);
    peer->flush(peer);
    if (peer->sent - first < total) arm(peer->timer, begin + (int64_t)(peer->sent - first) * interval);
    if (peer->step(peer, patience_ms) < 1) break;
  }
  close(peer->timer);
  peer->timer = -1;
  return result;
}

void peer_close(struct peer *peer) {
  if (!peer) return;
  peer->close(peer);
  free(peer);
}
