// swift-tools-version: 6.2
import PackageDescription

// An app of somebody else's: all that it takes to have a daemon and a client of one's own.
let package = Package(
  name: "tally",
  dependencies: [.package(name: "statecast", path: "../..")],
  targets: [
    .executableTarget(
      name: "tally",
      dependencies: [
        .product(name: "Composable", package: "statecast"),
        .product(name: "StateModel", package: "statecast"),
        .product(name: "StatecastDaemon", package: "statecast"),
      ]),
    .executableTarget(
      name: "tally-client",
      dependencies: [
        "tally",
        .product(name: "StateModel", package: "statecast"),
        .product(name: "StatecastClient", package: "statecast"),
      ]),
  ]
)
