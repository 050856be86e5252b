// SPDX-License-Identifier: MIT

import DataLayer
public import Domain
public import FoundationEssentials
public import SealedRecordings

extension SealedRecordingRepository {
    /// Removes what a rule says is to go, from this device alone. What waits to be sent stays, whatever the rule says; and
    /// results and evaluations stay.
    ///
    /// Also removes files that a crash left and that have no sound in them, when nobody has written to them for an hour.
    ///
    /// - Parameter now: The wall clock.
    /// - Returns: What was removed, the oldest first.
    public func apply(_ rule: RetentionRule, now: Date) async throws -> [Recording] {
        try await removeEmptyFiles(now)
        let kept = try await index.allWithSent()
        let items = kept.map { recording, isSent in
            RetentionRule.Item(
                id: recording.id.description, recordedAt: recording.createdAt, byteCount: recording.byteCount,
                isUploaded: isSent)
        }
        let ids = Set(rule.deletions(among: items, now: now))
        var removed: [Recording] = []
        for (recording, _) in kept where ids.contains(recording.id.description) {
            try Task.checkCancellation()
            if try await expire(recording.id) { removed.append(recording) }
        }
        return removed
    }

    private func removeEmptyFiles(_ now: Date) async throws {
        let old = try await abandoned(since: now.addingTimeInterval(-3_600))
        guard !old.isEmpty else { return }
        let folder = try await folder()
        for id in old {
            do {
                _ = try await SealedRecordingReader.open(folder.path(of: id), id: id.description, key: folder.key)
            } catch {
                // What is another key's, or damaged, is not ours to throw away.
                if error.code == .empty { try await folder.remove(id) }
            }
        }
    }
}
