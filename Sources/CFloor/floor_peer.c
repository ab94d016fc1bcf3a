// The client's side of the floor: a DEALER that asks, subscribers that listen, one thread.
#include "peer.h"

#include <stdlib.h>
#include <zmq.h>

struct floor {
  struct peer peer;
  void *context, *asking, *listening[most_subscribers];
};

static void send_action(struct peer *peer, const unsigned char *body) {
  struct floor *self = (struct floor *)peer;
  zmq_send(self->asking, "", 0, ZMQ_SNDMORE);
  zmq_send(self->asking, body, payload, 0);
}

static void flush(struct peer *peer) { (void)peer; }

static int step(struct peer *peer, long milliseconds) {
  struct floor *self = (struct floor *)peer;
  unsigned char frame[128];
  int taken = 0;
  while (zmq_recv(self->asking, frame, sizeof frame, ZMQ_DONTWAIT) >= 0) {
    zmq_recv(self->asking, frame, sizeof frame, 0);
    peer->answered++;
    taken = 1;
  }
  for (int i = 0; i < peer->subscribers; i++)
    while (zmq_recv(self->listening[i], frame, sizeof frame, ZMQ_DONTWAIT) >= 0) {
      peer_note(peer, i, frame);
      taken = 1;
    }
  if (taken) return 1;
  zmq_pollitem_t items[most_subscribers + 2];
  int count = 0;
  if (peer->answered < peer->sent) items[count++] = (zmq_pollitem_t){self->asking, 0, ZMQ_POLLIN, 0};
  for (int i = 0; i < peer->subscribers; i++)
    if (peer->seen[i] < peer->sent)
      items[count++] = (zmq_pollitem_t){self->listening[i], 0, ZMQ_POLLIN, 0};
  if (peer->timer >= 0) items[count++] = (zmq_pollitem_t){NULL, peer->timer, ZMQ_POLLIN, 0};
  return zmq_poll(items, count, milliseconds);
}

static void close_floor(struct peer *peer) {
  struct floor *self = (struct floor *)peer;
  zmq_close(self->asking);
  for (int i = 0; i < peer->subscribers; i++) zmq_close(self->listening[i]);
  zmq_ctx_term(self->context);
}

struct peer *floor_connect(const char *requests, const char *updates, int subscribers) {
  int mark = 0, linger = 0;
  if (subscribers > most_subscribers) return NULL;
  struct floor *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->peer = (struct peer){send_action, flush, step, close_floor, subscribers, -1, 0, 0, {0}};
  self->context = zmq_ctx_new();
  self->asking = zmq_socket(self->context, ZMQ_DEALER);
  zmq_setsockopt(self->asking, ZMQ_LINGER, &linger, sizeof linger);
  zmq_connect(self->asking, requests);
  for (int i = 0; i < subscribers; i++) {
    self->listening[i] = zmq_socket(self->context, ZMQ_SUB);
    zmq_setsockopt(self->listening[i], ZMQ_RCVHWM, &mark, sizeof mark);
    zmq_setsockopt(self->listening[i], ZMQ_SUBSCRIBE, "", 0);
    zmq_connect(self->listening[i], updates);
  }
  return &self->peer;
}
