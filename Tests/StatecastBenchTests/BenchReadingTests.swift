import StateModel
import Testing

@testable import statecast_bench

/// What the benchmark reads of flags, of the kernel and of valgrind, and what it expects mirrors to
/// hold.
@Suite struct BenchReadingTests {
  @Test func `flags are read in any order, and what is unknown is refused`() {
    let options = BenchOptions(arguments: ["--pairs", "3", "--quick", "--only", "open,join"])
    #expect(options?.pairs == 3)
    #expect(options?.isQuick == true)
    #expect(options?.groups == ["open", "join"])
    #expect(BenchOptions(arguments: []) == BenchOptions())
    for wrong in [
      ["--pairs"], ["--pairs", "0"], ["--seconds", "x"], ["--fast"], ["3"], ["--rate", "0"],
    ] {
      #expect(BenchOptions(arguments: wrong) == nil, "\(wrong)")
    }
  }

  @Test func `help names every group and every flag that is read`() {
    for word in Suite.groups + ["--quick", "--peers", "--pairs", "--only", "torture", "recovery"] {
      #expect(StatecastBench.help.contains(word), "\(word)")
    }
  }

  @Test func `a floor in a slow placement is found, of either figure`() {
    func round(_ window: Int, _ value: Double) -> ClosedLoops.Round {
      [.floor: Figures([window: value])]
    }
    #expect(ClosedLoops.slowest([100, 69, 98].map { round(64, $0) }, window: 64) == 1)
    #expect(ClosedLoops.slowest([100, 71, 98].map { round(64, $0) }, window: 64) == nil)
    #expect(ClosedLoops.slowest([80, 90, 130].map { round(1, $0) }, window: 1) == 2)
  }

  @Test func `a process's own memory leaves the file pages out`() {
    let rollup = """
      Rss:                1624 kB
      Pss_Anon:            112 kB
      Pss_Shmem:            20 kB
      Anonymous:           112 kB
      """
    #expect(ProcessMemory.kilobytes(inRollup: rollup) == 132)
    #expect(ProcessMemory.kilobytes(inRollup: "Rss: 1624 kB") == nil)
  }

  @Test func `callgrind's count is found in what it says`() {
    #expect(Instructions.collected("==7== \n==7== Collected : 223456789\n==7== ") == 223_456_789)
    #expect(Instructions.collected("==7== nothing") == nil)
  }

  @Test func `what so many actions make is what they make one by one`() {
    for count in [0, 1, 999, 1000, 2345] {
      var state = Load.State.ofSize(0.01)
      for number in 0..<count { state.bump(.number(number)) }
      #expect(state.bench.digest == Bench.State.after(count).digest)
      #expect(state.digest == Load.State.ofSize(0.01).after(count).digest)
    }
  }

  @Test func `a state of so many megabytes is about that large`() {
    let bytes = Load.State.ofSize(1).encoded().count
    #expect((900_000...1_100_000).contains(bytes))
  }
}
