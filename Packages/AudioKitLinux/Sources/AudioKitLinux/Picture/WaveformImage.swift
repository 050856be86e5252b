// SPDX-License-Identifier: MIT

public import AudioDSP

/// A waveform in pixels: in each column a pale range from lowest to highest sample, and a strong one of the RMS.
public struct WaveformImage: Sendable {
    /// The meaning of a pixel.
    public enum Shade: UInt8, Sendable, CaseIterable {
        /// Beyond the lowest or the highest sample.
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

    /// The width in pixels, one per column, at least one.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The pixels, row by row from the top, `width` × `height`.
    public let pixels: [Shade]

    /// Draws `columns`, one pixel wide each. The top row is a sample of 1, the bottom row one of −1; values beyond are
    /// clipped. A column without sound shows the zero line.
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
    /// - Parameter title: A description of the picture, for people who cannot see it.
    /// - Throws: ``AudioError`` with `io` if memory runs out.
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
