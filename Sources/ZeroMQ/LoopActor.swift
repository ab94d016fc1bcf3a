/// An actor whose executor is a loop, so that what the loop calls is inside of it already.
package protocol LoopActor: Actor {
  nonisolated var loop: EventLoop { get }
}

extension LoopActor {
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Runs a body inside the actor; only on the loop's thread, traps elsewhere.
  ///
  /// `assumeIsolated` asks the same of the runtime, which first looks for a task and for the main
  /// actor: some 350 instructions for each of a dozen calls that an action takes at a client. Here
  /// one thread's identity is compared.
  package nonisolated func onLoop<Result>(_ body: (isolated Self) throws -> Result) rethrows
    -> Result
  {
    loop.checkIsolated()
    // An isolated parameter is passed like any other; being isolated is what the line above found.
    return try withoutActuallyEscaping(body) { isolated in
      try unsafeBitCast(isolated, to: ((Self) throws -> Result).self)(self)
    }
  }
}
