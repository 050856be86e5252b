// SPDX-License-Identifier: MIT

import Concurrency
public import Domain
public import Persistence

/// The kept answers, for an export.
public struct KeptAnswerExport: PersonalDataSource {
    private let store: CacheStore

    /// The answers in a file, which is closed after the export.
    public init(_ store: CacheStore) { self.store = store }

    /// Writes a line of JSON for each answer into `kept-answers.jsonl`. See `PersonalDataSource`.
    public func export(to archive: any ExportArchive) async throws -> [String: Int] {
        let lines = Guarded<[[UInt8]]>([])
        try await store.forEach { entry in lines.withLock { $0.append(entry.value + [UInt8(ascii: "\n")]) } }
        await store.close()
        let kept = lines.withLock { $0 }
        guard !kept.isEmpty else { return [:] }
        try await archive.add("kept-answers.jsonl", size: kept.reduce(0) { $0 + $1.count }) { write in
            for line in kept { try await write(line) }
        }
        return ["keptAnswers": kept.count]
    }
}
