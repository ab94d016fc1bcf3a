// libFuzzer over the readers of strangers' bytes: `statecast-fuzz TARGET [libFuzzer's options]`.
//
// Built only with `STATECAST_FUZZ=1`, by `make fuzz`.

internal import CFuzzer
internal import FuzzTargets
internal import Glibc

guard CommandLine.arguments.count > 1, let named = FuzzTarget(rawValue: CommandLine.arguments[1])
else {
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
  print("Usage: statecast-fuzz TARGET [OPTIONS…]; the targets are \(names).")
  exit(2)
}

let target = named
var count = CommandLine.argc - 1
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
exit(
  LLVMFuzzerRunDriver(&count, &arguments) { start, count in
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    // libFuzzer learns of a finding by the process's end.
    if let broken = target.run(bytes) { fatalError("\(target.rawValue): \(broken)") }
    return 0
  })
