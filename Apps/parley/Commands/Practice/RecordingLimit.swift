// SPDX-License-Identifier: MIT

import DataVoice
import Domain
import FoundationEssentials
import SealedRecordings

/// The number and the age of the recordings that a person wants to keep on this device. Without any limit everything is kept.
struct RecordingLimit: Codable, Sendable, Equatable {
    /// The greatest age in days.
    var days: Int?
    /// The greatest number of recordings.
    var count: Int?
    /// The greatest size of all sound in megabytes (of 1,000,000 bytes).
    var megabytes: Int?
    /// True if those that no server has may go, too.
    var includesUnsent = false

    /// Reads a file; a missing one sets no limit.
    static func load(from path: String) throws -> RecordingLimit {
        guard FileManager.default.fileExists(atPath: path) else { return RecordingLimit() }
        try OwnFile.require(path)
        guard let content = FileManager.default.contents(atPath: path),
            let limit = try? JSONDecoder().decode(RecordingLimit.self, from: content),
            [limit.days, limit.count, limit.megabytes].allSatisfy({ $0 ?? 1 > 0 })
        else {
            throw DomainError.file("\(path.printable) is damaged. Set the limit again: parley recordings limit --help.")
        }
        return limit
    }

    /// Writes the file as a whole, for its owner alone.
    func save(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try OutputFile.write(Array(try encoder.encode(self)) + [UInt8(ascii: "\n")], to: path, mode: 0o600)
    }

    /// The limit as a rule.
    var rule: RetentionRule {
        RetentionRule(
            maximumAge: days.map { .seconds($0 * 86_400) }, maximumByteCount: megabytes.map { $0 * 1_000_000 },
            maximumCount: count, deletesUnsent: includesUnsent)
    }

    /// "30 days, 100 recordings"; nil for no limit.
    var words: String? {
        let parts = [
            days.map { "\($0) days" }, count.map { "\($0) recordings" }, megabytes.map { "\($0) megabytes" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension CompositionRoot {
    /// Deletes the recordings over the limit, and reports each.
    func applyRecordingLimit(_ practice: Practice) async throws {
        let limit = try RecordingLimit.load(from: paths.recordingLimit)
        for recording in try await practice.storage.recordings.apply(limit.rule, now: Date()) {
            console.progress(
                "Deleted recording \(recording.id.short) of \(recording.createdAt.formatted(.iso8601)): the limit is "
                    + "\(limit.words ?? "").")
            try console.emit(["expired": recording.id.description])
        }
    }
}
