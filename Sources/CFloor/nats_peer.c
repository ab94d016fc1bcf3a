// NATS in the same loop: a request to a responder, which publishes the 64 bytes and replies.
#include "peer.h"
#include "stream.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct nats {
  struct peer peer;
  struct stream acting;
  struct stream listening[];
};

static void put_text(struct stream *stream, const char *text) {
  stream_put(stream, text, strlen(text));
}

static void publish(struct stream *stream, const char *heading, const unsigned char *body) {
  put_text(stream, heading);
  stream_put(stream, body, payload);
  put_text(stream, "\r\n");
}

static void send_action(struct peer *peer, const unsigned char *body) {
  publish(&((struct nats *)peer)->acting, "PUB act answers 64\r\n", body);
}

static void flush(struct peer *peer) { stream_flush(&((struct nats *)peer)->acting); }

/// Calls `got` with each message's heading and body; answers the server's PING.
static int take(struct stream *stream, void (*got)(void *, int, const unsigned char *), void *self,
                int index) {
  size_t at = 0, line;
  if (stream_fill(stream) < 0) return -1;
  while ((line = stream_line(stream, at))) {
    const unsigned char *heading = stream->in + at;
    if (line > 3 && !memcmp(heading, "MSG", 3)) {
      if (stream->have - at < line + payload + 2) break;
      got(self, index, heading + line);
      at += line + payload + 2;
    } else {
      if (line > 4 && !memcmp(heading, "PING", 4)) {
        put_text(stream, "PONG\r\n");
        stream_flush(stream);
      } else if (*heading == '-') {
        return -1;
      }
      at += line;
    }
  }
  stream_drop(stream, at);
  return 0;
}

static void got_reply(void *self, int index, const unsigned char *body) {
  (void)index, (void)body;
  ((struct nats *)self)->peer.answered++;
}

static void got_update(void *self, int index, const unsigned char *body) {
  peer_note(&((struct nats *)self)->peer, index, body);
}

static int step(struct peer *peer, long milliseconds) {
  struct nats *self = (struct nats *)peer;
  short ready[most_subscribers + 1];
  int found = stream_wait(&self->acting, self->listening, peer->subscribers, peer->timer, milliseconds,
                          ready);
  if (found < 1) return found;
  if (ready[0] && take(&self->acting, got_reply, self, 0)) return -1;
  for (int i = 0; i < peer->subscribers; i++)
    if (ready[i + 1] && take(&self->listening[i], got_update, self, i)) return -1;
  return found;
}

static void close_nats(struct peer *peer) {
  struct nats *self = (struct nats *)peer;
  close(self->acting.file);
  for (int i = 0; i < peer->subscribers; i++) close(self->listening[i].file);
}

/// Connects and subscribes; the PONG says that the server has both.
static int open_stream(struct stream *stream, int port, const char *subject) {
  if (stream_tcp(stream, port)) return -1;
  put_text(stream, "CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB ");
  put_text(stream, subject);
  put_text(stream, " 1\r\nPING\r\n");
  if (stream_flush(stream)) return -1;
  for (;;) {
    size_t line;
    while (!(line = stream_line(stream, 0)))
      if (stream_expect(stream, stream->have + 1)) return -1;
    int is_pong = !memcmp(stream->in, "PONG", 4);
    stream_drop(stream, line);
    if (is_pong) return 0;
  }
}

struct peer *nats_connect(int port, int subscribers) {
  if (subscribers > most_subscribers) return NULL;
  struct nats *self = calloc(1, sizeof *self + sizeof(struct stream) * (size_t)subscribers);
  if (!self) return NULL;
  self->peer = (struct peer){send_action, flush, step, close_nats, subscribers, -1, 0, 0, {0}};
  int failed = open_stream(&self->acting, port, "answers");
  for (int i = 0; i < subscribers && !failed; i++)
    failed = open_stream(&self->listening[i], port, "updates");
  if (!failed) return &self->peer;
  free(self);
  return NULL;
}

struct responder {
  struct stream stream;
  uint64_t slot[slots];
};

static void got_action(void *context, int index, const unsigned char *body) {
  struct responder *self = context;
  uint32_t number;
  (void)index;
  memcpy(&number, body + 8, sizeof number);
  self->slot[number % slots]++;
  publish(&self->stream, "PUB updates 64\r\n", body);
  publish(&self->stream, "PUB answers 64\r\n", body);
}

int nats_respond(int port) {
  struct responder *self = calloc(1, sizeof *self);
  if (!self || open_stream(&self->stream, port, "act")) return -1;
  for (;;) {
    struct pollfd item = {self->stream.file, POLLIN, 0};
    if (poll(&item, 1, -1) < 1) continue;
    if (take(&self->stream, got_action, self, 0) || stream_flush(&self->stream)) return -1;
  }
}

int floor_free_port(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), port = -1;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!bind(file, (struct sockaddr *)&address, size) &&
      !getsockname(file, (struct sockaddr *)&address, &size))
    port = ntohs(address.sin_port);
  close(file);
  return port;
}
