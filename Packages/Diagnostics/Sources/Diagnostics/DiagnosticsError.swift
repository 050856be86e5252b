// SPDX-License-Identifier: MIT

/// The error of this module.
public struct DiagnosticsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure, for programs; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The log's destination does not exist or does not answer.
        public static let unavailable = Code(rawValue: "unavailable")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and its remedy.
    public let message: String
    /// The system's error number; nil if the failure has none.
    public let underlying: Int32?

    /// An error.
    public init(code: Code, message: String, underlying: Int32? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }
}
