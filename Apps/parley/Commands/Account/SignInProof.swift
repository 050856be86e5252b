// SPDX-License-Identifier: MIT

import Auth
import FoundationEssentials

/// What a mail brings, as a person types or pastes it.
enum SignInProof: Sendable {
    case code(String)
    case link(SignInLink)

    /// Reads a code or a link.
    ///
    /// - Throws: `AuthError` with the code `invalidLink`, without quoting the text.
    init(_ text: String, server: URL) throws {
        self = text.contains("://") ? .link(try SignInLink(text, server: server)) : .code(text)
    }

    /// Shows it to the server.
    func verify(with controller: SessionController) async throws {
        switch self {
        case .code(let code): try await controller.verify(code: code)
        case .link(let link): try await controller.verify(link)
        }
    }
}
