// SPDX-License-Identifier: MIT

public import AudioDSP

/// A waveform in pixels: for each column the lowest and the highest sample pale, and the RMS within strong.
public struct WaveformImage: Sendable {
    /// What a pixel shows.
    public enum Shade: UInt8, Sendable, CaseIterable {
        /// No sound is so loud.
        case background
        /// Between the lowest and the highest sample.
        case extreme
        /// Within the RMS.
        case rms

        /// Red, green and blue (sRGB).
        public var colour: (red: UInt8, green: UInt8, blue: UInt8) {
            switch self {
            case .background: (0x0F, 0x17, 0x2A)
            case .extreme: (0x38, 0xBD, 0xF8)
            case .rms: (0xE0, 0xF2, 0xFE)
            }
        }
    }

    /// Pixels: a column each, at least one.
    public let width: Int
    /// Pixels.
    public let height: Int
    /// Row by row from the top, `width` × `height`.
    public let pixels: [Shade]

    /// Draws `columns`, a pixel wide each. The top row holds samples of 1, the bottom row those of −1; what is beyond is cut
    /// off. In a column without sound the zero line shows.
    ///
    /// `height` is in pixels, at least 1.
    public init(_ columns: [WaveformPeaks.Bucket], height: Int = 200) {
        precondition(height > 0)
        width = max(1, columns.count)
        self.height = height
        var pixels = [Shade](repeating: .background, count: width * height)
        for (x, column) in columns.enumerated() {
            for row in Self.rows(from: column.maximum, to: column.minimum, of: height) {
                pixels[row * width + x] = .extreme
            }
            guard column.rms > 0 else { continue }
            for row in Self.rows(from: column.rms, to: -column.rms, of: height) { pixels[row * width + x] = .rms }
        }
        self.pixels = pixels
    }

    /// The picture as a PNG file (ISO/IEC 15948).
    ///
    /// - Parameter title: what it shows, for those who do not see it.
    /// - Throws: ``AudioError`` with `io` when there is no memory for it.
    public func png(title: String) throws(AudioError) -> [UInt8] {
        var file = PNGFile(width: width, height: height, title: title)
        try file.add(
            palette: Shade.allCases.map(\.colour), pixels: pixels.map(\.rawValue), width: width)
        return file.bytes
    }

    private static func rows(from high: Float, to low: Float, of height: Int) -> ClosedRange<Int> {
        let top = row(of: high, height)
        return top...max(top, row(of: low, height))
    }

    private static func row(of value: Float, _ height: Int) -> Int {
        min(height - 1, Int((1 - Double(min(1, max(-1, value)))) / 2 * Double(height)))
    }
}
