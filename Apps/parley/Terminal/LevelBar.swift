// SPDX-License-Identifier: MIT

import AudioKitLinux

/// A level as a bar of characters, from −60 dBFS to full scale, with the highest peak of the last second and a mark for
/// clipping.
struct LevelBar: Sendable {
    /// The quietest level that shows.
    static let floor: Float = -60

    /// The width in characters.
    let width: Int
    let usesUnicode: Bool
    private var peak = LevelBar.floor
    private var peakAge = 0
    private(set) var clippedSamples = 0

    /// A bar that has measured nothing.
    init(width: Int = 30, usesUnicode: Bool) {
        self.width = width
        self.usesUnicode = usesUnicode
    }

    /// Takes the level of the next tenth of a second and draws it.
    mutating func draw(_ level: AudioLevel) -> String {
        draw(rms: level.rms, peak: level.peak, clippedSamples: level.clippedSamples)
    }

    /// The same of a level in dBFS.
    mutating func draw(rms: Float, peak newPeak: Float, clippedSamples newlyClipped: Int) -> String {
        clippedSamples += newlyClipped
        peakAge += 1
        if newPeak >= peak || peakAge > 10 { (peak, peakAge) = (max(newPeak, Self.floor), 0) }
        let filled = position(rms)
        let mark = position(peak)
        let bar = (0..<width).map { column -> Character in
            if column < filled { return usesUnicode ? "█" : "#" }
            if column == mark - 1 || column == 0 && mark == 0 { return usesUnicode ? "│" : "|" }
            return usesUnicode ? "░" : "."
        }
        let clip = newlyClipped > 0 ? " CLIP" : ""
        return "\(String(bar)) \(Self.text(rms)) dBFS, peak \(Self.text(peak))\(clip)"
    }

    /// A level with one decimal, in six characters.
    static func text(_ level: Float) -> String {
        let tenths = Int((max(level, -99.9) * 10).rounded())
        let number = "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
        return String(repeating: " ", count: max(0, 5 - number.count)) + number
    }

    private func position(_ level: Float) -> Int {
        let share = (min(max(level, Self.floor), 0) - Self.floor) / -Self.floor
        return Int((share * Float(width)).rounded())
    }
}
