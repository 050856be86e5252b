// SPDX-License-Identifier: MIT

/// The reason that a detector cannot be made, with advice.
public struct VoiceActivityError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. More kinds may be added: match with a default.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable code, also used in JSON output.
        public let rawValue: String

        /// Makes a code from its stable text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The network's weights are missing in all folders.
        public static let weightsMissing = Code(rawValue: "weightsMissing")
        /// The file exists and cannot be read.
        public static let weightsUnreadable = Code(rawValue: "weightsUnreadable")
        /// The file is cut off, or it is not a model.
        public static let weightsDamaged = Code(rawValue: "weightsDamaged")
        /// The file is a model, but not the supported one.
        public static let weightsOfAnotherModel = Code(rawValue: "weightsOfAnotherModel")
    }

    /// The kind of failure.
    public let code: Code
    /// One or two sentences for a person: what happened, and what to do.
    public let message: String
    /// The exact fault, for a log.
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
