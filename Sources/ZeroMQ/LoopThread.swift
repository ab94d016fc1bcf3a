internal import CZeroMQ
internal import Glibc

/// A thread with a stack of a known size: Swift's own have 8 MiB or less, and a reducer may recurse
/// as deep as its state is nested.
enum LoopThread {
  private final class Start {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts it; the caller joins or detaches it.
  static func spawn(
    name: String, stackBytes: Int, _ body: @escaping @Sendable () -> Void
  ) throws(ZeroMQError) -> pthread_t {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    var code = pthread_attr_setstacksize(&attributes, stackBytes)
    if code == 0 {
      let start = Unmanaged.passRetained(Start(name: name, body: body))
      code = pthread_create(
        &thread, &attributes,
        { argument in
          guard let argument else { return nil }
          let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
          czmq_name_thread(pthread_self(), String(start.name.prefix(15)))
          start.body()
          return nil
        }, start.toOpaque())
      if code != 0 { start.release() }
    }
    guard code == 0 else {
      throw ZeroMQError(
        operation: "start the thread \(name) with a stack of \(stackBytes >> 20) MiB", errno: code)
    }
    return thread
  }
}
