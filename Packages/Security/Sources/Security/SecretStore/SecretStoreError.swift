// SPDX-License-Identifier: MIT

/// The error of every ``SecretStore``; the stores also throw `CancellationError`.
public struct SecretStoreError: Error, Sendable, Equatable, CustomStringConvertible {
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

        /// The name is empty, too long, or has a control character in it.
        public static let invalidName = Code(rawValue: "invalidName")
        /// The passphrase is empty, or its cost is out of range.
        public static let invalidParameter = Code(rawValue: "invalidParameter")
        /// The value is longer than every store can keep.
        public static let valueTooLarge = Code(rawValue: "valueTooLarge")
        /// The keyring or the app lock is locked. Unlock it and try again.
        public static let locked = Code(rawValue: "locked")
        /// The store does not exist here: no session bus, no secret service, no default keyring.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The store was made with another passphrase or key file.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The key file is missing; without it the store cannot be read.
        public static let keyMissing = Code(rawValue: "keyMissing")
        /// The content was changed from outside. The call changed nothing.
        public static let damaged = Code(rawValue: "damaged")
        /// A newer program wrote the store.
        public static let newer = Code(rawValue: "newer")
        /// Other users could read or change the file, so it is not trusted.
        public static let insecureFile = Code(rawValue: "insecureFile")
        /// The system denies access.
        public static let permission = Code(rawValue: "permission")
        /// No room is left. The store is unchanged.
        public static let diskFull = Code(rawValue: "diskFull")
        /// Another program holds the store.
        public static let busy = Code(rawValue: "busy")
        /// Reading or writing failed in the device, the file system or on the bus.
        public static let inputOutput = Code(rawValue: "inputOutput")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and its remedy. Never holds a secret.
    public let message: String
    /// The system's error number; nil if the failure has none.
    public let underlying: Int32?

    /// An error.
    public init(code: Code, message: String, underlying: Int32? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    init(_ error: SecurityError) {
        let codes: [SecurityError.Code: Code] = [
            .wrongKey: .wrongKey, .damaged: .damaged, .newer: .newer, .insecureFile: .insecureFile,
            .permission: .permission, .diskFull: .diskFull, .busy: .busy, .authenticationFailed: .damaged,
            .invalidParameter: .invalidParameter, .unavailable: .unavailable, .locked: .locked,
        ]
        self.init(code: codes[error.code] ?? .inputOutput, message: error.message, underlying: error.underlying)
    }

    /// Returns the result of `body`, and throws its ``SecurityError``s as errors of this module's stores.
    static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SecurityError {
            throw SecretStoreError(error)
        }
    }
}
