// SPDX-License-Identifier: MIT

/// An error of AudioDSP.
public struct AudioDSPError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error. More kinds may follow.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name, which never changes.
        public let rawValue: String

        /// A kind by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A factor outside the range of its kernel, or not a number.
        public static let factor = Code(rawValue: "factor")
        /// A number of channels or a sample rate outside the range of its kernel.
        public static let format = Code(rawValue: "format")
    }

    /// The kind of error.
    public let code: Code
    /// One sentence that says what to give instead.
    public let message: String

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// Checks the arguments of a kernel that changes a voice.
    static func check(
        _ word: String, _ factor: Double, in range: ClosedRange<Double>, sampleRate: Double, channels: Int
    ) throws(AudioDSPError) {
        guard range.contains(factor) else {
            throw AudioDSPError(
                .factor, "The \(word) is from \(range.lowerBound) to \(range.upperBound), not \(factor).")
        }
        guard (8_000...192_000).contains(sampleRate), (1...32).contains(channels) else {
            throw AudioDSPError(
                .format,
                "A voice has 8,000 to 192,000 frames a second and 1 to 32 channels, not \(sampleRate) and \(channels).")
        }
    }
}
