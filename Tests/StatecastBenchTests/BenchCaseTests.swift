import Foundation
import Testing

@testable import statecast_bench

/// Lines of JSON that other programs read, and the table that people do.
@Suite struct BenchCaseTests {
  private let fast = BenchCase(
    name: "window 64", value: 484_123.4, unit: "actions/s", beside: ("floor", 242_061.7),
    ratio: 2, bound: .atLeast(1))

  @Test func `a case is one line of JSON with these keys`() {
    #expect(
      fast.json
        == #"{"case":"window 64","value":484123,"unit":"actions/s","#
        + #""beside":{"name":"floor","value":242062},"ratio":2.000,"bound":">= 1","holds":true}"#)
    let alone = BenchCase(name: "idle", value: 9.25, unit: "MB", bound: .atMost(8))
    #expect(
      alone.json
        == #"{"case":"idle","value":9.25,"unit":"MB","beside":null,"ratio":null,"#
        + #""bound":"<= 8","holds":false}"#)
  }

  @Test func `a case that failed does not hold, whatever was measured`() {
    var case1 = fast
    case1.failure = "a \"mirror\"\nis not exact\\"
    #expect(case1.holds == false)
    #expect(case1.json.hasSuffix(#","holds":false,"failure":"a \"mirror\"\u000ais not exact\\"}"#))
    let failed = BenchCase.failed("crowd", "no files")
    #expect(failed.holds == false)
    #expect(failed.json.contains(#""value":null"#))
  }

  @Test func `every line is JSON that a reader takes`() throws {
    for one in [
      fast, .failed("x\u{1}\"", "tab\there"),
      BenchCase(name: "", value: .infinity, unit: "", bound: .none),
    ] {
      let read = try JSONSerialization.jsonObject(with: Data(one.json.utf8)) as? [String: Any]
      #expect(read?["case"] as? String == one.name)
    }
  }

  @Test("a bound is of the ratio where there is one, else of the value")
  func bounds() {
    #expect(fast.holds == true)
    #expect(BenchCase(name: "", value: 5, unit: "", bound: .atMost(5)).holds == true)
    #expect(BenchCase(name: "", value: 5, unit: "", ratio: 6, bound: .atMost(5)).holds == false)
    #expect(BenchCase(name: "", value: 5, unit: "", bound: .none).holds == nil)
    #expect(BenchCase(name: "", value: .nan, unit: "", bound: .atMost(5)).holds == false)
  }

  @Test func `the table's columns are as wide as what is in them, and failures stand below`() {
    let slow = BenchCase(
      name: "p50", value: 82.5, unit: "us", beside: ("floor", 100), ratio: 0.825, bound: .atMost(1))
    let table = ResultTable(cases: [fast, slow, .failed("crowd", "no files")])
    #expect(
      table.lines == [
        "case       ours              beside        ratio  bound  holds",
        "window 64  484123 actions/s  floor 242062  2.0    >= 1   yes",
        "p50        82.5 us           floor 100     0.83   <= 1   yes",
        "crowd      -                                             failed",
        "crowd does not count: no files",
      ])
  }

  @Test func `figures of a driver are read as they were written`() {
    let figures = Figures([1: 82.5, 64: 484_000, 512: 510_000.25])
    #expect(figures.line == "1=82.5 64=484000.0 512=510000.25")
    #expect(Figures(line: figures.line) == figures)
    for wrong in ["", "82.5", "1=x", "a=1"] { #expect(Figures(line: wrong) == nil) }
    #expect(figures[2].isNaN)
  }

  @Test func `the median is the middle one`() {
    #expect(median([3, 1, 2]) == 2)
    #expect(median([4, 1, 3, 2]) == 3)
    #expect(median([]).isNaN)
  }
}
