import StatecastTesting
import TestSupport

/// Where the failures of this target's test stores go.
enum TestStoreFailures: SwiftTestingFailures {}
