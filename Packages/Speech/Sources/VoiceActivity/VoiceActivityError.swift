// SPDX-License-Identifier: MIT

/// Why a detector cannot be made, and what to do about it.
public struct VoiceActivityError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. More kinds may come: match with a default.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name, also used in JSON output.
        public let rawValue: String

        /// Makes a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No file with the network's weights is where it could be.
        public static let weightsMissing = Code(rawValue: "weightsMissing")
        /// The file is there and cannot be read.
        public static let weightsUnreadable = Code(rawValue: "weightsUnreadable")
        /// The file is cut off, or its bytes are no model.
        public static let weightsDamaged = Code(rawValue: "weightsDamaged")
        /// The file is a model, but not the one that this code computes.
        public static let weightsOfAnotherModel = Code(rawValue: "weightsOfAnotherModel")
    }

    /// The kind of failure.
    public let code: Code
    /// One or two sentences for a person: what happened, and what to do.
    public let message: String
    /// What exactly was wrong, for a log.
    public let detail: String

    /// Makes an error.
    public init(_ code: Code, _ message: String, detail: String = "") {
        self.code = code
        self.message = message
        self.detail = detail
    }

    /// The message, with the detail in brackets.
    public var description: String { detail.isEmpty ? message : "\(message) [\(detail)]" }
}
