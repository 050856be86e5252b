// SPDX-License-Identifier: MIT

import COpenSSL
import COpenSSLCalls

/// OpenSSL's libcrypto, which is loaded on first use.
public enum LibCrypto {
    /// Loads it, unless it is loaded. Every function that uses it does so by itself, before the first use.
    ///
    /// It stays usable while the process exits: threads that end then, or still close connections, would otherwise
    /// meet tables that its exit handler has freed.
    ///
    /// - Throws: ``DigestError`` with the code `libraryMissing`.
    public static func load() throws(DigestError) {
        if let reason = copenssl_load() { throw DigestError(code: .libraryMissing, message: String(cString: reason)) }
        staysUntilExit
    }

    // A constant of a type is made once, by the first caller; the others wait.
    private static let staysUntilExit: Void = copenssl_stay_until_exit()
}

/// The error of a hash that cannot be computed.
public struct DigestError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. More kinds may be added: match with a default.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name.
        public let rawValue: String

        /// Makes a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The system's OpenSSL forbids the algorithm, or has no memory.
        public static let unavailable = Code(rawValue: "unavailable")
        /// libcrypto is not installed; the message names its package.
        public static let libraryMissing = Code(rawValue: "libraryMissing")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and its remedy.
    public let message: String

    /// The message.
    public var description: String { message }

    static let noMemory = DigestError(code: .unavailable, message: "OpenSSL has no memory for a hash. Close something.")
}
