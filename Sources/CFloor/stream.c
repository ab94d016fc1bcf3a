#include "stream.h"

#include "peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int stream_unix(struct stream *stream, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  stream->file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return connect(stream->file, (struct sockaddr *)&address, sizeof address);
}

int stream_tcp(struct stream *stream, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  int on = 1;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  stream->file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(stream->file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return connect(stream->file, (struct sockaddr *)&address, sizeof address);
}

void stream_put(struct stream *stream, const void *bytes, size_t size) {
  if (stream->queued + size > stream_room) stream_flush(stream);
  if (size > stream_room - stream->queued) return;
  memcpy(stream->out + stream->queued, bytes, size);
  stream->queued += size;
}

int stream_flush(struct stream *stream) {
  size_t done = 0;
  while (done < stream->queued) {
    ssize_t count = send(stream->file, stream->out + done, stream->queued - done, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    done += (size_t)count;
  }
  stream->queued = 0;
  return 0;
}

int stream_wait(const struct stream *acting, const struct stream *listening, int count, int timer,
                long milliseconds, short ready[]) {
  struct pollfd items[most_subscribers + 2];
  items[0] = (struct pollfd){acting->file, POLLIN, 0};
  for (int i = 0; i < count; i++) items[i + 1] = (struct pollfd){listening[i].file, POLLIN, 0};
  items[count + 1] = (struct pollfd){timer, POLLIN, 0};
  int found = poll(items, (nfds_t)count + 2, (int)milliseconds);
  for (int i = 0; i <= count; i++) ready[i] = items[i].revents;
  return found;
}

long stream_fill(struct stream *stream) {
  ssize_t count = recv(stream->file, stream->in + stream->have, stream_room - stream->have, MSG_DONTWAIT);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return -1;
  if (count > 0) stream->have += (size_t)count;
  return (long)stream->have;
}

int stream_expect(struct stream *stream, size_t size) {
  while (stream->have < size) {
    struct pollfd item = {stream->file, POLLIN, 0};
    if (poll(&item, 1, 5000) < 1 || stream_fill(stream) < 0) return -1;
  }
  return 0;
}

void stream_drop(struct stream *stream, size_t size) {
  memmove(stream->in, stream->in + size, stream->have - size);
  stream->have -= size;
}

size_t stream_line(const struct stream *stream, size_t from) {
  const unsigned char *end = memchr(stream->in + from, '\n', stream->have - from);
  return end ? (size_t)(end - stream->in) + 1 - from : 0;
}
