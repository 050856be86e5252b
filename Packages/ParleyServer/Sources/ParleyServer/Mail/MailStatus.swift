// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Networking

/// Counts mails by their outcome since the start, for the operator.
final class MailStatus: Sendable {
    struct Counts: Sendable, Hashable {
        /// Mails that the mail server accepted.
        var sent = 0
        /// Attempts that failed; the mail is tried again.
        var failedAttempts = 0
        /// Mails that expired before the mail server took them.
        var expired = 0
        /// Mails that the full queue refused.
        var refused = 0
        /// Failed attempts since the mail server last answered a message.
        var failuresInARow = 0
    }

    /// The number of failures in a row after which the mail server counts as out of reach.
    private static let failuresUntilBroken = 3

    private let state = Guarded(Counts())

    var counts: Counts { state.withLock { $0 } }

    /// True if the last attempts did not reach the mail server's answer to a message.
    var isBroken: Bool { counts.failuresInARow >= Self.failuresUntilBroken }

    func sent() {
        state.withLock { counts in
            counts.sent += 1
            counts.failuresInARow = 0
        }
    }

    func failed(_ error: any Error) {
        // A refused recipient says nothing about the mail server: otherwise any request could make the server look
        // broken.
        let isRefusal = (error as? NetworkError)?.code == .status
        state.withLock { counts in
            counts.failedAttempts += 1
            counts.failuresInARow = isRefusal ? 0 : counts.failuresInARow + 1
        }
    }

    func expired() { state.withLock { $0.expired += 1 } }

    func refused() { state.withLock { $0.refused += 1 } }
}
