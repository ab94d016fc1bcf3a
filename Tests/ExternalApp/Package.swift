// swift-tools-version: 6.2
import PackageDescription

// An app of somebody else's: all that it takes to have a daemon and a client of one's own.
let package = Package(
  name: "tally",
  dependencies: [.package(name: "statecast", path: "../..")],
  targets: [
    // The feature: what daemon and client share.
    .target(
      name: "TallyFeature",
      dependencies: [
        .product(name: "Composable", package: "statecast"),
        .product(name: "StateModel", package: "statecast"),
      ]),
    .executableTarget(
      name: "tally",
      dependencies: [
        "TallyFeature", .product(name: "Composable", package: "statecast"),
        .product(name: "StateModel", package: "statecast"),
        .product(name: "StatecastDaemon", package: "statecast"),
      ]),
    .executableTarget(
      name: "tally-client",
      dependencies: [
        "TallyFeature", .product(name: "StateModel", package: "statecast"),
        .product(name: "StatecastClient", package: "statecast"),
      ]),
    .testTarget(
      name: "TallyTests",
      dependencies: [
        "TallyFeature", "tally", .product(name: "Composable", package: "statecast"),
        .product(name: "StatecastTesting", package: "statecast"),
      ]),
    .testTarget(
      name: "TallyCaseTests",
      dependencies: [
        "TallyFeature", .product(name: "Composable", package: "statecast"),
        .product(name: "StatecastTesting", package: "statecast"),
      ]),
  ]
)
