// Redis in the same loop: a script bumps a field of a hash and publishes the 64 bytes.
#include "peer.h"
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct redis {
  struct peer peer;
  struct stream acting;
  char digest[41];
  struct stream listening[];
};

static const char heading[] = "*3\r\n$7\r\nmessage\r\n$2\r\nch\r\n$64\r\n";
enum { message = sizeof heading - 1 + payload + 2 };

static void send_action(struct peer *peer, const unsigned char *body) {
  struct redis *self = (struct redis *)peer;
  char text[160];
  uint32_t slot;
  memcpy(&slot, body + 8, sizeof slot);
  int field = snprintf(NULL, 0, "f%u", slot);
  int size = snprintf(text, sizeof text,
                      "*7\r\n$7\r\nEVALSHA\r\n$40\r\n%s\r\n$1\r\n2\r\n$1\r\nh\r\n$2\r\nch\r\n$%d\r\nf%u\r\n$64\r\n",
                      self->digest, field, slot);
  stream_put(&self->acting, text, (size_t)size);
  stream_put(&self->acting, body, payload);
  stream_put(&self->acting, "\r\n", 2);
}

static void flush(struct peer *peer) { stream_flush(&((struct redis *)peer)->acting); }

/// Replies are integers, a line each.
static int take_replies(struct redis *self) {
  size_t at = 0, line;
  if (stream_fill(&self->acting) < 0) return -1;
  while ((line = stream_line(&self->acting, at))) {
    if (self->acting.in[at] != ':') return -1;
    self->peer.answered++;
    at += line;
  }
  stream_drop(&self->acting, at);
  return 0;
}

static int take_updates(struct redis *self, int subscriber) {
  struct stream *stream = &self->listening[subscriber];
  size_t at = 0;
  if (stream_fill(stream) < 0) return -1;
  for (; stream->have - at >= message; at += message) {
    if (memcmp(stream->in + at, heading, sizeof heading - 1)) return -1;
    peer_note(&self->peer, subscriber, stream->in + at + sizeof heading - 1);
  }
  stream_drop(stream, at);
  return 0;
}

static int step(struct peer *peer, long milliseconds) {
  struct redis *self = (struct redis *)peer;
  short ready[most_subscribers + 1];
  int found = stream_wait(&self->acting, self->listening, peer->subscribers, peer->timer, milliseconds,
                          ready);
  if (found < 1) return found;
  if (ready[0] && take_replies(self)) return -1;
  for (int i = 0; i < peer->subscribers; i++)
    if (ready[i + 1] && take_updates(self, i)) return -1;
  return found;
}

static void close_redis(struct peer *peer) {
  struct redis *self = (struct redis *)peer;
  close(self->acting.file);
  for (int i = 0; i < peer->subscribers; i++) close(self->listening[i].file);
}

static int load(struct redis *self) {
  static const char script[] =
      "local v=redis.call('HINCRBY',KEYS[1],ARGV[1],1) redis.call('PUBLISH',KEYS[2],ARGV[2]) return v";
  char text[256];
  int size = snprintf(text, sizeof text, "*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n$%zu\r\n%s\r\n",
                      sizeof script - 1, script);
  stream_put(&self->acting, text, (size_t)size);
  if (stream_flush(&self->acting) || stream_expect(&self->acting, 47)) return -1;
  if (memcmp(self->acting.in, "$40\r\n", 5)) return -1;
  memcpy(self->digest, self->acting.in + 5, 40);
  stream_drop(&self->acting, 47);
  return 0;
}

static int subscribe(struct stream *stream, const char *path) {
  static const char ask[] = "*2\r\n$9\r\nSUBSCRIBE\r\n$2\r\nch\r\n",
                    answer[] = "*3\r\n$9\r\nsubscribe\r\n$2\r\nch\r\n:1\r\n";
  if (stream_unix(stream, path)) return -1;
  stream_put(stream, ask, sizeof ask - 1);
  if (stream_flush(stream) || stream_expect(stream, sizeof answer - 1)) return -1;
  stream_drop(stream, sizeof answer - 1);
  return 0;
}

struct peer *redis_connect(const char *path, int subscribers) {
  if (subscribers > most_subscribers) return NULL;
  struct redis *self = calloc(1, sizeof *self + sizeof(struct stream) * (size_t)subscribers);
  if (!self) return NULL;
  self->peer = (struct peer){send_action, flush, step, close_redis, subscribers, -1, 0, 0, {0}};
  int failed = stream_unix(&self->acting, path) || load(self);
  for (int i = 0; i < subscribers && !failed; i++) failed = subscribe(&self->listening[i], path);
  if (!failed) return &self->peer;
  free(self);
  return NULL;
}
