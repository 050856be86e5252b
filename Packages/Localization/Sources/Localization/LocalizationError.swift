// SPDX-License-Identifier: MIT

/// The error of everything in this package.
public struct LocalizationError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name.
        public var description: String { rawValue }

        /// The file does not exist.
        public static let notFound = Code(rawValue: "notFound")
        /// The file cannot be read.
        public static let file = Code(rawValue: "file")
        /// The file is not a `.mo` file, or of a version that this reader does not know.
        public static let notACatalogue = Code(rawValue: "notACatalogue")
        /// The file is a `.mo` file that was cut or changed.
        public static let damaged = Code(rawValue: "damaged")
        /// The texts are not in UTF-8.
        public static let encoding = Code(rawValue: "encoding")
        /// The rule of plural forms is invalid, too long or divides by zero.
        public static let pluralForms = Code(rawValue: "pluralForms")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and its remedy, in English.
    public let message: String
    /// The underlying error; nil without one.
    public let cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        (self.code, self.message, self.cause) = (code, message, cause)
    }

    /// The message.
    public var description: String { message }
}
