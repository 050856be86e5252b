// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Persistence

/// The queue of mails on the disk.
struct MailFile: Sendable {
    /// The greatest number of mails that wait.
    let capacity: Int
    let outbox: Outbox

    /// Opens the file, or makes it.
    init(at path: String, capacity: Int, logger: Logger) async throws {
        self.capacity = capacity
        // A person waits: the waits are short, and the lease of a process that was killed ends soon. No mail becomes poison; it
        // ends by its age.
        outbox = try await Outbox(
            at: path,
            configuration: .init(
                lease: .seconds(5), maximumAttempts: 10_000, backoff: .init(first: .seconds(4), longest: .seconds(60)),
                maximumItems: capacity, remembersDoneFor: .seconds(3_600)), logger: logger)
    }

    func close() async { await outbox.close() }
}
