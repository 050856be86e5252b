// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Security

/// A finished message in the queue.
struct Letter: Codable, Sendable, Hashable {
    /// The recipient's address; the sender's for a message that is not delivered, so that both look alike.
    let recipient: String
    /// True for an address without an account: the same work is done, and no message is delivered.
    let isDropped: Bool
    /// The message in the form of RFC 5322.
    let message: Data
    /// The time at which its link and its code expire; the mail is not sent after it.
    let expiresAt: AuthTime
}

/// Encrypts letters for the queue on the disk: they hold links, codes and addresses.
struct MailSeal: Sendable {
    private let cipher: AEAD

    init(key: SymmetricKey) throws {
        cipher = try AEAD(key: key)
    }

    /// - Parameter id: The letter's id in the queue, so that a letter cannot replace another one.
    func seal(_ letter: Letter, id: String) throws -> [UInt8] {
        try cipher.seal([UInt8](JSONEncoder().encode(letter)), authenticating: Array(id.utf8))
    }

    /// - Throws: `SecurityError` for a letter that was sealed with other keys.
    func open(_ bytes: [UInt8], id: String) throws -> Letter {
        try JSONDecoder().decode(Letter.self, from: Data(cipher.open(bytes, authenticating: Array(id.utf8))))
    }
}
