// SPDX-License-Identifier: MIT

/// The error of everything in this package. No message has a secret in it.
public struct ObjectStoreError: Error, Sendable, CustomStringConvertible {
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

        /// The object does not exist.
        public static let notFound = Code(rawValue: "notFound")
        /// The range is empty or begins at or past the object's end.
        public static let outOfRange = Code(rawValue: "outOfRange")
        /// The store refuses: the credentials are wrong or lack a right, or a file may not be used.
        public static let denied = Code(rawValue: "denied")
        /// There are no credentials, or their file cannot be used.
        public static let noCredentials = Code(rawValue: "noCredentials")
        /// The credentials were good until a moment ago.
        public static let credentialsExpired = Code(rawValue: "credentialsExpired")
        /// This machine's clock and the store's differ too much.
        public static let clockSkew = Code(rawValue: "clockSkew")
        /// The bucket or the folder does not exist.
        public static let noSuchBucket = Code(rawValue: "noSuchBucket")
        /// The store has no room left.
        public static let full = Code(rawValue: "full")
        /// The object, or what is to be held of it, has too many bytes.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The store asks for fewer requests, or has a fault that may pass. It was tried several times.
        public static let busy = Code(rawValue: "busy")
        /// The bytes are not those that their length or hash promises.
        public static let damaged = Code(rawValue: "damaged")
        /// The key cannot be used; the message says why.
        public static let invalidKey = Code(rawValue: "invalidKey")
        /// The upload in parts was completed, aborted or never begun.
        public static let noSuchUpload = Code(rawValue: "noSuchUpload")
        /// The parts of an upload are missing, replaced, out of order or too small.
        public static let invalidParts = Code(rawValue: "invalidParts")
        /// The store cannot be reached.
        public static let network = Code(rawValue: "network")
        /// The store's address or options are invalid; or plain http to another machine.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The store's answer is not S3's.
        public static let invalidAnswer = Code(rawValue: "invalidAnswer")
        /// A file of this machine, or the source of the content, cannot be read or written.
        public static let file = Code(rawValue: "file")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and its remedy.
    public let message: String
    /// The underlying error; nil without one.
    public let underlying: (any Error)?

    /// An error.
    public init(code: Code, message: String, underlying: (any Error)? = nil) {
        (self.code, self.message, self.underlying) = (code, message, underlying)
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// True if the same call may succeed later by itself.
    public var isTransient: Bool { [.busy, .network].contains(code) }

    static func notFound(_ key: ObjectKey) -> ObjectStoreError {
        ObjectStoreError(code: .notFound, message: "There is no object \(key).")
    }

    static func outOfRange(_ key: ObjectKey) -> ObjectStoreError {
        ObjectStoreError(
            code: .outOfRange, message: "The range has no byte of \(key). Ask for its size by head(_:) first.")
    }

    static let noSuchUpload = ObjectStoreError(
        code: .noSuchUpload, message: "The upload was completed, aborted or never begun. Begin it again.")

    static func invalidParts(_ reason: String) -> ObjectStoreError {
        ObjectStoreError(code: .invalidParts, message: reason)
    }
}
