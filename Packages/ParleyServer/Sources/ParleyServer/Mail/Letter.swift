// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

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
