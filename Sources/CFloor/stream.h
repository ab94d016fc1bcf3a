// A connection with a buffer at each end, for the servers that speak in text.
#pragma once
#include <stddef.h>

enum { stream_room = 1 << 18 };

struct stream {
  int file;
  size_t have, queued;
  unsigned char in[stream_room], out[stream_room];
};

int stream_unix(struct stream *stream, const char *path);
int stream_tcp(struct stream *stream, int port);
/// Queues bytes; writes when there is no room.
void stream_put(struct stream *stream, const void *bytes, size_t size);
int stream_flush(struct stream *stream);
/// Waits until the acting one (`ready[0]`), a listening one (`ready[1 + its place]`) or the timer has
/// something: how many have, 0 when the time is up, or -1.
int stream_wait(const struct stream *acting, const struct stream *listening, int count, int timer,
                long milliseconds, short ready[]);
/// Takes what has come, without waiting: how much is there now, or -1 at the end.
long stream_fill(struct stream *stream);
/// Waits for so many bytes.
int stream_expect(struct stream *stream, size_t size);
/// Drops bytes that were read.
void stream_drop(struct stream *stream, size_t size);
/// The length of the first line with its end; 0 if it is not there yet.
size_t stream_line(const struct stream *stream, size_t from);
