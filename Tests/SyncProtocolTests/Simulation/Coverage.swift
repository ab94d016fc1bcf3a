/// What the histories went through: a simulation that never takes a way proves nothing about it.
struct Coverage: Equatable, Sendable {
  var hellos = 0
  var resumes = 0
  var snapshots = 0
  var pulls = 0
  var chunks = 0
  var encodings = 0
  var comparisons = 0
  var replays = 0
  var refusals = 0
  var publications = 0
  var viewBeats = 0
  var applied = 0
  var rejected = 0
  var givenUp = 0
  var unknown = 0
  var rewritten = 0
  var silences = 0
  var calls = 0
  var returned = 0
  var gone = 0
  var ended = 0

  static func += (sum: inout Coverage, other: Coverage) {
    for field in fields { sum[keyPath: field.1] += other[keyPath: field.1] }
  }

  static var fields: [(String, WritableKeyPath<Coverage, Int>)] {
    [
      ("hellos", \.hellos), ("resumes", \.resumes), ("snapshots", \.snapshots),
      ("pulls", \.pulls), ("chunks", \.chunks), ("encodings", \.encodings),
      ("comparisons", \.comparisons), ("replays", \.replays),
      ("publications", \.publications), ("view beats", \.viewBeats), ("applied", \.applied),
      ("rejected", \.rejected), ("given up", \.givenUp), ("unknown", \.unknown),
      ("rewritten", \.rewritten), ("silences", \.silences), ("calls", \.calls),
      ("returned", \.returned), ("gone", \.gone), ("tasks ended", \.ended),
    ]
  }
}
