// SPDX-License-Identifier: MIT

/// A level as a bar of characters, from −60 dBFS to full scale, with the highest peak of the last second and a mark for
/// clipping.
public struct LevelBar: Sendable {
    /// The quietest level that shows.
    public static let floor: Float = -60

    /// The width in characters.
    public let width: Int
    private let glyphs: Glyphs
    private var peak = LevelBar.floor
    private var peakAge = 0
    /// The samples at full scale so far.
    public private(set) var clippedSamples = 0

    /// Makes a bar without a level.
    ///
    /// - Parameter width: The columns of the bar itself; the numbers behind it take 28 more.
    public init(width: Int = 30, glyphs: Glyphs) {
        self.width = max(1, width)
        self.glyphs = glyphs
    }

    /// Takes the level of the next tenth of a second, in dBFS, and draws it.
    ///
    /// - Parameter columns: The columns that there are. In few of them the bar is shorter, and the peak is left out.
    public mutating func draw(
        rms: Float, peak newPeak: Float, clippedSamples newlyClipped: Int, columns: Int = .max
    ) -> String {
        clippedSamples += newlyClipped
        peakAge += 1
        if newPeak >= peak || peakAge > 10 { (peak, peakAge) = (max(newPeak, Self.floor), 0) }
        let showsPeak = columns >= 36
        let width = max(1, min(self.width, columns - (showsPeak ? 28 : 16)))
        let filled = Self.position(rms, width)
        let mark = Self.position(peak, width)
        let bar = (0..<width).map { column -> Character in
            if column < filled { return glyphs.filled }
            if column == mark - 1 || column == 0 && mark == 0 { return glyphs.vertical }
            return glyphs.empty
        }
        let clip = newlyClipped > 0 ? " CLIP" : ""
        let peakText = showsPeak ? ", peak \(Self.text(peak))" : ""
        return "\(String(bar)) \(Self.text(rms)) dBFS\(peakText)\(clip)"
    }

    /// A level with one decimal, in six characters.
    public static func text(_ level: Float) -> String {
        let level = level.isNaN ? -99.9 : min(max(level, -99.9), 99.9)
        let tenths = Int((level * 10).rounded())
        let number = "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
        return String(repeating: " ", count: max(0, 5 - number.count)) + number
    }

    /// A level in dBFS as a bar alone, without numbers.
    public static func bar(_ level: Double, width: Int = 10, glyphs: Glyphs) -> String {
        let filled = position(Float(level), width)
        return String((0..<max(0, width)).map { $0 < filled ? glyphs.filled : glyphs.empty })
    }

    private static func position(_ level: Float, _ width: Int) -> Int {
        guard !level.isNaN else { return 0 }
        let share = (min(max(level, floor), 0) - floor) / -floor
        return Int((share * Float(width)).rounded())
    }
}
