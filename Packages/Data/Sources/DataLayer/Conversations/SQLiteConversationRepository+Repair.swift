// SPDX-License-Identifier: MIT

import Persistence

extension SQLiteConversationRepository {
    /// Reads the whole file; if it is damaged, sets it aside and replaces it by a new file with the readable part.
    ///
    /// Waits a while for other programs that have the file open, and throws if they keep it open.
    ///
    /// - Returns: Sentences about the saved part and the path of the damaged file; nil if the file is sound or missing.
    /// - Throws: `DomainError.storage`.
    public static func repair(path: String, seal: DataSeal? = nil) async throws -> String? {
        try await domainErrors { try await salvage(path, seal) }
    }

    /// Sets a damaged file aside, saves the readable part and describes it; nil if the file is not damaged any more.
    static func salvage(_ path: String, _ seal: DataSeal?) async throws -> String? {
        guard let report = try await Database.recoverIfDamaged(path, seal: seal) else { return nil }
        let database = try await opened(try await .opened(at: path, seal: seal))
        // The index of the words refers to the messages and stores no text.
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
