import Testing

/// Everything that starts daemons and clients, one test after the other: two cores are quickly too
/// few for the time limits of several such tests at once.
@Suite("Spawned", .serialized, .timeLimit(.minutes(3)))
enum Spawned {}
