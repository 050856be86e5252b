// SPDX-License-Identifier: MIT

import Auth
import Diagnostics
public import FoundationEssentials
public import Networking
import Security

/// The contract of signing in, over any auth server: the fake in memory, published shapes, or a real server over HTTP.
public struct AuthContract: Sendable {
    /// A server, and the operations of a test outside its interface.
    public struct Server: Sendable {
        /// The server's URL.
        public var base: URL
        /// The transport to it.
        public var transport: any HTTPTransport
        /// The code and the link's token of an address's newest mail.
        public var mail: @Sendable (String) async throws -> (code: String, token: String)?
        /// Uses the newest mail's link in a browser, and returns the code.
        public var followLink: @Sendable (String) async throws -> String?
        /// Advances the server's time.
        public var advance: @Sendable (Duration) async throws -> Void
        /// True if it lists sessions.
        public var listsSessions: Bool
        /// True if it reports the number of attempts left for a code.
        public var countsAttempts: Bool
        /// True if it requires the verifier of the mail's request together with the link's token.
        public var bindsLinks: Bool

        /// A server.
        public init(
            base: URL, transport: any HTTPTransport,
            mail: @escaping @Sendable (String) async throws -> (code: String, token: String)?,
            followLink: @escaping @Sendable (String) async throws -> String?,
            advance: @escaping @Sendable (Duration) async throws -> Void, listsSessions: Bool, countsAttempts: Bool,
            bindsLinks: Bool
        ) {
            (self.base, self.transport, self.mail, self.followLink) = (base, transport, mail, followLink)
            (self.advance, self.listsSessions, self.countsAttempts) = (advance, listsSessions, countsAttempts)
            self.bindsLinks = bindsLinks
        }
    }

    /// A promise that was broken.
    public struct Violation: Error, CustomStringConvertible {
        /// The promise.
        public let description: String
    }

    /// One promise.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise.
        public let description: String
        /// Throws if it is broken. Takes a server without accounts.
        public let run: @Sendable (Server) async throws -> Void
    }

    /// All promises.
    public static let checks: [Check] = signingIn + staying

    static let email = "ada@example.org"

    static func client(_ server: Server) throws -> GoTrueClient {
        try GoTrueClient(baseURL: server.base, clientName: "contract", transport: server.transport)
    }

    /// Signs in by code.
    static func signIn(_ server: Server) async throws -> TokenGrant {
        let client = try client(server)
        try await client.requestMail(to: email, challenge: PKCE().challenge)
        guard let mail = try await server.mail(email) else { throw Violation(description: "a mail comes") }
        return try await client.verify(code: mail.code, of: email)
    }

    static func require(_ isTrue: Bool, _ promise: String) throws {
        guard isTrue else { throw Violation(description: promise) }
    }

    /// Requires that an operation is refused with a code.
    static func refuses(
        _ codes: AuthError.Code..., for promise: String, _ operation: () async throws -> some Any
    ) async throws {
        do {
            _ = try await operation()
        } catch let error as AuthError {
            guard codes.contains(error.code) else { throw Violation(description: "\(promise), not \(error)") }
            return
        }
        throw Violation(description: promise)
    }
}
