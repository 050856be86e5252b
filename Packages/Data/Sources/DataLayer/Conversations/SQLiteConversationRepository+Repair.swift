// SPDX-License-Identifier: MIT

import Persistence

extension SQLiteConversationRepository {
    /// Reads the whole file, and if it is damaged, sets it aside and puts a new one with what can be read in its place.
    ///
    /// Waits a while for the other programs that have the file open, and throws while they do.
    ///
    /// - Returns: Sentences about what was saved and where the damaged file is; nil when the file is sound or there is none.
    /// - Throws: `DomainError.storage`.
    public static func repair(path: String, seal: DataSeal? = nil) async throws -> String? {
        try await domainErrors { try await salvage(path, seal) }
    }

    /// Sets a damaged file aside, saves what can be read, and says what that was; nil where nothing is damaged any more.
    static func salvage(_ path: String, _ seal: DataSeal?) async throws -> String? {
        guard let report = try await Database.recoverIfDamaged(path, seal: seal) else { return nil }
        let database = try await opened(try await .opened(at: path, seal: seal))
        // The index of the words refers to the messages and holds none itself.
        try await database.write { try $0.execute("INSERT INTO message_text (message_text) VALUES ('rebuild')") }
        await database.close()
        let messages = report.tables.first { $0.name == "message" }
        let saved =
            switch (messages?.rows ?? 0, messages?.isComplete ?? false) {
            case (0, _): "None of its messages could be read; a new history begins."
            case (let count, true): "All its messages, \(count), are in the new one."
            case (let count, false): "\(count) of its messages are in the new one; others could not be read."
            }
        return "The history in \(path) was damaged. It is kept as \(report.setAside). \(saved)"
    }
}
