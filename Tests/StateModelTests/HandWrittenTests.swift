import StateModel
import Testing

@Test("An integer and a text written by hand come back from their encodings")
func roundTrip() throws {
  #expect(Int.min.encoded() == [0x3B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
  #expect(try Int(encoded: Int.min.encoded()) == Int.min)
  #expect(try String(encoded: "statecast".encoded()) == "statecast")
  var five = 5
  try five.apply(7.delta(from: five))
  #expect(five == 7)
}
