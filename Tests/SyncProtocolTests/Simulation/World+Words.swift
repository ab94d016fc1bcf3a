import SyncProtocol

/// How a trace tells what happened, in a few words.
extension World {
  func brief(_ body: Request.Body) -> String {
    switch body {
    case .hello(let hello):
      "hello acked \(hello.acked) views \(hello.views.map { view in "\(view.name)@\(view.position.map { String($0.number.rawValue) } ?? "-")" })"
    case .join(let join): "join \(join.views.map(\.name))"
    case .act(let act):
      "act \(act.entries.map { "\($0.number)" })\(act.atomic ? " atomic" : "") acked \(act.acked)"
    case .outcome(let query): "outcome \(query.numbers)"
    case .replay(let topic, let from): "replay \(words(topic)) from \(from)"
    case .snapshot(let topic): "snapshot \(words(topic))"
    case .chunk(let answer, let offset): "chunk \(answer) at \(offset)"
    case .alive(let alive):
      "alive \(alive.numbers.map { "\(words($0.key))@\($0.value)" }.sorted())"
    default: "\(body)"
    }
  }

  func brief(_ reply: Reply) -> String {
    let header = reply.header
    let head =
      "reply \(header.request) \(header.code.rawValue) epoch \(header.epoch.rawValue % 1000) durable \(header.durable)"
    switch reply.body {
    case .act(let answer):
      let outcomes = answer.outcomes.map {
        "\($0.number) \($0.code.rawValue)\($0.commit.map { " as \($0)" } ?? "")"
      }
      return "\(head) \(outcomes) \(answer.views.map { "\(words($0.key))@\($0.value)" }.sorted())"
    case .hello(let answer):
      return
        "\(head) base \(answer.base) last \(answer.last) \(answer.views.map { brief($0) })"
    case .join(let views): return "\(head) \(views.map { brief($0) })"
    case .replay(let view), .snapshot(let view): return "\(head) \(brief(view))"
    case .alive(let answer):
      return
        "\(head) alive \(answer.numbers.map { "\(words($0.key))@\($0.value)" }.sorted()) behind \(answer.behind.map { words($0) })"
    case .text(let text): return "\(head) \(text)"
    default: return head
    }
  }

  private func brief(_ view: ViewAnswer) -> String {
    let how =
      switch view.content {
      case .resume(let deltas): "resume (\(deltas.count))"
      case .snapshot(_, let reason): "snapshot (\(reason))"
      case .pull(_, let size, let reason): "pull \(size) (\(reason))"
      case .refused(let code, _): "refused \(code.rawValue)"
      }
    return "\(words(view.topic)) \(how)@\(view.number)"
  }

  func brief(_ broadcast: Broadcast) -> String {
    switch broadcast {
    case .publication(let publication):
      "\(words(publication.topic)) \(publication.from)-\(publication.to) flags \(publication.flags.rawValue)"
    case .beat(let beat): "beat at \(beat.durable) epoch \(beat.epoch.rawValue % 1000)"
    case .ring(let ring): ring.isWelcome ? "welcome epoch \(ring.epoch.rawValue % 1000)" : "ring"
    }
  }

  func brief(_ output: ClientOutput) -> String {
    switch output {
    case .changed(let token, let update): "view \(token.rawValue) is at \(update.number)"
    case .stale(let token, let reason): "view \(token.rawValue) is stale: \(reason)"
    case .fresh(let token, let number): "view \(token.rawValue) is fresh at \(number)"
    case .resolved(let token, let resolution): "action \(token.rawValue): \(resolution)"
    default: "\(output)"
    }
  }

  private func words(_ topic: Topic) -> String {
    Self.projections[topic].map { "\($0)" } ?? "?"
  }
}
