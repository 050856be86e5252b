// SPDX-License-Identifier: MIT
internal import AudioDSP

extension Decibels {
    /// The ratio of two powers, from decibels.
    static func power(_ decibels: Double) -> Double { Double(amplitude(Float(2 * decibels))) }

    /// A power in decibels, −120 at least.
    static func ofPower(_ power: Double) -> Double { Double(ofPower(Float(power))) }
}
