// The server's side of the floor: ROUTER in, 64 bytes out on PUB, a reply.
#include "peer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

enum { batch_limit = 256, record = 100 };

struct action {
  unsigned char route[32], body[128];
  int route_size, body_size;
};

static volatile sig_atomic_t ended;
static void end(int signal) {
  (void)signal;
  ended = 1;
}

static int receive(void *router, struct action *action) {
  unsigned char empty[8];
  action->route_size = zmq_recv(router, action->route, sizeof action->route, ZMQ_DONTWAIT);
  if (action->route_size < 0) return 0;
  zmq_recv(router, empty, sizeof empty, 0);
  action->body_size = zmq_recv(router, action->body, sizeof action->body, 0);
  return action->body_size > 0;
}

static int append(int file, off_t *end, const struct action *actions, int count) {
  static unsigned char records[batch_limit * record];
  for (int i = 0; i < count; i++) memcpy(records + i * record, actions[i].body, actions[i].body_size);
  if (pwrite(file, records, (size_t)count * record, *end) != count * record) return -1;
  *end += count * record;
  return fdatasync(file);
}

int floor_serve(const char *requests, const char *updates, const char *path) {
  static struct action actions[batch_limit];
  static uint64_t counter, slot[slots];
  int mark = 100000, linger = 0, file = -1;
  off_t at = 0;
  struct sigaction on_term = {.sa_handler = end};
  sigaction(SIGTERM, &on_term, NULL);
  if (path && (file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600)) < 0) return -1;
  void *context = zmq_ctx_new(), *router = zmq_socket(context, ZMQ_ROUTER),
       *publisher = zmq_socket(context, ZMQ_PUB);
  zmq_setsockopt(router, ZMQ_SNDHWM, &mark, sizeof mark);
  zmq_setsockopt(publisher, ZMQ_SNDHWM, &mark, sizeof mark);
  zmq_setsockopt(router, ZMQ_LINGER, &linger, sizeof linger);
  zmq_setsockopt(publisher, ZMQ_LINGER, &linger, sizeof linger);
  if (zmq_bind(router, requests) || zmq_bind(publisher, updates)) return -1;
  int failed = 0;
  while (!ended && !failed) {
    zmq_pollitem_t item = {router, 0, ZMQ_POLLIN, 0};
    if (zmq_poll(&item, 1, 500) < 1) continue;
    for (;;) {
      int count = 0, limit = path ? batch_limit : 1;
      while (count < limit && receive(router, &actions[count])) count++;
      if (!count) break;
      if (path && append(file, &at, actions, count)) {
        failed = 1;
        break;
      }
      for (int i = 0; i < count; i++) {
        uint32_t number;
        memcpy(&number, actions[i].body + 8, sizeof number);
        counter++;
        slot[number % slots]++;
        zmq_send(publisher, actions[i].body, (size_t)actions[i].body_size, 0);
        zmq_send(router, actions[i].route, (size_t)actions[i].route_size, ZMQ_SNDMORE);
        zmq_send(router, "", 0, ZMQ_SNDMORE);
        zmq_send(router, actions[i].body, (size_t)actions[i].body_size, 0);
      }
    }
  }
  zmq_close(router);
  zmq_close(publisher);
  zmq_ctx_term(context);
  if (file >= 0) close(file);
  return failed ? -1 : 0;
}

int floor_serve_bytes(const char *requests, const void *bytes, long size) {
  int linger = 0;
  struct sigaction on_term = {.sa_handler = end};
  sigaction(SIGTERM, &on_term, NULL);
  void *context = zmq_ctx_new(), *router = zmq_socket(context, ZMQ_ROUTER);
  zmq_setsockopt(router, ZMQ_LINGER, &linger, sizeof linger);
  if (zmq_bind(router, requests)) return -1;
  while (!ended) {
    unsigned char route[32], body[128];
    zmq_pollitem_t item = {router, 0, ZMQ_POLLIN, 0};
    if (zmq_poll(&item, 1, 500) < 1) continue;
    int route_size = zmq_recv(router, route, sizeof route, 0);
    int asked = route_size < 0 ? -1 : zmq_recv(router, body, sizeof body, 0);
    if (asked < 0) continue;
    zmq_send(router, route, (size_t)route_size, ZMQ_SNDMORE);
    zmq_send(router, bytes, asked ? (size_t)size : 0, 0);
  }
  zmq_close(router);
  zmq_ctx_term(context);
  return 0;
}
