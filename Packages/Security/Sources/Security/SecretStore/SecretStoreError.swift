// SPDX-License-Identifier: MIT

/// What every ``SecretStore`` throws, besides `CancellationError`.
public struct SecretStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Why, in a form that a program can tell apart; more codes may come.
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
        /// The value is longer than every store can keep.
        public static let valueTooLarge = Code(rawValue: "valueTooLarge")
        /// The keyring or the app lock is locked. Unlock it and try again.
        public static let locked = Code(rawValue: "locked")
        /// There is no such store here: no session bus, no secret service, no default keyring.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The passphrase or the key file is not the one that the store was made with.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The key file is gone, without which the store cannot be read.
        public static let keyMissing = Code(rawValue: "keyMissing")
        /// The content is not what was written. Nothing was changed.
        public static let damaged = Code(rawValue: "damaged")
        /// A newer program wrote the store.
        public static let newer = Code(rawValue: "newer")
        /// Others could read or change the file, so it is not trusted.
        public static let insecureFile = Code(rawValue: "insecureFile")
        /// The system denies access.
        public static let permission = Code(rawValue: "permission")
        /// There is no room left. The store is as it was.
        public static let diskFull = Code(rawValue: "diskFull")
        /// Another program holds the store.
        public static let busy = Code(rawValue: "busy")
        /// Reading or writing failed in the device, the file system or on the bus.
        public static let inputOutput = Code(rawValue: "inputOutput")
    }

    /// Why.
    public let code: Code
    /// What happened, and what to do. Never holds a secret.
    public let message: String
    /// The system's error number, if the system said it.
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
            .invalidParameter: .wrongKey, .unavailable: .unavailable,
            .locked: .locked,
        ]
        self.init(code: codes[error.code] ?? .inputOutput, message: error.message, underlying: error.underlying)
    }

    /// Gives the result of `body`, and its ``SecurityError``s as this module's stores throw them.
    static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SecurityError {
            throw SecretStoreError(error)
        }
    }
}
