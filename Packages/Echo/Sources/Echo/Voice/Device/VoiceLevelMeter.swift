// SPDX-License-Identifier: MIT

internal import AudioDSP

/// Cuts sound into pieces of 50 ms and measures each one's peak: 20 levels for each second, however the sound is
/// divided.
struct VoiceLevelMeter {
    /// A piece that is complete.
    struct Piece: Equatable {
        /// Its highest sample, from 0 to 1.
        var peak: Float
        /// The number of the added frames that follow it.
        var framesAfter: Int
    }

    /// 50 ms.
    static let frames = 1_200
    /// The level that is shown as silence, in decibels below full scale.
    private static let range = 60.0

    private var peak: Float = 0
    private var count = 0

    /// Takes the next samples.
    mutating func add(_ samples: [Float]) -> [Piece] {
        var pieces: [Piece] = []
        for (index, sample) in samples.enumerated() {
            peak = max(peak, abs(sample))
            count += 1
            guard count == Self.frames else { continue }
            pieces.append(Piece(peak: peak, framesAfter: samples.count - 1 - index))
            (peak, count) = (0, 0)
        }
        return pieces
    }

    /// A peak as a level: full scale is 1, and 60 dB below it and less 0, in decibels between them.
    static func level(of peak: Float) -> Double {
        min(1, max(0, 1 + Decibels.ofPower(Double(peak) * Double(peak)) / range))
    }
}

extension Decibels {
    /// The ratio of two powers, from decibels.
    static func power(_ decibels: Double) -> Double { Double(amplitude(Float(2 * decibels))) }

    /// A power in decibels, −120 at least.
    static func ofPower(_ power: Double) -> Double { Double(ofPower(Float(power))) }
}
