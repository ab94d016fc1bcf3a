#pragma once
// The floor that Statecast is measured against: the same closed loop on libzmq alone, in C, with no
// layer of ours. An action is done when its reply is in and every subscriber has its update. Redis
// and NATS are driven in the same way, over their own protocols.

#include <stdint.h>

/// Serves until SIGTERM. `file` null: reply and publish at once. Otherwise drain what waits, append
/// 100 bytes an action, one fdatasync, then publish and reply (group commit).
int floor_serve(const char *requests, const char *updates, const char *file);

/// Serves that many bytes in one message to whoever asks with a body, nothing to whoever asks
/// without one, until SIGTERM.
int floor_serve_bytes(const char *requests, const void *bytes, long size);

/// An acting connection and its subscribers, to a server of some kind.
struct peer;

/// To `floor_serve`. Null if it cannot be made.
struct peer *floor_connect(const char *requests, const char *updates, int subscribers);
/// To a Redis server on a Unix socket: a script of HINCRBY and PUBLISH, as the floor's bump is.
struct peer *redis_connect(const char *path, int subscribers);
/// To `nats_respond` on a NATS server.
struct peer *nats_connect(int port, int subscribers);
void peer_close(struct peer *peer);

/// Subscribers join late: sends until all of them follow. 0, or -1 if they do not.
int peer_join(struct peer *peer);

/// One action at a time for that long; the nanoseconds of each, `most` at most. Gives how many, or
/// -1 when nothing came for 5 s.
int peer_one_by_one(struct peer *peer, double seconds, int64_t *latencies, int most);

/// Actions a second with `window` of them open; negative when nothing came for 5 s.
double peer_windowed(struct peer *peer, double seconds, int window);

/// One action every `interval` nanoseconds, `count` of them, whatever became of those before; the
/// nanoseconds of each from when it was to be sent. 0, or -1 when nothing came for 5 s.
int peer_open_loop(struct peer *peer, int64_t interval, int64_t *latencies, int count);

/// Answers the requests of `nats_connect` for ever, as the floor's server does.
int nats_respond(int port);

/// A port of this machine that nobody listens on; -1 if there is none.
int floor_free_port(void);

/// Runs a program whose path and arguments stand on lines, its output thrown away: nanoseconds from
/// start to exit, or -1 if it cannot be started or fails.
int64_t floor_run(const char *command);

/// Becomes a program in this process, with path and arguments on lines; -1 if it cannot.
int floor_become(const char *command);
