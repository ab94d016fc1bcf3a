/// The books of an `EffectRunner`: what runs, what may be cancelled by which id, and who waits for
/// whom. A value without tasks of its own making: the runner starts, it only keeps count.
struct EffectRegistry<Action: Sendable>: Sendable {
  /// One piece of work under way.
  struct Unit: Sendable {
    let task: Task<Void, Never>
    let token: RunToken
    let place: EffectPlace
    let family: UInt64
  }

  /// What a throttle holds until its window ends.
  struct Held: Sendable {
    let operations: [EffectOperation<Action>]
    let family: UInt64
    let cause: UInt64
  }

  /// The time in which a throttle lets nothing through.
  struct Window: Sendable {
    let timer: Task<Void, Never>
    /// Tells it from an earlier window of the same key.
    let number: UInt64
    var held: Held?
  }

  /// What one external action started. Its number is that of the action's commit.
  private struct Family: Sendable {
    /// Units, held operations, and delivered actions that are not handled yet.
    var members = 0
    var isCancelled = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// A commit that has members in a family.
  private struct Cause: Sendable {
    let family: UInt64
    var members = 0
    var undelivered = 0
  }

  private(set) var units: [UInt64: Unit] = [:]
  private(set) var windows: [CancelKey: Window] = [:]
  private var families: [UInt64: Family] = [:]
  private var causes: [UInt64: Cause] = [:]
  private var lastNumber: UInt64 = 0

  var size: Int { units.count + windows.count + families.count + causes.count }

  var isIdle: Bool { families.isEmpty }

  var liveFamilies: [UInt64] { Array(families.keys) }

  var anyFamily: UInt64? { families.first?.key }

  /// A number for a unit or a window.
  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  mutating func insert(_ unit: Unit) {
    units[unit.token.unit] = unit
    enter(unit.family, unit.token.cause)
  }

  mutating func remove(_ id: UInt64, _ afterwards: inout Afterwards) {
    guard let unit = units.removeValue(forKey: id) else { return }
    leave(unit.family, unit.token.cause, &afterwards)
  }

  /// Cancels the units at the places that fit. They stay on the books until they have ended.
  func cancel(_ afterwards: inout Afterwards, where fits: (EffectPlace) -> Bool) {
    for unit in units.values where fits(unit.place) {
      unit.token.cancel()
      afterwards.cancel.append(unit.task)
    }
  }
}

// MARK: - Families

extension EffectRegistry {
  /// The family of a commit: that of the commit whose effect sent its action, or one of its own.
  func family(of cause: UInt64, sentBy sender: UInt64?) -> UInt64 {
    sender.flatMap { causes[$0]?.family } ?? cause
  }

  func isLive(_ family: UInt64) -> Bool { families[family] != nil }

  func isCancelled(_ family: UInt64) -> Bool { families[family]?.isCancelled ?? false }

  mutating func enter(_ family: UInt64, _ cause: UInt64) {
    families[family, default: Family()].members += 1
    causes[cause, default: Cause(family: family)].members += 1
  }

  mutating func leave(_ family: UInt64, _ cause: UInt64, _ afterwards: inout Afterwards) {
    if let members = causes[cause]?.members, members > 1 {
      causes[cause]?.members = members - 1
    } else {
      causes[cause] = nil
    }
    if let members = families[family]?.members, members > 1 {
      families[family]?.members = members - 1
    } else if let ended = families.removeValue(forKey: family) {
      afterwards.resume += ended.waiting
      afterwards.ended.append(family)
    }
  }

  /// Notes a waiter; false when the family has ended.
  mutating func wait(
    for family: UInt64, _ continuation: CheckedContinuation<Void, Never>
  ) -> Bool {
    families[family]?.waiting.append(continuation) != nil
  }

  /// Cancels what a family does and holds, and what it would start from now on.
  mutating func cancel(family: UInt64, _ afterwards: inout Afterwards) {
    families[family]?.isCancelled = true
    for unit in units.values where unit.family == family {
      unit.token.cancel()
      afterwards.cancel.append(unit.task)
    }
    for (key, window) in windows where window.held?.family == family {
      dropHeld(key, &afterwards)
    }
  }

  /// Notes that a unit has sent an action which is not handled yet.
  mutating func deliver(by id: UInt64) {
    guard let unit = units[id] else { return }
    enter(unit.family, unit.token.cause)
    causes[unit.token.cause]?.undelivered += 1
  }

  /// Notes an external action that is not handled yet.
  mutating func expect(_ cause: UInt64) {
    enter(cause, cause)
    causes[cause]?.undelivered += 1
  }

  /// Notes that an action sent by an effect of commit `sender` is handled.
  mutating func handled(sentBy sender: UInt64, _ afterwards: inout Afterwards) {
    guard let cause = causes[sender], cause.undelivered > 0 else { return }
    causes[sender]?.undelivered -= 1
    leave(cause.family, sender, &afterwards)
  }

  /// Waits no longer for actions to be handled.
  mutating func forgetDelivered(_ afterwards: inout Afterwards) {
    for (number, cause) in causes {
      for _ in 0..<cause.undelivered { handled(sentBy: number, &afterwards) }
    }
  }
}

// MARK: - Throttles

extension EffectRegistry {
  mutating func open(_ key: CancelKey, timer: Task<Void, Never>, number: UInt64) {
    windows[key] = Window(timer: timer, number: number)
  }

  /// Holds operations until the window's end, in place of those already held, or not at all.
  mutating func hold(
    _ held: Held, key: CancelKey, latest: Bool, _ afterwards: inout Afterwards
  ) {
    guard !isCancelled(held.family), latest || windows[key]?.held == nil else { return }
    enter(held.family, held.cause)
    dropHeld(key, &afterwards)
    windows[key]?.held = held
  }

  /// What is to be let through at the window's end; nil when nothing is held: the window closes.
  mutating func takeHeld(_ key: CancelKey, number: UInt64) -> Held? {
    guard windows[key]?.number == number else { return nil }
    guard let held = windows[key]?.held else {
      windows[key] = nil
      return nil
    }
    windows[key]?.held = nil
    return held
  }

  /// Ends the windows that fit, with what they hold.
  mutating func endWindows(_ afterwards: inout Afterwards, where fits: (CancelKey) -> Bool) {
    for (key, window) in windows where fits(key) {
      dropHeld(key, &afterwards)
      afterwards.cancel.append(window.timer)
      windows[key] = nil
    }
  }

  private mutating func dropHeld(_ key: CancelKey, _ afterwards: inout Afterwards) {
    guard let held = windows[key]?.held else { return }
    windows[key]?.held = nil
    leave(held.family, held.cause, &afterwards)
  }
}

/// What must happen after the registry's lock is given up, since it may call back.
struct Afterwards {
  var cancel: [Task<Void, Never>] = []
  var resume: [CheckedContinuation<Void, Never>] = []
  /// Families in which nothing is under way any more.
  var ended: [UInt64] = []

  func run() {
    for task in cancel { task.cancel() }
    for continuation in resume { continuation.resume() }
  }
}
