// SPDX-License-Identifier: MIT

import DataLayer
public import Domain
public import FoundationEssentials
public import SealedRecordings

extension SealedRecordingRepository {
    /// Deletes the recordings over a rule's limits, from this device only. A recording that is still to be sent stays;
    /// results and evaluations stay, too.
    ///
    /// Also deletes files without sound that a crash left, if they have not changed for an hour.
    ///
    /// - Parameters:
    ///   - ages: The time by which ages count, if it is not `now`.
    ///   - now: The time by which files without sound are old.
    /// - Returns: The deleted recordings, the oldest first.
    public func apply(_ rule: RetentionRule, ages: Date? = nil, now: Date) async throws -> [Recording] {
        try await removeEmptyFiles(now)
        let kept = try await index.allWithSent()
        let items = kept.map { recording, isSent in
            RetentionRule.Item(
                id: recording.id.description, recordedAt: recording.createdAt, byteCount: recording.byteCount,
                isUploaded: isSent)
        }
        let ids = Set(rule.deletions(among: items, now: ages ?? now))
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
                // A file with another key, or a damaged one, must not be deleted.
                if error.code == .empty { try await remove(id) }
            }
        }
    }
}
