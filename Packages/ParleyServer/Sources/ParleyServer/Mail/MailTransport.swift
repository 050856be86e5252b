// SPDX-License-Identifier: MIT

import Networking

/// Takes a finished message to a mailbox.
protocol MailTransport: Sendable {
    /// - Parameters:
    ///   - message: As RFC 5322 has it, with CR LF at the ends of lines.
    ///   - recipient: Nil for nobody: the work is done, so that it takes what it always takes, and no message comes anywhere.
    func deliver(_ message: [UInt8], from sender: String, to recipient: String?) async throws
}

extension SMTPTransport: MailTransport {
    func deliver(_ message: [UInt8], from sender: String, to recipient: String?) async throws {
        if let recipient { try await send(message, from: sender, to: [recipient]) } else { try await rehearse() }
    }
}
