// SPDX-License-Identifier: MIT

import Networking

/// Takes a finished message to a mailbox.
protocol MailTransport: Sendable {
    /// - Parameter message: As RFC 5322 has it, with CR LF at the ends of lines.
    func deliver(_ message: [UInt8], from sender: String, to recipient: String) async throws
}

extension SMTPTransport: MailTransport {
    func deliver(_ message: [UInt8], from sender: String, to recipient: String) async throws {
        try await send(message, from: sender, to: [recipient])
    }
}
