// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Security

/// The address that a used link leads to: back to the program, with a state that only the program and its mail know (RFC 6749 §10.12).
public struct SignInRedirect: Sendable, Hashable {
    /// The address, the state in it.
    public let url: URL
    /// 128 random bits in base64url.
    let state: String

    /// `parley://signed-in?state=…`, for which `parley install` registers a handler.
    ///
    /// - Throws: `SecurityError` when the system has no randomness.
    public static func application() throws -> SignInRedirect {
        try SignInRedirect(to: "parley://signed-in")
    }

    init(to address: String) throws {
        state = try SecureRandom.token(byteCount: 16)
        guard let url = URL(string: "\(address)?state=\(state)") else {
            throw AuthError(.invalidConfiguration, "The address to come back to cannot be used.")
        }
        self.url = url
    }
}
