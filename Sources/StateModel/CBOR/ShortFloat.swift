/// Which doubles fit into fewer bits without losing any.
///
/// Worked out on the bit patterns, never by conversion: the processor's conversions quieten
/// signalling NaNs, and a mirror must hold the very bits that the authority holds.
enum ShortFloat {
  /// The 32-bit pattern that widens to exactly `value`'s bits, if there is one.
  static func single(_ value: Double) -> UInt32? {
    let bits = value.bitPattern
    let sign = UInt32(truncatingIfNeeded: bits >> 63) << 31
    let exponent = Int(bits >> 52 & 0x7FF)
    let fraction = bits & 0xF_FFFF_FFFF_FFFF
    if exponent == 0x7FF {
      guard fraction & 0x1FFF_FFFF == 0 else { return nil }
      return sign | 0x7F80_0000 | UInt32(truncatingIfNeeded: fraction >> 29)
    }
    if exponent == 0 { return fraction == 0 ? sign : nil }
    let unbiased = exponent - 1023
    if unbiased >= -126 {
      guard unbiased <= 127, fraction & 0x1FFF_FFFF == 0 else { return nil }
      return sign | UInt32(unbiased + 127) << 23 | UInt32(truncatingIfNeeded: fraction >> 29)
    }
    // Subnormal in 32 bits: the leading one becomes explicit and moves right.
    let shift = 29 + (-126 - unbiased)
    guard shift <= 52 else { return nil }
    let significand = fraction | 1 << 52
    guard significand & (1 << UInt64(shift) - 1) == 0 else { return nil }
    return sign | UInt32(truncatingIfNeeded: significand >> UInt64(shift))
  }

  /// The 16-bit pattern that widens to exactly `value`'s bits, if there is one.
  static func half(_ value: Double) -> UInt16? {
    let bits = value.bitPattern
    let sign = UInt16(truncatingIfNeeded: bits >> 63) << 15
    let exponent = Int(bits >> 52 & 0x7FF)
    let fraction = bits & 0xF_FFFF_FFFF_FFFF
    if exponent == 0x7FF {
      guard fraction & 0x3FF_FFFF_FFFF == 0 else { return nil }
      return sign | 0x7C00 | UInt16(truncatingIfNeeded: fraction >> 42)
    }
    if exponent == 0 { return fraction == 0 ? sign : nil }
    let unbiased = exponent - 1023
    if unbiased >= -14 {
      guard unbiased <= 15, fraction & 0x3FF_FFFF_FFFF == 0 else { return nil }
      return sign | UInt16(unbiased + 15) << 10 | UInt16(truncatingIfNeeded: fraction >> 42)
    }
    let shift = 42 + (-14 - unbiased)
    guard shift <= 52 else { return nil }
    let significand = fraction | 1 << 52
    guard significand & (1 << UInt64(shift) - 1) == 0 else { return nil }
    return sign | UInt16(truncatingIfNeeded: significand >> UInt64(shift))
  }

  /// The double with the value (for a NaN: the widened bits) of a 16-bit pattern.
  static func double(half: UInt16) -> Double {
    let sign = UInt64(half >> 15) << 63
    let exponent = Int(half >> 10 & 0x1F)
    let fraction = UInt64(half & 0x3FF)
    if exponent == 0x1F { return Double(bitPattern: sign | 0x7FF << 52 | fraction << 42) }
    if exponent != 0 {
      return Double(bitPattern: sign | UInt64(exponent - 15 + 1023) << 52 | fraction << 42)
    }
    let magnitude = Double(fraction) * 0x1p-24
    return Double(bitPattern: magnitude.bitPattern | sign)
  }

  /// The double with the value (for a NaN: the widened bits) of a 32-bit pattern.
  static func double(single: UInt32) -> Double {
    let sign = UInt64(single >> 31) << 63
    let exponent = Int(single >> 23 & 0xFF)
    let fraction = UInt64(single & 0x7F_FFFF)
    if exponent == 0xFF { return Double(bitPattern: sign | 0x7FF << 52 | fraction << 29) }
    if exponent != 0 {
      return Double(bitPattern: sign | UInt64(exponent - 127 + 1023) << 52 | fraction << 29)
    }
    let magnitude = Double(fraction) * 0x1p-149
    return Double(bitPattern: magnitude.bitPattern | sign)
  }
}
