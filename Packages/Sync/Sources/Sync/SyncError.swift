// SPDX-License-Identifier: MIT

/// The error of everything in this package.
public struct SyncError: Error, Sendable, Equatable, CustomStringConvertible {
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

        /// The place is out of reach: no network, a folder that vanished.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The place refuses: the account, its password or its permission.
        public static let refused = Code(rawValue: "refused")
        /// The place answers with something that this transport does not understand.
        public static let invalidAnswer = Code(rawValue: "invalidAnswer")
        /// The object does not exist.
        public static let notFound = Code(rawValue: "notFound")
        /// An object of this name has other bytes.
        public static let exists = Code(rawValue: "exists")
        /// The object has more bytes than any may have.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The place has no room left.
        public static let full = Code(rawValue: "full")
        /// The place can be read and not written.
        public static let readOnly = Code(rawValue: "readOnly")
        /// Bytes that are no record, entry or snapshot, or whose signature, hash or seal does not fit.
        public static let invalid = Code(rawValue: "invalid")
        /// A newer program wrote it.
        public static let newer = Code(rawValue: "newer")
        /// This device has no key for it.
        public static let noKey = Code(rawValue: "noKey")
        /// This device does not belong to the group: it was never added, or it was revoked.
        public static let notMember = Code(rawValue: "notMember")
        /// A code, a phrase or a word is mistyped; the message says which.
        public static let mistyped = Code(rawValue: "mistyped")
        /// A store on this machine failed.
        public static let store = Code(rawValue: "store")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and its remedy. Never holds a secret.
    public let message: String
    /// The error that caused it, as text; nil if there is none.
    public let underlying: String?

    /// An error.
    public init(code: Code, message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying.map { "\($0)" }
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" + (underlying.map { " (\($0))" } ?? "") }
}
