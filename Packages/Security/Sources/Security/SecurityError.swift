// SPDX-License-Identifier: MIT

import Digests
import Glibc

/// The error of cryptography, sealed files and the app lock. ``SecretStore``s throw ``SecretStoreError``.
public struct SecurityError: Error, Sendable, Equatable, CustomStringConvertible {
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

        /// The key, the nonce, the ciphertext, its tag or the associated data differs from the sealed one. The error
        /// deliberately does not say which.
        public static let authenticationFailed = Code(rawValue: "authenticationFailed")
        /// A key, a length or a parameter is outside its range.
        public static let invalidParameter = Code(rawValue: "invalidParameter")
        /// The key has sealed the largest safe number of messages.
        public static let keyExhausted = Code(rawValue: "keyExhausted")
        /// The file was sealed with another key, or its header was changed.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The content was changed after it was written.
        public static let damaged = Code(rawValue: "damaged")
        /// The file's end is missing: the writer did not finish, or the file was cut.
        public static let incomplete = Code(rawValue: "incomplete")
        /// A newer program wrote the file.
        public static let newer = Code(rawValue: "newer")
        /// The file or its folder is missing.
        public static let notFound = Code(rawValue: "notFound")
        /// A file with that name exists already.
        public static let alreadyExists = Code(rawValue: "alreadyExists")
        /// The system denies access.
        public static let permission = Code(rawValue: "permission")
        /// Other users could read or replace the file, so it is not trusted.
        public static let insecureFile = Code(rawValue: "insecureFile")
        /// The disk, the quota or the file size limit is used up.
        public static let diskFull = Code(rawValue: "diskFull")
        /// Reading or writing failed in the device or the file system.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// Another program holds the lock.
        public static let busy = Code(rawValue: "busy")
        /// The file was closed or finished.
        public static let closed = Code(rawValue: "closed")
        /// The passphrase is wrong.
        public static let wrongPassphrase = Code(rawValue: "wrongPassphrase")
        /// After several wrong passphrases the next attempt must wait.
        public static let tooManyFailures = Code(rawValue: "tooManyFailures")
        /// The app lock must be unlocked first.
        public static let locked = Code(rawValue: "locked")
        /// libcrypto refused; its random generator or its memory is not available.
        public static let unavailable = Code(rawValue: "unavailable")
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

    static let authenticationFailed = SecurityError(
        code: .authenticationFailed, message: "The sealed bytes could not be authenticated with this key.")

    /// The error of a call of libcrypto that cannot fail on valid input.
    static func unavailable(_ operation: String) -> SecurityError {
        SecurityError(
            code: .unavailable,
            message:
                "libcrypto could not \(operation). Check that OpenSSL 3 is completely installed, and the free memory.")
    }

    /// Loads libcrypto, before a call of it.
    ///
    /// - Throws: ``SecurityError`` with the code `unavailable`, which names the missing package.
    static func requireLibCrypto() throws(SecurityError) {
        do throws(DigestError) { try LibCrypto.load() } catch {
            throw SecurityError(code: .unavailable, message: error.message)
        }
    }
}

extension SecurityError {
    /// The error for a failed system call.
    init(systemError: Int32, doing action: String, path: String) {
        let code: Code
        switch systemError {
        case EACCES, EPERM, EROFS: code = .permission
        case ENOSPC, EDQUOT, EFBIG: code = .diskFull
        case ENOENT, ENOTDIR: code = .notFound
        case EEXIST: code = .alreadyExists
        case ELOOP: code = .insecureFile
        default: code = .inputOutput
        }
        let reason = strerror(systemError).map { String(cString: $0) } ?? "error \(systemError)"
        self.init(code: code, message: "Could not \(action) \(path): \(reason).", underlying: systemError)
    }
}
