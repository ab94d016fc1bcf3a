// The client's side of the floor: a DEALER that asks, subscribers that listen, one thread.
#include "CFloor.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zmq.h>

enum { payload = 64, most_subscribers = 128, most_samples = 400000, patience_ms = 5000 };

struct loop {
  void *asking, *listening[most_subscribers];
  int subscribers;
  uint64_t sent, answered, seen[most_subscribers];
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint64_t done(const struct loop *loop) {
  uint64_t least = loop->answered;
  for (int i = 0; i < loop->subscribers; i++)
    if (loop->seen[i] < least) least = loop->seen[i];
  return least;
}

static void send_one(struct loop *loop) {
  unsigned char body[payload] = {0};
  uint32_t slot = (uint32_t)(loop->sent % 1000);
  memcpy(body, &loop->sent, 8);
  memcpy(body + 8, &slot, 4);
  zmq_send(loop->asking, "", 0, ZMQ_SNDMORE);
  zmq_send(loop->asking, body, payload, 0);
  loop->sent++;
}

/// Takes what has come; waits for more, at most `milliseconds`, if nothing had.
static int step(struct loop *loop, long milliseconds) {
  unsigned char frame[128];
  int taken = 0;
  while (zmq_recv(loop->asking, frame, sizeof frame, ZMQ_DONTWAIT) >= 0) {
    zmq_recv(loop->asking, frame, sizeof frame, 0);
    loop->answered++;
    taken = 1;
  }
  for (int i = 0; i < loop->subscribers; i++)
    while (zmq_recv(loop->listening[i], frame, sizeof frame, ZMQ_DONTWAIT) >= 0) {
      uint64_t number;
      memcpy(&number, frame, 8);
      loop->seen[i] = number + 1;
      taken = 1;
    }
  if (taken) return 1;
  zmq_pollitem_t items[most_subscribers + 1];
  int count = 0;
  if (loop->answered < loop->sent) items[count++] = (zmq_pollitem_t){loop->asking, 0, ZMQ_POLLIN, 0};
  for (int i = 0; i < loop->subscribers; i++)
    if (loop->seen[i] < loop->sent)
      items[count++] = (zmq_pollitem_t){loop->listening[i], 0, ZMQ_POLLIN, 0};
  return zmq_poll(items, count, milliseconds) > 0;
}

/// Subscribers join late: sends until all of them follow.
static int join(struct loop *loop) {
  for (int i = 0; i < 200; i++) {
    send_one(loop);
    double until = now() + 0.05;
    while (done(loop) < loop->sent && now() < until) step(loop, 10);
    if (done(loop) == loop->sent) return 0;
  }
  return -1;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int one_by_one(struct loop *loop, double seconds, double *samples, int *count) {
  double until = now() + seconds;
  *count = 0;
  while (*count < most_samples) {
    double start = now();
    if (start > until) break;
    send_one(loop);
    while (done(loop) < loop->sent)
      if (!step(loop, patience_ms)) return -1;
    samples[(*count)++] = now() - start;
  }
  return 0;
}

static int windowed(struct loop *loop, double seconds, int window, double *per_second) {
  double start = now(), until = start + seconds;
  uint64_t first = loop->sent;
  for (;;) {
    uint64_t finished = done(loop);
    if (now() < until) {
      while (loop->sent - finished < (uint64_t)window) send_one(loop);
    } else if (finished == loop->sent) {
      break;
    }
    if (!step(loop, patience_ms)) return -1;
  }
  *per_second = (double)(loop->sent - first) / (now() - start);
  return 0;
}

int floor_drive(const char *requests, const char *updates, int subscribers, int window,
                double seconds, struct floor_figures *figures) {
  struct loop loop = {0};
  int mark = 0, linger = 0, count = 0, result = -1;
  if (subscribers > most_subscribers) return -1;
  double *samples = malloc(sizeof *samples * most_samples);
  if (!samples) return -1;
  void *context = zmq_ctx_new();
  loop.subscribers = subscribers;
  loop.asking = zmq_socket(context, ZMQ_DEALER);
  zmq_setsockopt(loop.asking, ZMQ_LINGER, &linger, sizeof linger);
  zmq_connect(loop.asking, requests);
  for (int i = 0; i < subscribers; i++) {
    loop.listening[i] = zmq_socket(context, ZMQ_SUB);
    zmq_setsockopt(loop.listening[i], ZMQ_RCVHWM, &mark, sizeof mark);
    zmq_setsockopt(loop.listening[i], ZMQ_SUBSCRIBE, "", 0);
    zmq_connect(loop.listening[i], updates);
  }
  if (!join(&loop) && !one_by_one(&loop, seconds / 2, samples, &count) &&
      !one_by_one(&loop, seconds, samples, &count) && count > 0) {
    qsort(samples, (size_t)count, sizeof *samples, by_size);
    figures->p50_us = samples[count / 2] * 1e6;
    figures->p99_us = samples[(int)(count * 0.99)] * 1e6;
    double warm;
    if (!windowed(&loop, seconds / 2, window, &warm))
      result = windowed(&loop, seconds, window, &figures->per_second);
  }
  zmq_close(loop.asking);
  for (int i = 0; i < subscribers; i++) zmq_close(loop.listening[i]);
  zmq_ctx_term(context);
  free(samples);
  return result;
}
