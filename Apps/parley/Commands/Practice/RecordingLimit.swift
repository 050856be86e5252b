// SPDX-License-Identifier: MIT

import DataVoice
import Domain
import FoundationEssentials
import SealedRecordings

/// The number and the age of the recordings that a person wants to keep on this device. Without any limit everything is kept.
struct RecordingLimit: OwnFileValue, Equatable {
    /// The greatest age in days.
    var days: Int?
    /// The greatest number of recordings.
    var count: Int?
    /// The greatest size of all sound in megabytes (of 1,000,000 bytes).
    var megabytes: Int?
    /// True if those that no server has may go, too.
    var includesUnsent = false

    static let remedy: Sentence = "Set the limit again: parley recordings limit --help."
    static let dayRange = 1...36_500
    static let countRange = 1...1_000_000
    static let megabyteRange = 1...100_000_000

    var isValid: Bool {
        [(days, Self.dayRange), (count, Self.countRange), (megabytes, Self.megabyteRange)].allSatisfy { value, range in
            value.map(range.contains) ?? true
        }
    }

    /// The limit as a rule.
    var rule: RetentionRule {
        RetentionRule(
            maximumAge: days.map { .seconds($0 * 86_400) }, maximumByteCount: megabytes.map { $0 * 1_000_000 },
            maximumCount: count, deletesUnsent: includesUnsent)
    }

    /// "30 days, 100 recordings"; nil for no limit.
    var words: Sentence? {
        let parts = [
            days.map { Sentence(one: "\($0) day", other: "\($0) days", count: $0) },
            count.map { Sentence(one: "\($0) recording", other: "\($0) recordings", count: $0) },
            megabytes.map { Sentence(one: "\($0) megabyte", other: "\($0) megabytes", count: $0) },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.listed
    }
}

extension CompositionRoot {
    /// Deletes the recordings over the limit, and reports each.
    func applyRecordingLimit(_ practice: Practice) async throws {
        let limit = try RecordingLimit.load(from: paths.recordingLimit) ?? RecordingLimit()
        let clock = RetentionClock.noted(at: paths.retentionClock)
        for recording in try await practice.storage.recordings.apply(limit.rule, ages: clock.time, now: Date()) {
            console.progress(
                "Deleted recording \(recording.id.short) of \(recording.createdAt.formatted(.iso8601)): the limit is "
                    + "\(limit.words ?? "").")
            try console.emit(["expired": recording.id.description])
        }
    }
}
