/// Offering handles: ordinary entries, that the machine makes by itself.
extension ClientMachine {
  /// Whether the session asks to be listed as present: whoever offers has to be.
  var wantsPresence: Bool { isPresent || !offers.isEmpty }

  mutating func offer(_ name: String) { offers.add(name) }

  mutating func withdraw(_ name: String) {
    guard offers.remove(name), run != nil else { return }
    outbox.submit(offers.nextToken(), Entry(.withdraw(name: name)))
  }

  /// Offers what is due, once the session is listed and its mirrors show something: what calls the
  /// handle must find its owner at work.
  mutating func pumpOffers() {
    guard run != nil, !needsHello else { return }
    if saidPresent != wantsPresence {
      needsHello = true
      return
    }
    guard saidPresent, !offers.isEmpty else { return }
    let isReady = mirrors.allSatisfy { !$0.follows || $0.isRefused || $0.position != nil }
    guard isReady else { return }
    for (token, name) in offers.takeDue() {
      outbox.submit(token, Entry(.offer(name: name)))
    }
  }

  /// What became of an entry that the machine made itself.
  mutating func takeOwn(_ settled: Outbox.Settled) {
    guard let name = offers.take(settled.token, settled.resolution) else { return }
    switch settled.resolution {
    case .done(let code, _, let text) where code != .ok && code != .noChange:
      outputs.append(.offer(name, code: code, text: text))
    case .done: outputs.append(.offer(name, code: .ok, text: ""))
    case .notDone(let code, let text) where code != .cancelled:
      outputs.append(.offer(name, code: code, text: text))
    case .notDone, .unknown: break
    }
  }
}
