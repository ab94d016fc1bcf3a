import Glibc
import StateModel
import Synchronization
import Testing

@testable import Journal

/// What was written to the files of a journal and when each was synced, so that a loss of power at any
/// moment can be played: from what was synced nothing is missing, of the rest any sector may be.
final class DiskRecording: Sendable {
  enum Operation {
    case write(file: String, offset: Int, bytes: [UInt8])
    case cut(file: String, size: Int)
    case sync(file: String)
    /// The journal said that this row is durable.
    case acknowledged(row: UInt64)
  }

  private let list = Mutex<[Operation]>([])

  var operations: [Operation] { list.withLock { $0 } }

  func add(_ operation: Operation) { list.withLock { $0.append(operation) } }

  /// The size of what a disk writes as one, of old and of new disks.
  static let sectors = [512, 4096]

  /// The files of a journal after a loss of power, and the last row that had been acknowledged.
  struct Image {
    var files: [String: [UInt8]]
    var acknowledged: UInt64

    /// Power goes after `count` operations. Of what was not synced each sector is kept with
    /// `keptPercent`.
    ///
    /// - Parameter syncs: false plays a disk that lies: what it says is synced may be lost.
    init(
      of operations: [Operation], after count: Int, from base: [String: [UInt8]],
      acknowledged: UInt64, sector: Int, keptPercent: UInt64, syncs: Bool = true,
      using random: inout SeededGenerator
    ) {
      files = base
      self.acknowledged = acknowledged
      let past = operations.prefix(count)
      // The place of the last sync of each file: before it everything is there.
      var synced: [String: Int] = [:]
      for (place, operation) in past.enumerated() {
        switch operation {
        case .sync(let file): if syncs { synced[file] = place }
        case .acknowledged(let row): self.acknowledged = row
        case .write, .cut: break
        }
      }
      for (place, operation) in past.enumerated() {
        switch operation {
        case .write(let file, let offset, let bytes):
          let isSynced = place < synced[file] ?? -1
          var start = 0
          while start < bytes.count {
            // Sectors are counted from the beginning of the file.
            let end = min(bytes.count, ((offset + start) / sector + 1) * sector - offset)
            if isSynced || random.next() % 100 < keptPercent {
              files[file, default: []].put(bytes[start..<end], at: offset + start)
            }
            start = end
          }
        case .cut(let file, let size):
          if place < synced[file] ?? -1 || random.next() % 100 < keptPercent {
            files[file, default: []].cut(to: size)
          }
        case .sync, .acknowledged: break
        }
      }
    }

    /// Puts the files into a journal's folder.
    func write(to scratch: Scratch) throws {
      mkdir(scratch.journal, 0o700)
      for (name, bytes) in files { try Scratch.write(bytes, to: "\(scratch.journal)/\(name)") }
    }
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    if count < offset + bytes.count {
      append(contentsOf: repeatElement(0, count: offset + bytes.count - count))
    }
    replaceSubrange(offset..<(offset + bytes.count), with: bytes)
  }

  fileprivate mutating func cut(to size: Int) {
    if count > size {
      removeLast(count - size)
    } else {
      append(contentsOf: repeatElement(0, count: size - count))
    }
  }
}
