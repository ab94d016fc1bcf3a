import Testing

@testable import statecast_bench

/// The histogram is what every latency is read from: its buckets lose no more than they say.
@Suite struct HistogramTests {
  @Test("each value is in a bucket that ends at most a sixty-fourth above it", arguments: 0..<400)
  func buckets(_ step: Int) {
    let value = Int64(step) * Int64(step) * Int64(step) * 997
    let last = LatencyHistogram.last(of: LatencyHistogram.bucket(of: value))
    #expect(last >= value)
    #expect(last - value <= value / 64)
  }

  @Test("buckets follow one another without a gap", arguments: 0..<2000)
  func gaps(_ bucket: Int) {
    let next = LatencyHistogram.last(of: bucket) + 1
    #expect(LatencyHistogram.bucket(of: next) == bucket + 1)
    #expect(LatencyHistogram.bucket(of: next - 1) == bucket)
  }

  @Test func `quantiles are of the samples, whatever their order`() {
    let histogram = LatencyHistogram((1...100).reversed().map { Int64($0) })
    #expect(histogram.quantile(0.5) == 50)
    #expect(histogram.quantile(0.9) == 90)
    #expect(histogram.quantile(0.99) == 99)
    #expect(histogram.quantile(1) == 100)
    #expect(histogram.longest == 100)
    #expect(histogram.count == 100)
  }

  @Test func `one slow action among a thousand is the longest and not the median`() {
    var histogram = LatencyHistogram(repeatElement(Int64(10_000), count: 999))
    histogram.add(50_000_000)
    #expect(histogram.quantile(0.5) < 10_200)
    #expect(histogram.quantile(0.999) < 10_200)
    #expect(histogram.longest == 50_000_000)
    #expect(histogram.microseconds.last == 50_000)
    #expect(histogram.microseconds.count == LatencyHistogram.names.count)
  }

  @Test func `two histograms together are that of all their samples`() {
    let few = [3, 700, 123_456].map { Int64($0) }
    let more = [9_000_000_000, 1, 640].map { Int64($0) }
    var sum = LatencyHistogram(few)
    sum.add(LatencyHistogram(more))
    #expect(sum == LatencyHistogram(few + more))
  }

  @Test func `of nothing all is nothing, and what is negative counts as none`() {
    #expect(LatencyHistogram().quantile(0.99) == 0)
    #expect(LatencyHistogram([-5]).quantile(0.5) == 0)
  }
}
