// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

/// The toolchain ships SwiftSyntax in usr/lib/swift/host: the macro is built on it with no package
/// to fetch and nothing to compile. The folder is found from the `swift` on PATH.
let swiftSyntax: String = {
  for folder in (Context.environment["PATH"] ?? "").split(separator: ":") {
    let swift = URL(fileURLWithPath: "\(folder)/swift").resolvingSymlinksInPath()
    let host = swift.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("lib/swift/host").path
    if FileManager.default.fileExists(atPath: host + "/SwiftSyntax.swiftmodule") { return host }
  }
  fatalError("no Swift toolchain with usr/lib/swift/host/SwiftSyntax.swiftmodule on PATH")
}()

let swiftSyntaxLibraries = [
  "SwiftSyntax", "SwiftSyntaxMacros", "SwiftSyntaxBuilder", "SwiftDiagnostics",
  "SwiftSyntaxMacroExpansion", "SwiftParser", "SwiftBasicFormat", "SwiftOperators",
  "SwiftCompilerPluginMessageHandling",
]

let package = Package(
  name: "statecast",
  products: [
    .library(name: "StateModel", targets: ["StateModel"]),
    .library(name: "Composable", targets: ["Composable"]),
    .library(name: "StatecastDaemon", targets: ["StatecastDaemon"]),
    .library(name: "StatecastClient", targets: ["StatecastClient"]),
    .library(name: "StatecastTesting", targets: ["StatecastTesting"]),
    .executable(name: "statecastd", targets: ["statecastd"]),
    .executable(name: "statecast", targets: ["statecast"]),
    .executable(name: "statecast-bench", targets: ["statecast-bench"]),
  ],
  targets: [
    // C: a module map and a shim each, nothing else.
    .systemLibrary(name: "CZeroMQ"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CSystemd"),
    .systemLibrary(name: "CXXHash"),
    .systemLibrary(name: "CInih"),
    .systemLibrary(name: "CEdit"),
    .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    // What has to be done before Swift's runtime begins.
    .target(name: "CStandardStreams"),
    // Starting programs, and hearing of their end.
    .target(name: "CProcesses"),
    // Looking at a file without asking for its times.
    .target(name: "CFileStatus"),
    // Counts what the benchmark's program asks of malloc.
    .target(name: "CAllocations"),
    // The floor that the benchmark measures against: libzmq alone, in C.
    .target(name: "CFloor", linkerSettings: [.linkedLibrary("zmq")]),

    // Wrappers: the only places with pointers.
    .target(name: "ZeroMQ", dependencies: ["CZeroMQ"]),
    .target(name: "SQLite", dependencies: ["CSQLite"]),
    .target(name: "Processes", dependencies: ["CProcesses"]),

    // Values.
    .macro(
      name: "StateMacros",
      swiftSettings: [.unsafeFlags(["-I", swiftSyntax])],
      linkerSettings: [
        .unsafeFlags(
          ["-L", swiftSyntax, "-Xlinker", "-rpath", "-Xlinker", swiftSyntax]
            + swiftSyntaxLibraries.map { "-l\($0)" })
      ]),
    .target(name: "StateModel", dependencies: ["CXXHash", "StateMacros"]),
    .target(name: "JSONText", dependencies: ["StateModel", "CSimdJSON"]),

    // Machines.
    .target(name: "Composable", dependencies: ["StateModel"]),
    .target(name: "SyncProtocol", dependencies: ["StateModel"]),
    .target(
      name: "Journal", dependencies: ["StateModel", "SyncProtocol", "SQLite", "CFileStatus"]),

    // Shells.
    .target(
      name: "StatecastDaemon",
      dependencies: [
        "StateModel", "Composable", "SyncProtocol", "Journal", "ZeroMQ", "CSystemd", "CInih",
        "CStandardStreams",
      ]),
    .target(
      name: "StatecastClient",
      dependencies: ["StateModel", "Composable", "SyncProtocol", "ZeroMQ"]),
    .target(
      name: "StatecastTesting",
      dependencies: [
        "StateModel", "Composable", "SyncProtocol", "StatecastDaemon", "StatecastClient",
        "Processes",
      ]),

    // What reads strangers' bytes, as functions that libFuzzer and the tests run.
    .target(
      name: "FuzzTargets",
      dependencies: ["StateModel", "SyncProtocol", "StatecastDaemon", "JSONText"]),

    // The ready-made app, and the executables.
    .target(name: "Showcase", dependencies: ["Composable", "StateModel", "JSONText"]),
    .executableTarget(
      name: "statecastd", dependencies: ["StatecastDaemon", "Showcase", "Composable", "StateModel"]),
    .executableTarget(
      name: "statecast",
      dependencies: [
        "StatecastClient", "StateModel", "SyncProtocol", "ZeroMQ", "JSONText", "Showcase", "CEdit",
        "Composable", "CStandardStreams", "Processes",
        // `doctor`, `backup` and `restore` work on the files, whether a daemon runs or not.
        "Journal",
      ]),
    .executableTarget(
      name: "statecast-bench",
      dependencies: [
        "StatecastClient", "StatecastDaemon", "StateModel", "SyncProtocol", "ZeroMQ", "Composable",
        "Journal", "JSONText", "Showcase", "StatecastTesting", "Processes", "CAllocations",
        "CFloor",
      ]),

    // What test targets share.
    .target(
      name: "TestSupport", dependencies: ["StatecastTesting"], path: "Tests/TestSupport"),
    .target(name: "Seeds", dependencies: ["Composable", "StateModel"], path: "Tests/Seeds"),
    .executableTarget(
      name: "SeedsDaemon",
      dependencies: ["Seeds", "StatecastDaemon", "StatecastTesting", "Composable", "StateModel"],
      path: "Tests/SeedsDaemon"),

    // Tests mirror the sources.
    .testTarget(name: "StateModelTests", dependencies: ["StateModel"]),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "StateModel", "TestSupport"]),
    .testTarget(
      name: "ComposableTests",
      dependencies: ["Composable", "StateModel", "StatecastTesting", "TestSupport", "Seeds"]),
    .testTarget(name: "SyncProtocolTests", dependencies: ["SyncProtocol", "StateModel"]),
    .testTarget(name: "ZeroMQTests", dependencies: ["ZeroMQ"]),
    .testTarget(name: "ProcessesTests", dependencies: ["Processes"]),
    .testTarget(
      name: "JournalTests",
      dependencies: ["Journal", "SQLite", "CSQLite", "SyncProtocol", "StateModel"],
      exclude: ["Golden"]),
    .testTarget(
      name: "StatecastDaemonTests",
      dependencies: [
        "StatecastDaemon", "StatecastClient", "Composable", "StateModel", "SyncProtocol", "Journal",
        "SQLite", "ZeroMQ",
      ]),
    .testTarget(
      name: "StatecastTestingTests",
      dependencies: ["StatecastTesting", "Composable", "StateModel", "TestSupport"]),
    .testTarget(
      name: "ShowcaseTests",
      dependencies: [
        "Showcase", "Composable", "StateModel", "JSONText", "StatecastTesting", "TestSupport",
      ]),
    .testTarget(name: "StatecastBenchTests", dependencies: ["statecast-bench"]),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "StatecastTesting", "StatecastClient", "StatecastDaemon", "StateModel", "SyncProtocol",
        "ZeroMQ", "Showcase", "statecastd", "statecast", "statecast-bench", "Composable", "Seeds",
        "SeedsDaemon",
        "TestSupport",
      ]),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "StateModel"], exclude: ["Corpus"]),
  ],
  cxxLanguageStandard: .cxx17
)

// Only `make fuzz` needs it, and instruments what it watches.
let isFuzzing = Context.environment["STATECAST_FUZZ"] != nil
/// What libFuzzer watches while it looks for new ways through.
let fuzzed: Set = [
  "StateModel", "JSONText", "SyncProtocol", "StatecastDaemon", "FuzzTargets", "statecast-fuzz",
]
if isFuzzing {
  #if arch(arm64)
    let machine = "aarch64"
  #else
    let machine = "x86_64"
  #endif
  let runtime = "\(swiftSyntax)/../clang/lib/linux/libclang_rt.fuzzer_no_main-\(machine).a"
  package.targets += [
    .systemLibrary(name: "CFuzzer"),
    .executableTarget(
      name: "statecast-fuzz", dependencies: ["FuzzTargets", "CFuzzer"],
      linkerSettings: [.unsafeFlags([runtime]), .linkedLibrary("stdc++")]),
  ]
}

// Only `make tsan` needs it: ThreadSanitizer sees how a contended `Mutex` is handed over.
if Context.environment["STATECAST_TSAN"] != nil {
  for target in package.targets where target.type == .executable || target.type == .test {
    target.dependencies.append("CMutexHandOver")
  }
  package.targets.append(.target(name: "CMutexHandOver", path: "Tests/ThreadSanitizer"))
}

/// Values, machines and the simulation are optimised in every build: a debug build of them would
/// make a hundred thousand simulated histories, and every integration test, a matter of minutes.
let alwaysOptimised: Set = ["StateModel", "SyncProtocol", "SyncProtocolTests"]

/// C and C++: Swift's settings mean nothing to them.
let foreign: Set = [
  "CSimdJSON", "CAllocations", "CFloor", "CProcesses", "CFileStatus", "CMutexHandOver",
]

for target in package.targets where target.type != .system && !foreign.contains(target.name) {
  var settings = target.swiftSettings ?? []
  settings += [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
  if alwaysOptimised.contains(target.name) { settings.append(.unsafeFlags(["-O"])) }
  if isFuzzing, fuzzed.contains(target.name) {
    settings.append(.unsafeFlags(["-sanitize=fuzzer"]))
  }
  // The optimiser of Swift 6.3.1 crashes on async functions of the tool, now this one, now that.
  // Nothing in it is hot: what is, is in the libraries.
  if target.name == "statecast" {
    settings.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    target.swiftSettings = settings
    continue
  }
  // Values are generic and live in one module, their uses in others: unspecialised they are slow.
  // Exclusive access, too, is checked where the tests run, which is in debug builds.
  settings.append(
    .unsafeFlags(
      ["-cross-module-optimization", "-enforce-exclusivity=unchecked"],
      .when(configuration: .release)))
  target.swiftSettings = settings
}
